'use strict';

// What is typed on the pages of practice, until it is sent. What is asked, and whether it was right, the server says.
(() => {
  const remarked = 6000; // ms for which a refusal is shown
  const all = (selector) => [...document.querySelectorAll(selector)];
  const who = document.body.dataset.who;
  const asked = document.querySelector('main').dataset;
  const seat = { Who: who, House: asked.house, Kind: asked.kind };

  let remark;
  function say(problem) {
    const said = document.getElementById('said');
    clearTimeout(remark);
    said.hidden = !problem;
    said.textContent = problem ? `✕ ${problem}` : '';
    if (problem) remark = setTimeout(() => { said.hidden = true; }, remarked);
  }

  let busy = false;
  async function post(path, body, then) {
    if (busy) return;
    busy = true;
    let problem = '';
    try {
      const answer = await fetch(`/bench/practice/${path}`, {
        method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body),
      });
      problem = (await answer.json()).error ?? '';
    } catch {
      problem = '…';
    }
    busy = false;
    if (problem) say(problem);
    else if (then) location.assign(then);
    else location.reload();
  }

  // An amount, digit by digit or chip by chip, with a point as it is sent.

  const amount = document.getElementById('amount');
  const digits = Number(amount?.dataset.digits); // decimals of the currency
  let text = '';

  function show() {
    amount.textContent = text.replace('.', amount.dataset.point) || '0';
    amount.classList.toggle('empty', !text);
  }

  function minor() {
    const [whole, part = ''] = text.split('.');
    return Number(whole || 0) * 10 ** digits + Number(part.padEnd(digits, '0') || 0);
  }

  function typed(digit) {
    const [, part = ''] = text.split('.');
    if (digit === 'clear') text = '';
    else if (digit === 'back') text = text.slice(0, -1);
    else if (digit === '.') text = text.includes('.') || digits === 0 ? text : `${text || '0'}.`;
    else if ((part.length < digits || !text.includes('.')) && text.length < 10) text = text === '0' ? digit : text + digit;
    show();
  }

  function chip(value) {
    const sum = minor() + value;
    if (sum > 9999999900) return;
    text = sum % 10 ** digits ? (sum / 10 ** digits).toFixed(digits) : String(sum / 10 ** digits);
    show();
  }

  function answer(given) {
    post('answer', { ...seat, Seed: asked.seed, Answer: given });
  }

  const chosen = () => all('[data-choice][aria-pressed=true]').map((button) => button.dataset.choice).join(',');

  // A name.

  const name = document.getElementById('name');

  function begin() {
    const entered = name.value.trim();
    if (entered) location.assign(`/bench/practice?who=${encodeURIComponent(entered)}`);
    else name.focus();
  }

  // A letter in the middle of a name is small.
  function letter(one) {
    if (!one) name.value = [...name.value].slice(0, -1).join('');
    else if ([...name.value].length < 30) name.value += /[\p{L}]$/u.test(name.value) ? one.toLowerCase() : one;
  }

  document.addEventListener('click', (event) => {
    const button = event.target.closest('button');
    if (!button) return;
    const { digit, chip: value, choice, letter: one, incident } = button.dataset;
    if (digit) typed(digit);
    else if (value) chip(Number(value));
    else if (choice && button.hasAttribute('aria-pressed')) button.setAttribute('aria-pressed', String(button.getAttribute('aria-pressed') !== 'true'));
    else if (choice) answer(choice);
    else if (incident) post('incident', { ...seat, Do: incident });
    else if ('answer' in button.dataset) answer(amount ? text || '0' : chosen());
    else if ('next' in button.dataset) post('next', seat);
    else if (one !== undefined) letter(one);
    else if ('begin' in button.dataset) begin();
    else if ('print' in button.dataset) print();
    else if ('forget' in button.dataset) button.nextElementSibling.hidden = false;
    else if ('delete' in button.dataset) post('delete', { Who: who }, '/bench/practice');
  });

  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.repeat) return;
    if (event.target === name) {
      if (event.key === 'Enter') begin();
      return;
    }
    const key = event.key === ',' ? '.' : event.key;
    if (key === 'Enter' && event.target.closest('button, a')) return;
    const button = all('[aria-keyshortcuts]').find((one) => one.getAttribute('aria-keyshortcuts') === key)
      ?? (key === 'Enter' ? document.querySelector('[data-next]') : null);
    if (button) {
      event.preventDefault();
      button.click();
    }
  });

  if (amount) show();

  // What goes wrong at the table: how far it is, and what the table says.

  const every = 400; // ms

  async function look() {
    try {
      const state = await (await fetch(`/bench/practice/incident?who=${encodeURIComponent(who)}`)).json();
      const [headline, detail] = [document.querySelector('#prompt strong'), document.querySelector('#prompt span')];
      document.getElementById('prompt').classList.toggle('stop', state.stop);
      if (headline.textContent !== state.headline) headline.textContent = state.headline;
      if (detail.textContent !== state.detail) detail.textContent = state.detail;
      if (state.stage !== asked.stage && !busy) {
        location.reload();
        return;
      }
    } catch {
      say('…');
    }
    setTimeout(look, every);
  }

  if ('stage' in asked) setTimeout(look, every);
})();
