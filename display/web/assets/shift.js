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
    const { money: example, major } = sheet().dataset;
    const [, thousands, , point] = example.split(/[0-9]+/);
    const whole = String(Math.floor(minor / major)).replace(/\B(?=([0-9]{3})+$)/g, thousands);
    return Number(major) === 1 ? whole : whole + point + String(minor % major).padStart(String(major).length - 1, '0');
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
