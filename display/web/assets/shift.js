'use strict';

// Other limits, as they are typed: in the currency's own unit, without decimals. They are put
// in by the key that announces them, which a supervisor may have to be proven for first.
(() => {
  const most = 9; // digits
  let chosen = 'min';
  let typed = { min: '', max: '' };

  const sheet = () => document.getElementById('sheet-limits');

  // amount is what a limit would be, in minor units.
  function amount(which) {
    const { major, min, boxMax } = sheet().dataset;
    return typed[which] ? Number(typed[which]) * Number(major) : Number(which === 'min' ? min : boxMax);
  }

  // money writes an amount as the server's example is written.
  function money(minor) {
    return window.amounts(sheet().dataset.money).money(minor);
  }

  function lacks() {
    const { unit, below, uneven } = sheet().dataset;
    if (amount('min') < 1 || amount('max') < amount('min')) {
      return below;
    }
    return [amount('min'), amount('max')].some((one) => one % Number(unit) !== 0) ? uneven : '';
  }

  function paint() {
    const on = sheet();
    const key = on?.querySelector('[data-announces]');
    if (!key) {
      return;
    }
    for (const one of on.querySelectorAll('[data-limit]')) {
      one.setAttribute('aria-pressed', String(one.dataset.limit === chosen));
      one.querySelector('b').textContent = money(amount(one.dataset.limit));
    }
    const changed = amount('min') !== Number(on.dataset.min) || amount('max') !== Number(on.dataset.boxMax);
    const lack = changed ? lacks() : '';
    key.disabled = !changed || Boolean(lack);
    on.querySelector('.said').textContent = lack;
    const [input] = JSON.parse(key.dataset.announces);
    key.dataset.put = JSON.stringify([{ ...input, min: amount('min'), box_max: amount('max') }]);
  }

  function type(text) {
    typed[chosen] = text.slice(0, most).replace(/^0+/, '');
    paint();
  }

  document.addEventListener('click', (touch) => {
    const key = touch.target.closest('button')?.dataset ?? {};
    if (key.limit) {
      chosen = key.limit;
      typed[chosen] = '';
      paint();
    } else if (key.figure) {
      type(typed[chosen] + key.figure);
    } else if (key.drops) {
      type(key.drops === 'all' ? '' : typed[chosen].slice(0, -1));
    }
  });

  document.addEventListener('sheet', ({ detail }) => {
    if (detail.name !== 'pin') {
      typed = { min: '', max: '' };
      chosen = 'min';
    }
    paint();
  });
  document.addEventListener('table', paint);
})();

// Who deals, where dealers are proven: the pad for a PIN, and what came of a badge. A PIN is
// in this script's memory alone, as long as its pad is open; the page shows dots.
(() => {
  const most = 12; // digits
  const idle = 20000; // ms without a touch after which what was typed is forgotten
  let name = '';
  let pin = '';
  let said = '';
  let busy = false;
  let forget;

  const sheet = () => document.getElementById('sheet-relief');
  const isOpen = () => sheet() && !sheet().hidden;

  function paint() {
    const on = sheet();
    if (!on) {
      return;
    }
    const names = [...on.querySelectorAll('[data-dealer]')];
    for (const one of names) {
      one.setAttribute('aria-pressed', String(one.dataset.dealer === name));
    }
    const place = on.querySelector('.said');
    if (place.textContent !== said) {
      place.textContent = said;
    }
    const entry = on.querySelector('.entry b');
    if (entry) {
      entry.textContent = '●'.repeat(pin.length);
      on.querySelector('.enter').disabled = busy || !pin || !name;
    }
  }

  function type(text) {
    pin = text.slice(0, most);
    clearTimeout(forget);
    forget = setTimeout(() => type(''), idle);
    paint();
  }

  function refusal(answer) {
    const words = sheet()?.dataset ?? {};
    switch (answer.refused) {
      case 'wrong-pin':
        return `✕ ${words.wrong} – ${answer.left === 1 ? words.leftOne : words.left.replace('{n}', answer.left)}`;
      case 'locked-out':
        return `✕ ${words.locked} ${Math.floor(answer.wait / 60)}:${String(answer.wait % 60).padStart(2, '0')}`;
      case 'unknown-badge':
        return `✕ ${words.unknown}`;
      case 'round-running':
        return words.running;
      case 'busy':
        return words.busy;
    }
    return window.sabot.why(answer);
  }

  // came says why a PIN or a badge was not taken. Who deals is on the key.
  function came(answer) {
    said = answer.ok ? '' : refusal(answer);
    if (answer.ok) {
      if (isOpen()) {
        window.sabot.open('');
      }
    } else if (!isOpen()) {
      window.sabot.say(said);
    }
    paint();
  }

  async function enter() {
    const body = JSON.stringify({ name, pin });
    busy = true;
    type('');
    try {
      const response = await fetch('/dealer', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
      came({ ok: response.ok, ...await response.json() });
    } catch {
      window.sabot.say(document.getElementById('toast').dataset.notSent);
    }
    busy = false;
    paint();
  }

  document.addEventListener('click', (touch) => {
    const key = touch.target.closest('button')?.dataset ?? {};
    if (key.dealer) {
      name = key.dealer;
      said = '';
      type('');
    } else if (key.cipher) {
      said = '';
      type(pin + key.cipher);
    } else if (key.erases) {
      type(key.erases === 'all' ? '' : pin.slice(0, -1));
    } else if ('proves' in key) {
      enter();
    }
  });

  document.addEventListener('sheet', ({ detail }) => {
    if (detail.name !== 'relief') {
      name = '';
      said = '';
    }
    type('');
  });
  document.addEventListener('badge', ({ detail }) => came(detail));
  document.addEventListener('table', paint);
  window.addEventListener('pagehide', () => type(''));
})();
