'use strict';

// Who stands at the table: the pad for a supervisor's PIN, and the one for a dealer's
// name. A PIN is in this script's memory alone, as long as its pad is open; the page
// shows dots.
(() => {
  const most = { pin: 12, dealer: 32 };
  const idle = 20000; // ms without a touch after which what was typed is forgotten

  let pad = ''; // the pad that is open: pin or dealer
  let typed = '';
  let name = ''; // whose PIN
  let asked; // what the pad was opened for
  let busy = false;
  let said = ''; // what came of the last try
  let forget;

  const sheet = () => (pad ? document.getElementById(`sheet-${pad}`) : null);
  const moment = () => document.getElementById('keys').dataset.moment;

  function type(text) {
    typed = text.slice(0, most[pad]);
    clearTimeout(forget);
    forget = setTimeout(() => type(''), idle);
    say('');
    paint();
  }

  function say(what) {
    said = what;
    for (const place of document.querySelectorAll('.said')) {
      if (place.textContent !== what) {
        place.textContent = what;
      }
    }
  }

  // paint says on the pad what this script knows; the table may have drawn it anew.
  function paint() {
    const on = sheet();
    if (!on) {
      return;
    }
    say(said);
    const names = [...on.querySelectorAll('[data-name]')];
    if (names.length === 1) {
      name = names[0].dataset.name;
    }
    for (const one of names) {
      one.setAttribute('aria-pressed', String(one.dataset.name === name));
    }
    const entry = on.querySelector('.entry b');
    if (entry) {
      entry.textContent = pad === 'pin' ? '●'.repeat(typed.length) : typed;
    }
    const enter = on.querySelector('.enter');
    if (enter) {
      enter.disabled = busy || !typed || (pad === 'pin' && !name);
    }
    if (pad === 'pin') {
      on.querySelector('.enter b')?.replaceChildren(asked?.label ?? '');
      const then = on.querySelector('.then');
      if (then) {
        then.textContent = then.dataset.text.replace('{what}', asked?.label ?? '');
      }
    }
  }

  async function post(path, body) {
    try {
      const response = await fetch(path, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      });
      return { ok: response.ok, ...await response.json() };
    } catch {
      window.sabot.say(document.getElementById('toast').dataset.notSent);
      return null;
    }
  }

  // sent posts what was typed, and forgets it first. While it waits nothing more is
  // sent.
  async function sent(path, body) {
    busy = true;
    type('');
    const answer = await post(path, body);
    busy = false;
    paint();
    return answer;
  }

  // enterPIN puts in what the pad was opened for, with the PIN: it is for that alone. While it waits nothing more is
  // sent: each PIN counts as a try.
  async function enterPIN() {
    const what = asked;
    if (!what?.put) {
      return;
    }
    const given = { name, pin: typed };
    const inputs = JSON.parse(what.put).map((one) => (one.by === '' ? { ...one, by: name } : one));
    busy = true;
    type('');
    let answer;
    try {
      answer = await window.sabot.send(JSON.stringify(inputs), what.moment, given);
    } catch {
      window.sabot.say(document.getElementById('toast').dataset.notSent);
    }
    busy = false;
    paint();
    if (answer?.refused) {
      say(refusal(answer));
    } else if (answer) {
      if (asked === what) {
        window.sabot.open('');
      }
      window.sabot.came(answer);
    }
  }

  function refusal(answer) {
    const words = sheet()?.dataset;
    switch (words && answer.refused) {
      case 'wrong-pin':
        return `✕ ${words.wrong} – ${answer.left === 1 ? words.leftOne : words.left.replace('{n}', answer.left)}`;
      case 'locked-out':
        // At the table's own screens the name itself says until when.
        return !('elsewhere' in document.documentElement.dataset) ? `✕ ${words.wrong}`
          : `✕ ${words.locked} ${Math.floor(answer.wait / 60)}:${String(answer.wait % 60).padStart(2, '0')}`;
      case 'busy':
        return words.busy;
      case 'needs-key':
        return sheet().querySelector('.turn')?.textContent ?? '';
    }
    return window.sabot.why(answer);
  }

  async function enterDealer() {
    const answer = await sent('/dealer', { name: typed });
    if (answer?.ok) {
      window.sabot.open('');
    } else if (answer) {
      say(window.sabot.why(answer));
    }
  }

  // A choice is gone with its moment, and so is the pad that was opened for it.
  document.addEventListener('sheet', ({ detail }) => {
    if (pad === 'pin' && asked?.put && asked.moment && asked.moment !== moment()) {
      window.sabot.say(document.getElementById('toast').dataset.movedOn);
    }
    pad = detail.name in most ? detail.name : '';
    const key = detail.by?.dataset;
    asked = key && { label: key.label ?? '', put: key.put, moment: 'always' in key ? '' : moment() };
    name = '';
    type('');
  });

  document.addEventListener('table', paint);

  document.addEventListener('click', (touch) => {
    const key = touch.target.closest('button')?.dataset ?? {};
    if (key.post) {
      post(key.post, {});
      window.sabot.open('');
    } else if (key.digit ?? key.sign) {
      type(typed + (key.digit ?? key.sign));
    } else if ('clears' in key) {
      type(key.clears === 'all' ? '' : typed.slice(0, -1));
    } else if (key.name) {
      name = key.name;
      type('');
    } else if (key.enters === 'pin') {
      enterPIN();
    } else if (key.enters === 'dealer') {
      enterDealer();
    }
  });

  window.addEventListener('pagehide', () => type(''));
})();
