'use strict';

// What a screen keeps for itself: its light, the colours of the suits, sounds and voice.
// It is loaded before the page is painted, so that nothing flashes. And its sleep: while
// no round runs and nobody touches it, it goes dark, and the touch that wakes it does
// nothing else.
(() => {
  const still = 10 * 60 * 1000; // ms without a touch or a change of the table until it sleeps
  const root = document.documentElement;
  let last = Date.now();

  function kept(name) {
    try {
      return localStorage.getItem(`sabot-${name}`);
    } catch {
      return null; // a browser that keeps nothing shows the usual
    }
  }

  function keep(name, to) {
    root.dataset[name] = to;
    try {
      localStorage.setItem(`sabot-${name}`, to);
    } catch {
      // It holds until the page is loaded again.
    }
  }

  function press() {
    for (const key of document.querySelectorAll('[data-set]')) {
      key.setAttribute('aria-pressed', String(root.dataset[key.dataset.set] === key.dataset.to));
    }
  }

  for (const [name, usual] of [['light', 'dark'], ['suits', 'two'], ['sound', 'off'], ['voice', 'off']]) {
    root.dataset[name] = kept(name) ?? usual;
  }

  function awake() {
    last = Date.now();
    root.classList.remove('asleep');
  }

  function touched(touch) {
    if (root.classList.contains('asleep')) {
      touch.preventDefault();
      touch.stopImmediatePropagation();
      if (touch.type === 'pointerdown') {
        return; // the click that follows wakes, so that it does not reach what lies below
      }
    }
    awake();
  }

  for (const kind of ['pointerdown', 'click', 'keydown']) {
    document.addEventListener(kind, touched, { capture: true });
  }
  document.addEventListener('table', awake);
  document.addEventListener('contextmenu', (menu) => menu.preventDefault());
  document.addEventListener('click', (touch) => {
    const key = touch.target.closest('[data-set]');
    if (key) {
      keep(key.dataset.set, key.dataset.to);
      press();
    }
  });
  document.addEventListener('DOMContentLoaded', press);

  setInterval(() => {
    const phase = document.getElementById('keys')?.dataset.phase;
    if (phase === 'idle' && Date.now() - last > still && document.getElementById('lost').hidden) {
      root.classList.add('asleep');
    }
  }, 1000);
})();
