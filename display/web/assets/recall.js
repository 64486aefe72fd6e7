'use strict';

// A past round does not change: this keeps the line at the bottom true, which says
// what the table wants meanwhile, and takes keys.
(() => {
  const now = document.getElementById('now');
  const headline = now.querySelector('b');
  let prompt = headline.textContent;

  function take(markup) {
    const sent = document.createElement('template');
    sent.innerHTML = markup;
    if (sent.content.querySelector('[data-build="over"]')) {
      location.reload();
      return true;
    }
    const section = sent.content.querySelector('#prompt');
    if (section) {
      prompt = section.querySelector('h1').textContent;
      now.classList.toggle('stop', section.classList.contains('stop'));
    }
    return true;
  }

  function lost(is) {
    now.classList.toggle('gone', is);
    headline.textContent = is ? now.dataset.lost : prompt;
  }

  const ways = { Escape: 'back', ArrowLeft: 'earlier', ArrowRight: 'later', l: 'list', r: 'replay', s: 'sheet' };
  document.addEventListener('keydown', (press) => {
    const way = document.getElementById(ways[press.key.length === 1 ? press.key.toLowerCase() : press.key] ?? '');
    if (way && !press.ctrlKey && !press.altKey && !press.metaKey) {
      press.preventDefault();
      way.click();
    }
  });

  document.getElementById('steps')?.focus({ preventScroll: true });
  window.follow(take, lost);
})();
