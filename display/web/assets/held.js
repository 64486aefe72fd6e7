'use strict';

// While the round is held: the focus goes to what puts it right, a card is named by its
// rank and then by itself, and what ends by itself is counted down.
(() => {
  let held = ''; // the moment of the hold that is on the screen
  let rank = ''; // the rank that was touched

  const choices = () => document.querySelector('#keys.held');

  // A new hold closes what was being asked: it is of another moment.
  function look() {
    const now = choices()?.dataset.moment ?? '';
    if (now !== held) {
      held = now;
      rank = '';
      window.sabot.open('');
      choices()?.focus({ preventScroll: true });
    }
    choose();
    count();
  }

  function choose() {
    const sheet = document.getElementById('sheet-cards');
    if (!sheet) {
      return;
    }
    for (const key of sheet.querySelectorAll('[data-rank]')) {
      key.setAttribute('aria-pressed', String(key.dataset.rank === rank));
    }
    for (const suits of sheet.querySelectorAll('[data-of]')) {
      suits.hidden = suits.dataset.of !== rank;
    }
    sheet.querySelector('[data-without]').hidden = Boolean(rank);
    sheet.querySelector('[data-with]').hidden = !rank;
  }

  // count writes how long something still lasts, as 0:42, or when it was.
  function count() {
    for (const time of document.querySelectorAll('time[data-until]')) {
      const left = Math.max(0, Math.ceil((Date.parse(time.dataset.until) - Date.now()) / 1000));
      const said = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`;
      if (time.textContent !== said) {
        time.textContent = said;
      }
    }
    for (const time of document.querySelectorAll('time[data-at]:empty')) {
      time.textContent = new Date(time.dataset.at).toLocaleTimeString(document.documentElement.lang, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
    }
  }

  document.addEventListener('click', (touch) => {
    const key = touch.target.closest('[data-rank]');
    if (key) {
      rank = key.dataset.rank;
      choose();
    }
  });

  document.addEventListener('sheet', (event) => {
    rank = event.detail.name === 'cards' ? rank : '';
    choose();
  });

  document.addEventListener('table', look);
  setInterval(count, 250);
  look();
})();
