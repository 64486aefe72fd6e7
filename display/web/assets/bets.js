'use strict';

// The trays in which stakes are entered. Which box, guest and wager is chosen is this
// screen's own; what lies there is the table's. A chip adds to what lies there, and the
// whole new amount is put in, chip after chip, in the order of the touches. What lies there
// as in the last round, or as on the box before, is drawn as carried, and the first chip
// replaces it. Below the minimum, or between two steps, an amount is only being entered: it
// is on this screen alone, and the screen says so.
(() => {
  const chosen = { box: '', guest: '', wager: '' };
  // Amounts that the table does not show, or not yet, by box, guest and wager: have is
  // what lies there or is being entered, steps what each touch makes of it that is on its way,
  // sent what was put in, and table what the table showed last.
  const entries = new Map();
  // The main stake that was entered last, of a box's first guest: the next box that is played
  // gets the same. laid are those that it was put on, with the box that it came from.
  let stack;
  const laid = new Map();
  const settled = new Set(); // what somebody has said on this screen, so that chips add to it
  let figures = ''; // what was typed of an amount
  let turn = Promise.resolve(); // the chips before
  let waiting = 0; // how many of them
  let said = { id: '', text: '' }; // why the last chip was not taken
  let focused = '';

  const bets = () => document.getElementById('bets');
  let of = bets().dataset.of; // the bets that all of this is of
  const tray = () => document.querySelector(`[data-tray="${chosen.box}"]`);
  const idOf = (key) => `${key.closest('[data-tray]').dataset.tray}/${key.dataset.key}`;
  const lies = (key) => Math.max(0, Number(key.dataset.amount));
  const shown = (entry) => entry.steps.reduce((have, step) => step(have), entry.have);

  function keyOf(id) {
    const at = id.indexOf('/');
    const name = CSS.escape(id.slice(at + 1));
    return document.querySelector(`[data-tray="${id.slice(0, at)}"] .wager[data-key="${name}"]`);
  }

  // The wager that chips are added to.
  function entered() {
    const guest = CSS.escape(chosen.guest);
    return tray()?.querySelector(`.wager[data-chips][data-guest="${guest}"][data-wager="${chosen.wager}"]`);
  }

  const amounts = () => window.amounts(bets().dataset.money);
  const money = (minor) => amounts().money(minor);

  // lacks says what is wrong with an amount that cannot be put in yet, '' where it can.
  function lacks(key, amount) {
    if (amount < Number(key.dataset.least)) {
      return key.dataset.below;
    }
    return amount % Number(key.dataset.step) === 0 ? '' : key.dataset.uneven;
  }

  // carried says whether the first chip replaces what lies there.
  function carried(key) {
    const id = idOf(key);
    return !settled.has(id) && lies(key) > 0 && ('carried' in key.dataset || laid.get(id)?.amount === lies(key));
  }

  function entryOf(key) {
    const id = idOf(key);
    if (!entries.has(id)) {
      entries.set(id, { have: lies(key), table: lies(key), steps: [], sent: [] });
    }
    return entries.get(id);
  }

  // after does one thing after the other, and nothing any more for bets that are closed by then.
  function after(what) {
    const meant = bets().dataset.of;
    waiting += 1;
    turn = turn.then(() => bets().dataset.of === meant && what()).catch(() => window.sabot.say(document.getElementById('toast').dataset.notSent)).then(() => {
      waiting -= 1;
      settle();
      paint();
    });
  }

  // enter makes another amount of what lies there by then, or of nothing where it replaces that.
  function enter(step, replaces) {
    const key = entered();
    const entry = entryOf(key);
    const { chips } = key.dataset;
    const id = idOf(key);
    said = { id: '', text: '' };
    settled.add(id);
    entry.steps.push(step);
    after(async () => {
      const amount = step(entry.have);
      const input = { ...JSON.parse(chips), amount };
      try {
        if (lacks(keyOf(id) ?? key, amount)) {
          entry.have = amount;
        } else if (entry.sent.push(amount) && await taken(id, input)) {
          entry.have = amount;
          stacked(input);
        } else if (replaces) {
          settled.delete(id);
        }
      } finally {
        entry.steps.shift();
      }
    });
    paint();
  }

  // stacked keeps a main stake of a box's first guest in the hand.
  function stacked({ box, bettor, wager, amount }) {
    const holder = document.querySelector(`[data-tray="${box}"] .guest`)?.dataset.guest;
    if (wager === 'main' && bettor === holder) {
      stack = amount > 0 ? { box, amount } : undefined;
    }
  }

  // lays is what a touch of a box puts in that nobody plays: what is in the hand, if anything.
  function lays(key) {
    if (!key.dataset.lays || !stack) {
      return key.dataset.put;
    }
    const input = { ...JSON.parse(key.dataset.lays), amount: stack.amount };
    laid.set(`${input.box}/${input.bettor}/main`, { ...stack });
    return JSON.stringify([input]);
  }

  function chip(value) {
    const key = entered();
    if (key) {
      figures = '';
      const replaces = carried(key);
      enter((have) => (replaces ? 0 : have) + value, replaces);
    }
  }

  // inMinor is what figures come to.
  const inMinor = (typed) => amounts().minor(typed);

  // type completes an amount in figures, of which the first replaces what lies there, or takes the last of them back.
  function type(sign) {
    const key = entered();
    if (!key) {
      return;
    }
    const before = figures;
    figures = sign === 'back' ? before.slice(0, -1) : before + sign;
    if (figures === '') {
      clear();
    } else if (inMinor(figures) === inMinor(before) && before !== '') {
      paint(); // a point, or a nought behind it
    } else {
      const amount = inMinor(figures);
      enter(() => amount, before === '');
    }
  }

  async function taken(id, input) {
    const answer = await window.sabot.send(JSON.stringify([input]));
    if (answer.rejected || answer.error) {
      said = { id, text: reason(answer.rejected) || window.sabot.why(answer) };
      return false;
    }
    return true;
  }

  function reason(name) {
    return bets().querySelector(`[data-reason="${name}"]`)?.textContent
      ?? (name === 'moved-on' ? document.getElementById('toast').dataset.movedOn : '');
  }

  // clear leaves a main stake as a mark, which keeps its place, and no other stake at all.
  function clear() {
    const key = entered();
    if (!key) {
      return;
    }
    const id = idOf(key);
    const { chips } = key.dataset;
    settled.add(id);
    figures = '';
    after(async () => {
      const entry = entries.get(id) ?? entryOf(keyOf(id) ?? key);
      const input = JSON.parse(chips);
      said = { id: '', text: '' };
      if (lies(keyOf(id) ?? key) !== 0 || entry.sent.length > 0) {
        entry.sent.push(0);
        if (!await taken(id, input.wager === 'main' ? input : { ...input, amount: 0 })) {
          return;
        }
      }
      entry.have = 0;
      stacked({ ...input, amount: 0 });
    });
  }

  // settle forgets what the table shows itself by now, and what another screen has changed.
  function settle() {
    if (waiting > 0 || !document.querySelector('[data-tray]')) {
      return;
    }
    for (const [id, entry] of entries) {
      const key = keyOf(id);
      const now = key && lies(key);
      if (now === entry.have || !(now === entry.table || entry.sent.includes(now))) {
        entries.delete(id);
      }
    }
  }

  function choose(box, guest, wager) {
    chosen.box = box;
    chosen.guest = guest ?? '';
    chosen.wager = wager ?? '';
    figures = '';
    said = { id: '', text: '' };
    paint();
  }

  // fill completes a choice with the first guest and the first wager that chips are for.
  function fill(here) {
    const all = [...here.querySelectorAll('.wager')];
    const guests = here.querySelectorAll('.guest').length > 0
      ? [...here.querySelectorAll('.guest')].map((key) => key.dataset.guest)
      : all.map((key) => key.dataset.guest);
    if (!guests.includes(chosen.guest)) {
      [chosen.guest, chosen.wager] = [guests[0], ''];
    }
    const theirs = all.filter((key) => key.dataset.guest === chosen.guest);
    if (!theirs.some((key) => key.dataset.wager === chosen.wager)) {
      chosen.wager = (theirs.find((key) => key.dataset.chips) ?? theirs[0])?.dataset.wager ?? '';
    }
  }

  // paint shows the tray of the box that is chosen, with the choices of this screen.
  function paint() {
    const here = tray();
    for (const one of document.querySelectorAll('[data-tray]')) {
      one.hidden = one !== here;
      one.closest('.box').classList.toggle('chosen', one === here);
    }
    document.body.classList.toggle('staking', Boolean(here));
    document.body.classList.toggle('insuring', Boolean(here?.classList.contains('insures')));
    document.body.classList.toggle('chipless', Boolean(here && !here.classList.contains('chips')));
    bets().hidden = !here?.classList.contains('chips');
    marks();
    if (here) {
      fill(here);
      readOut(here);
      here.closest('.box').scrollIntoView({ block: 'nearest' });
    }
  }

  // marks writes amounts that the table does not show on their keys and boxes.
  function marks() {
    for (const key of document.querySelectorAll('.wager[data-chips]')) {
      const entry = entries.get(idOf(key));
      const amount = key.querySelector('em');
      key.dataset.text ??= amount.textContent;
      amount.textContent = entry ? money(shown(entry)) : key.dataset.text;
      key.classList.toggle('entering', Boolean(entry && shown(entry) > 0 && lacks(key, shown(entry))));
      const again = carried(key);
      key.classList.toggle('carried', again);
      key.closest('.box').querySelector(`li[data-stake="${CSS.escape(key.dataset.key)}"]`)?.classList.toggle('carried', again);
    }
    for (const key of document.querySelectorAll('.whole')) {
      delete key.dataset.next;
      if (key.dataset.again) {
        key.dataset.next = `↺ ${key.dataset.again}`;
      } else if (key.dataset.lays && stack) {
        key.dataset.next = `+ ${money(stack.amount)}`;
      }
    }
    for (const box of document.querySelectorAll('.box')) {
      box.classList.toggle('entering', Boolean(box.querySelector('.wager.entering')));
    }
  }

  function readOut(here) {
    const key = entered();
    const entry = key && entries.get(idOf(key));
    const guest = here.querySelector(`.guest[data-guest="${CSS.escape(chosen.guest)}"] span`);
    const wager = here.querySelector(`.wager[data-guest="${CSS.escape(chosen.guest)}"][data-wager="${chosen.wager}"]`);
    const name = guest && !guest.closest('.joins') ? guest.textContent : chosen.guest;
    here.querySelector('[data-whose]').textContent = ` · ${name} · ${wager?.querySelector('span').textContent ?? ''}`;
    const sum = here.querySelector('[data-sum]');
    sum.textContent = entry ? money(shown(entry)) : (wager?.querySelector('b')?.textContent.trim() || '–');
    sum.classList.toggle('none', !entry && wager?.dataset.amount === '-1');
    if (sum.classList.contains('none')) {
      sum.textContent = sum.dataset.none;
    }
    here.querySelector('[data-limits]').textContent = wager?.dataset.limits ?? '';
    const amount = entry ? shown(entry) : 0;
    const lack = key && amount > 0 ? lacks(key, amount) : '';
    here.classList.toggle('entering', Boolean(lack));
    const told = (key && said.id === idOf(key) && said.text) || lack || (key && carried(key) ? likeWhat(key) : '');
    here.classList.toggle('carries', Boolean(key && carried(key)));
    const place = here.querySelector('[data-said]');
    if (place.textContent !== told) {
      place.textContent = told;
    }
    for (const one of here.querySelectorAll('[data-of]')) {
      one.hidden = one.dataset.of !== chosen.guest;
    }
    press(here.querySelectorAll('.guest'), (one) => one.dataset.guest === chosen.guest);
    press(here.querySelectorAll('.wager[data-chips]'), (one) => one === key);
    arrows([...here.querySelectorAll('.guest')]);
    const chips = [...bets().querySelectorAll('.chip')];
    const even = key && chips.some((chip) => Number(chip.dataset.value) % Number(key.dataset.step) === 0);
    const there = key && !carried(key) ? (entry ? shown(entry) : lies(key)) : 0;
    for (const chip of chips) {
      const value = Number(chip.dataset.value);
      chip.disabled = !key || there + value > Number(key.dataset.room) || (even && value % Number(key.dataset.step) !== 0);
    }
    digits(key);
  }

  // digits greys the figures that would lead above what there is room for.
  function digits(key) {
    const point = figures.indexOf('.');
    const whole = !key || Number(key.dataset.step) % amounts().unit === 0;
    for (const one of bets().querySelectorAll('.digit')) {
      const { digit } = one.dataset;
      const amount = inMinor(figures + digit);
      const signs = { back: figures === '', '.': figures === '' || point >= 0 || whole };
      const more = amount === 0 || amount > Number(key?.dataset.room) || !amounts().takes(figures, digit);
      one.disabled = !key || (signs[digit] ?? more);
    }
    for (const one of document.querySelectorAll('[data-bets="pad"]')) {
      one.setAttribute('aria-pressed', String(inFigures));
    }
    document.body.classList.toggle('figures', inFigures);
  }

  // Whether amounts are entered in figures or by chips is this screen's own, and stays.
  let inFigures = remembered();

  function remembered() {
    try {
      return localStorage.getItem('sabot-figures') === 'yes';
    } catch {
      return false; // a browser that keeps nothing
    }
  }

  function pad() {
    inFigures = !inFigures;
    try {
      localStorage.setItem('sabot-figures', inFigures ? 'yes' : '');
    } catch {
      // it holds until the page is loaded again
    }
    figures = '';
    paint();
  }

  // likeWhat says where a carried stake comes from.
  function likeWhat(key) {
    const from = laid.get(idOf(key));
    return from ? bets().dataset.laid.replace('{box}', from.box) : bets().dataset.carried;
  }

  function press(keys, is) {
    for (const key of keys) {
      key.classList.toggle('chosen', is(key));
      key.setAttribute('aria-pressed', String(is(key)));
    }
  }

  // The arrows go to the guests beside the one who is chosen.
  function arrows(guests) {
    const at = guests.findIndex((key) => key.dataset.guest === chosen.guest);
    guests.forEach((key, i) => {
      const usual = key.classList.contains('joins') ? '+' : '';
      const arrow = { [at - 1]: 'ArrowLeft', [at + 1]: 'ArrowRight' }[i] ?? '';
      key.setAttribute('aria-keyshortcuts', usual || arrow);
    });
  }

  function act(key) {
    switch (key.dataset.bets) {
      case 'chip': return chip(Number(key.dataset.value));
      case 'digit': return type(key.dataset.digit);
      case 'pad': return pad();
      case 'clear': return clear();
      case 'close': return choose('');
      case 'guest': return choose(chosen.box, key.dataset.guest);
    }
    if (key === entered()) {
      settled.add(idOf(key)); // touched once more, what is carried stays, and chips add to it
    }
    return choose(chosen.box, key.dataset.guest, key.dataset.wager);
  }

  // A key of a tray acts when it is touched, not when it is let go: by then the table may
  // have drawn it anew. A keyboard has no such moment.
  document.addEventListener('pointerdown', (touch) => {
    const key = touch.target.closest('[data-bets]:not(:disabled)');
    if (key && touch.button === 0 && key.dataset.bets !== 'close') {
      act(key);
    }
  });

  document.addEventListener('click', (touch) => {
    const key = touch.target.closest('button');
    if (touch.defaultPrevented || !key) {
      return;
    }
    if (key.dataset.bets && (touch.detail === 0 || key.dataset.bets === 'close')) {
      act(key);
    } else if (key.dataset.opens?.startsWith('tray-')) {
      const box = key.dataset.opens.slice('tray-'.length);
      choose(box === chosen.box ? '' : box);
    }
    if (key.dataset.key === 'back') {
      forget(chosen.box);
      choose('');
    }
  });

  function forget(box) {
    if (stack && String(stack.box) === box) {
      stack = undefined;
    }
    for (const id of [...settled].filter((one) => one.startsWith(`${box}/`))) {
      settled.delete(id);
    }
    for (const id of [...entries.keys()].filter((one) => one.startsWith(`${box}/`))) {
      entries.delete(id);
    }
  }

  // unfinished is an amount that is being entered, as box and money.
  function unfinished() {
    for (const [id, entry] of entries) {
      const key = keyOf(id);
      if (shown(entry) > 0 && key && lacks(key, shown(entry))) {
        return { id, box: id.slice(0, id.indexOf('/')), guest: key.dataset.guest, wager: key.dataset.wager, amount: money(shown(entry)) };
      }
    }
    return undefined;
  }

  const fillIn = (text, what) => text.replace('{box}', what.box).replace('{amount}', what.amount);

  // Before anything else is put in, the chips are: a key waits for them, and does nothing once one
  // is refused. And bets are not closed while an amount is being entered.
  document.addEventListener('click', (touch) => {
    const key = touch.target.closest('[data-put]');
    if (!key) {
      return;
    }
    const closes = ['close', 'insurance-closed'].includes(key.dataset.key);
    const left = closes && waiting === 0 && unfinished();
    if (left) {
      touch.stopImmediatePropagation();
      choose(left.box, left.guest, left.wager);
      window.sabot.say(fillIn(bets().dataset.finish, left));
    } else if (waiting > 0 && key.dataset.opens?.startsWith('tray-')) {
      touch.stopImmediatePropagation();
      plays(key);
    } else if (waiting > 0) {
      touch.stopImmediatePropagation();
      const { put } = key.dataset;
      turn.then(() => {
        if (said.text) {
          return window.sabot.say(said.text); // what it waited for is not in: whoever pressed has seen another amount
        }
        const again = [...document.querySelectorAll('[data-put]')].find((one) => one.dataset.put === put);
        return again ? again.click() : window.sabot.say(reason('moved-on'));
      });
    } else {
      key.dataset.put = lays(key);
    }
  }, true);

  // plays chooses a box at once, and puts in what a touch of it does once the chips before
  // are in: those that follow are meant for this box.
  function plays(key) {
    const box = key.dataset.opens.slice('tray-'.length);
    if (box !== chosen.box) {
      choose(box);
      after(async () => window.sabot.came(await window.sabot.send(lays(key))));
    }
  }

  document.addEventListener('focusin', (event) => {
    const key = event.target.closest('[data-tray] [data-key]');
    focused = key ? `[data-tray="${key.closest('[data-tray]').dataset.tray}"] [data-key="${CSS.escape(key.dataset.key)}"]` : '';
  });

  // A new picture of the table: the same is chosen as before, if it is still there.
  document.addEventListener('table', () => {
    if (bets().dataset.of !== of) {
      for (const [id, entry] of entries) {
        const amount = shown(entry);
        if (amount > 0 && amount !== entry.table && !entry.sent.includes(amount)) {
          window.sabot.say(fillIn(bets().dataset.lost, { box: id.slice(0, id.indexOf('/')), amount: money(amount) }));
        }
      }
      entries.clear();
      settled.clear();
      laid.clear();
      stack = undefined;
      chosen.box = '';
      of = bets().dataset.of;
    }
    settle();
    paint();
    if (focused && document.activeElement === document.body) {
      document.querySelector(focused)?.focus({ preventScroll: true });
    }
  });
})();
