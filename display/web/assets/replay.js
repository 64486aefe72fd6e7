'use strict';

// Goes through a past round. Every step is a page of its own, and of another page only what
// differs is put in place, so that nothing flickers. It plays the round at the speed at which
// it went, or a step after the other.
(() => {
  const quick = 700; // ms that a step is shown
  let playing = ''; // the speed, "" while it stands still
  let timer;
  let asked = 0; // counts the steps that were asked for: of these, only the last is shown

  const way = (name) => document.getElementById(name);

  function pause() {
    playing = '';
    clearTimeout(timer);
    mark();
  }

  function mark() {
    for (const key of document.querySelectorAll('[data-speed]')) {
      const is = key.dataset.speed === playing;
      key.setAttribute('aria-pressed', String(is));
      key.classList.toggle('chosen', is);
    }
  }

  // show fetches a step, and puts it in the place of the one before.
  async function show(where) {
    const mine = ++asked;
    clearTimeout(timer);
    let answer;
    try {
      answer = await fetch(where);
    } catch {
      pause(); // the line at the bottom says that the table is out of reach
      return;
    }
    if (!answer.ok || answer.redirected) {
      location.assign(where);
      return;
    }
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    if (mine !== asked) {
      return;
    }
    const focused = document.activeElement?.id;
    document.getElementById('table').replaceWith(page.getElementById('table'));
    history.replaceState(null, '', where);
    document.dispatchEvent(new Event('table'));
    document.getElementById(focused || 'happened')?.focus({ preventScroll: true });
    if (!way('to-forward')) {
      playing = '';
    }
    mark();
    wait();
  }

  function wait() {
    if (!playing) {
      return;
    }
    const real = Number(document.getElementById('table').dataset.wait);
    timer = setTimeout(() => show(way('to-forward').href), playing === 'real' ? real : quick);
  }

  document.addEventListener('click', (touch) => {
    const key = touch.target.closest('#ways a, [data-speed]');
    if (!key) {
      return;
    }
    touch.preventDefault();
    if (key.href) {
      pause();
      show(key.href);
      return;
    }
    const speed = playing === key.dataset.speed ? '' : key.dataset.speed;
    pause();
    playing = speed;
    mark();
    wait();
  });

  document.addEventListener('keydown', (press) => {
    if (press.ctrlKey || press.altKey || press.metaKey) {
      return;
    }
    const name = press.key === ' ' ? 'Space' : press.key;
    const key = document.querySelector(`#table [aria-keyshortcuts="${CSS.escape(name)}"]`);
    if (key) {
      press.preventDefault();
      key.click();
    }
  });

  way('happened').focus({ preventScroll: true });
})();
