'use strict';

// The sheet on which bettors are paid one by one. Another amount than is due is entered in chips or in figures, and put in as
// what was paid: the table decides whether that is right. For how much a hand is doubled is entered likewise.
(() => {
  let input = null; // what an amount completes
  let asked = '';
  let minor = 0;
  let figures = ''; // what was typed of an amount
  let moment = '';

  const sheet = () => document.querySelector('.pay-sheet');

  function begin() {
    input = null;
    minor = 0;
    figures = '';
  }

  function ask(data) {
    begin();
    input = JSON.parse(data.other);
    asked = data.asked;
  }

  const amounts = () => window.amounts(sheet().dataset.money);

  function type(what) {
    if (what === 'back') {
      figures = figures.slice(0, -1);
    } else if (amounts().takes(figures, what)) {
      figures += what;
    }
    minor = amounts().minor(figures);
  }

  function draw() {
    const now = sheet();
    if (!now) {
      return;
    }
    for (const one of now.querySelectorAll('[data-step]')) {
      one.hidden = (one.dataset.step === 'amount') !== Boolean(input);
    }
    now.querySelector('[data-back]').hidden = !input;
    now.querySelector('[data-step="amount"] [data-asked]').textContent = asked;
    now.querySelector('.entry b').textContent = amounts().money(minor);
    now.querySelector('.do').dataset.put = input ? JSON.stringify([{ ...input, amount: minor }]) : '';
  }

  document.addEventListener('click', (touch) => {
    const key = touch.target.closest('.pay-sheet button');
    if (!key) {
      return;
    }
    const data = key.dataset;
    if (data.other) {
      ask(data);
    } else if (data.lay) {
      figures = '';
      minor += Number(data.lay);
    } else if (data.pays) {
      type(data.pays);
    } else if ('back' in data) {
      begin();
    } else {
      return;
    }
    draw();
  });

  document.addEventListener('sheet', (event) => {
    const others = sheet()?.querySelectorAll('[data-other]') ?? [];
    if (event.detail.name === sheet()?.dataset.sheet) {
      begin();
      if (event.detail.name === 'less' && others.length === 1) {
        ask(others[0].dataset); // nobody has to be chosen
      }
      draw();
    }
  });

  // A new picture of the same moment: what was entered stays entered.
  document.addEventListener('table', () => {
    const now = document.getElementById('keys')?.dataset.moment ?? '';
    if (now !== moment) {
      moment = now;
      begin();
    }
    draw();
  });
})();
