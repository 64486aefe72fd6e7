'use strict';

// The dialogue in which a supervisor corrects the round: what is wrong, which card, key or
// stake, what is right. Before anything is put in, the table says what it will change.
(() => {
  // paths are the questions, by the correction.
  const paths = {
    rename: ['what', 'card', 'name', 'preview'],
    move: ['what', 'card', 'place', 'preview'],
    'take-back': ['what', 'key', 'preview'],
    stake: ['what', 'stake', 'amount', 'preview'],
    came: ['what', 'name', 'before', 'preview'],
    missed: ['what', 'card', 'preview'],
    refill: ['what', 'preview'],
    dead: ['what', 'dead', 'fate', 'preview'],
    'end-shoe': ['what', 'preview'],
  };

  let given = {}; // what was answered
  let step = 'what';
  let rank = '';
  let money = '';
  let changes = null; // what the table said of the correction
  let asked = 0;
  let moment = '';

  const sheet = () => document.getElementById('sheet-correct');

  // line is the correction as the table takes it.
  function line() {
    const [common] = JSON.parse(sheet().dataset.line);
    const { by, reason } = common;
    return { in: 'correct', ...given, ...(by && { by }), ...(reason && { reason }) };
  }

  function path() {
    return paths[given.what] ?? ['what'];
  }

  function begin() {
    given = {};
    step = 'what';
    rank = '';
    money = '';
    changes = null;
    asked += 1;
  }

  async function preview() {
    asked += 1;
    const mine = asked;
    changes = null;
    let said;
    try {
      const response = await fetch('/correct', {
        method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(line()),
      });
      said = await response.json();
    } catch {
      said = { changes: [document.getElementById('toast').dataset.notSent], refused: true };
    }
    if (mine === asked) {
      changes = said.error ? { changes: [window.sabot.why(said)], refused: true } : said;
      draw();
    }
  }

  function next() {
    step = path()[path().indexOf(step) + 1];
    if (step === 'preview') {
      preview();
    }
    draw();
  }

  function draw() {
    const now = sheet();
    if (!now) {
      return;
    }
    const title = now.querySelector(`[data-step="${step}"]`).dataset.title;
    now.querySelector('header h2').textContent = title ?? now.getAttribute('aria-label');
    for (const one of now.querySelectorAll('[data-step]')) {
      one.hidden = one.dataset.step !== step;
    }
    for (const key of now.querySelectorAll('[data-is]')) {
      key.setAttribute('aria-pressed', String(key.dataset.is === rank));
    }
    for (const suits of now.querySelectorAll('[data-suits]')) {
      suits.hidden = suits.dataset.suits !== rank;
    }
    now.querySelector('.entry b').textContent = money.replace('.', now.dataset.point);
    now.querySelector('[data-money="enter"]').disabled = !money;
    now.querySelector('[data-back]').hidden = step === 'what';
    const list = now.querySelector('.changes');
    list.replaceChildren(...(changes?.changes ?? ['…']).map((text) => {
      const item = document.createElement('li');
      item.textContent = text;
      return item;
    }));
    list.classList.toggle('refused', Boolean(changes?.refused));
    const does = now.querySelector('.do');
    does.disabled = !changes || Boolean(changes.refused);
    does.dataset.put = JSON.stringify([line()]);
  }

  const amounts = () => window.amounts(sheet().dataset.money);

  function type(what) {
    if (what === 'enter') {
      given.amount = amounts().minor(money);
      next();
    } else if (what === 'back') {
      money = money.slice(0, -1);
    } else if (amounts().takes(money, what)) {
      money += what;
    }
    draw();
  }

  document.addEventListener('click', (touch) => {
    const key = touch.target.closest('#sheet-correct button');
    if (!key) {
      return;
    }
    const data = key.dataset;
    if (data.what) {
      given = { what: data.what };
      next();
    } else if ('back' in data) {
      step = path()[path().indexOf(step) - 1];
      changes = null;
      draw();
    } else if (data.is) {
      rank = data.is;
      const alone = sheet().querySelectorAll(`[data-suits="${rank}"] button`);
      if (alone.length === 1) {
        given.card = alone[0].dataset.named;
        next();
      }
      draw();
    } else if (data.named) {
      given.card = data.named;
      next();
    } else if (data.money) {
      type(data.money);
    } else if (data.before) {
      delete given.nth;
      if (data.before !== '0') {
        given.nth = Number(data.before);
      }
      next();
    } else if (data.dead) {
      [given] = JSON.parse(data.dead);
      next();
    } else if (data.fate) {
      delete given.outcome;
      if (data.fate === 'lose') {
        given.outcome = 'lose';
      }
      next();
    } else if (data.bettor) {
      Object.assign(given, { box: Number(data.box), bettor: data.bettor, wager: data.wager });
      money = '';
      next();
    } else if (data.to) {
      given.to = data.to;
      delete given.box;
      delete given.hand;
      if (data.to === 'box') {
        Object.assign(given, { box: Number(data.box), hand: Number(data.hand) });
      }
      next();
    } else if (data.nth) {
      given.nth = Number(data.nth);
      rank = '';
      next();
    }
  });

  document.addEventListener('sheet', (event) => {
    if (event.detail.name === 'correct') {
      begin();
      draw();
    }
  });

  // A new picture of the same moment: what was answered stays answered.
  document.addEventListener('table', () => {
    const now = document.getElementById('keys')?.dataset.moment ?? '';
    if (now !== moment) {
      moment = now;
      begin();
    }
    draw();
  });
})();
