'use strict';

// A supervisor's adjustment of a past round: a wager, an amount that is paid or taken, a reason, and who it is. A PIN is in
// this script's memory alone, as long as it is being typed.
(() => {
  const steps = document.getElementById('steps');
  const said = steps.querySelector('.said');
  let input; // what is put in, as far as it is known
  let of = ''; // in words
  let figures = '';
  let name = '';
  let pin = '';
  let busy = false;

  const step = (what) => steps.querySelector(`[data-step="${what}"]`);
  const names = () => [...steps.querySelectorAll('[data-name]')];

  function show(what) {
    for (const one of steps.querySelectorAll('[data-step]')) {
      one.hidden = one.dataset.step !== what;
    }
    said.textContent = '';
    paint();
  }

  const { money, takes, minor: inMinor } = window.amounts(steps.dataset.money);
  const minor = () => inMinor(figures);

  function paint() {
    step('amount').querySelector('[data-of]').textContent = of;
    step('amount').querySelector('.entry b').textContent = money(minor());
    for (const way of steps.querySelectorAll('[data-way]')) {
      way.disabled = minor() === 0;
    }
    const sum = step('pin')?.querySelector('[data-of]');
    if (sum && input) {
      sum.textContent = `${of} ${input.amount < 0 ? '−' : '+'} ${money(Math.abs(input.amount))}`;
    }
    const entry = step('pin')?.querySelector('.entry b');
    if (entry) {
      entry.textContent = '●'.repeat(pin.length);
      step('pin').querySelector('[data-enter]').disabled = busy || !pin || !name;
    }
    for (const one of names()) {
      one.setAttribute('aria-pressed', String(one.dataset.name === name));
    }
  }

  function type(figure) {
    if (figure === 'back') {
      figures = figures.slice(0, -1);
    } else if (takes(figures, figure)) {
      figures += figure;
    }
  }

  // why says in the page's words why it was not taken, or in the table's.
  function why(answer) {
    const word = answer.rejected && steps.querySelector(`[data-refusal="${CSS.escape(answer.rejected)}"]`);
    return answer.refused === 'too-often' ? steps.dataset.tooOften : word?.textContent || answer.error || answer.rejected || answer.refused;
  }

  // put sends the adjustment; where nobody is proven without it, it asks for a PIN.
  async function put() {
    const given = pin ? { name, pin } : {};
    pin = '';
    busy = true;
    paint();
    let answer;
    try {
      const response = await fetch('/touch', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ moment: '', put: [{ ...input, by: name }], ...given }),
      });
      answer = await response.json();
    } catch {
      answer = { error: steps.dataset.notSent };
    }
    busy = false;
    if (answer.refused === 'needs-pin' && step('pin')) {
      show('pin');
    } else if (answer.refused === 'wrong-pin') {
      paint();
      said.textContent = `✕ ${step('pin').dataset.wrong}`;
    } else if (answer.error || answer.rejected || answer.refused) {
      paint();
      said.textContent = why(answer);
    } else {
      document.getElementById('back').click();
    }
  }

  document.addEventListener('click', (touch) => {
    const key = touch.target.closest('main button');
    const data = key?.dataset ?? {};
    if (!key || busy) {
      return;
    }
    if (data.base) {
      input = JSON.parse(data.base);
      of = key.querySelector('b').textContent;
      show('amount');
    } else if (data.figure) {
      type(data.figure);
      paint();
    } else if (data.way) {
      input.amount = minor() * Number(data.way);
      show('reason');
    } else if (data.reason) {
      input.reason = data.reason;
      name = names().length === 1 ? names()[0].dataset.name : '';
      put();
    } else if (data.name) {
      name = data.name;
      pin = '';
      paint();
    } else if (data.pin) {
      pin = data.pin === 'back' ? pin.slice(0, -1) : (pin + data.pin).slice(0, 12);
      paint();
    } else if ('enter' in data) {
      put();
    }
  });

  window.addEventListener('pagehide', () => { pin = ''; });
})();
