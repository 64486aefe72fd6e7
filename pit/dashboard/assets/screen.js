'use strict';

// What a screen keeps for itself: its light, its sound, whether it may notify. It is loaded before the page is painted, so
// that nothing flashes.
(() => {
  const root = document.documentElement;

  function kept(name) {
    try {
      return localStorage.getItem(`sabot-${name}`);
    } catch {
      return null; // a browser that keeps nothing shows the usual
    }
  }

  window.keep = (name, to) => {
    root.dataset[name.replace(/-(.)/g, (_, c) => c.toUpperCase())] = to;
    try {
      localStorage.setItem(`sabot-${name}`, to);
    } catch {
      // It holds until the page is loaded again.
    }
  };
  window.kept = kept;

  function press() {
    for (const key of document.querySelectorAll('[data-set]')) {
      const name = key.dataset.set.replace(/-(.)/g, (_, c) => c.toUpperCase());
      key.setAttribute('aria-pressed', String(root.dataset[name] === key.dataset.to));
    }
  }

  for (const [name, usual] of [['light', 'dark'], ['pit-sound', 'off'], ['pit-notify', 'off']]) {
    root.dataset[name.replace(/-(.)/g, (_, c) => c.toUpperCase())] = kept(name) ?? usual;
  }

  document.addEventListener('click', (touch) => {
    const key = touch.target.closest('[data-set]');
    if (key) {
      window.keep(key.dataset.set, key.dataset.to);
      document.dispatchEvent(new CustomEvent('set', { detail: key.dataset.set }));
      press();
    }
  });
  document.addEventListener('set', press);
  document.addEventListener('DOMContentLoaded', press);
})();
