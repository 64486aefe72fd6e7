'use strict';

// The tray: what is counted, asked for, sold and changed. What is entered is this screen's own until all of it is put in
// at once; a count stays entered while its supervisor is asked for, until it was taken or somebody goes back.
(() => {
  const shown = 20000; // ms after which what only a supervisor sees is gone

  let act = null; // the data of the key that was touched
  let pieces = new Map(); // how many there are of a value: { hundreds, digits, done }
  let at = ''; // the value that is counted
  let given = null; // the chips that go out, once those that come in their place are counted
  let figures = ''; // what was typed of an amount
  let since = '';
  let told = ''; // what the supervisor who has counted may see
  let seen = false; // and has asked for
  let hides;

  const sheet = () => document.getElementById('sheet-float');
  const rows = () => [...sheet().querySelectorAll('[data-row]')];
  const back = () => act?.act === 'back'; // an amount that is taken back
  const asks = () => (back() ? 'amount' : act?.act ?? '');
  const number = (one) => (one ? 100 * one.hundreds + Number(one.digits || '0') : 0);
  const came = () => new Map(act.came.split(' ').map((one) => one.split('x')));

  function begin(on = null) {
    act = on;
    given = null;
    recount();
  }

  function recount() {
    pieces = new Map();
    figures = '';
    at = sheet() ? rows()[0]?.dataset.row ?? '' : '';
  }

  const amounts = () => window.amounts(sheet().dataset.money);
  const money = (amount) => amounts().money(amount);

  const worth = (chips) => chips.reduce((sum, one) => sum + one.value * one.n, 0);

  // entered are the values that were counted. Where each must be, none are a count, too.
  function entered() {
    const all = rows().map(({ dataset }) => ({ value: Number(dataset.row), n: number(pieces.get(dataset.row)) }));
    return asks() === 'count' ? all : all.filter((one) => one.n > 0);
  }

  const written = (chips) => chips.map((one) => `${one.value}x${one.n}`);

  const minor = () => amounts().minor(figures);

  const ticked = () => rows().filter(({ dataset }) => came().has(dataset.row) && pieces.get(dataset.row)?.done);

  // sum is what was entered so far.
  function sum() {
    switch (asks()) {
      case 'amount': return minor();
      case 'came': return worth(ticked().map(({ dataset }) => ({ value: Number(dataset.row), n: Number(came().get(dataset.row)) })));
    }
    return worth(entered());
  }

  function complete() {
    switch (asks()) {
      case 'count': return rows().every(({ dataset }) => pieces.get(dataset.row)?.done);
      case 'came': return ticked().length === came().size;
      case 'change': return sum() > 0 && (!given || sum() === worth(given));
    }
    return sum() > 0;
  }

  // put is what the golden key puts in.
  function put() {
    const [first, ...more] = JSON.parse(act.base);
    switch (asks()) {
      case 'amount': first.amount = back() ? -minor() : minor(); break;
      case 'came': break;
      case 'change': Object.assign(first, { chips: written(given), for: written(entered()) }); break;
      default: first.chips = written(entered());
    }
    return JSON.stringify([first, ...more]);
  }

  // on goes to the next value that was not counted.
  function on() {
    const all = rows().map(({ dataset }) => dataset.row);
    const from = all.indexOf(at);
    const left = [...all.slice(from + 1), ...all.slice(0, from + 1)];
    at = left.find((value) => !pieces.get(value)?.done) ?? all[Math.min(from + 1, all.length - 1)];
  }

  function counted() {
    const one = pieces.get(at) ?? { hundreds: 0, digits: '' };
    pieces.set(at, { ...one, done: true });
    on();
  }

  // erase takes the last figure away, or that of the value before.
  function erase() {
    const all = rows().map(({ dataset }) => dataset.row);
    const empty = (value) => !pieces.get(value)?.digits && !pieces.get(value)?.hundreds && !pieces.get(value)?.done;
    if (empty(at) && all.indexOf(at) > 0) {
      at = all[all.indexOf(at) - 1];
    }
    const one = pieces.get(at) ?? { hundreds: 0, digits: '' };
    pieces.set(at, one.digits ? { ...one, digits: one.digits.slice(0, -1), done: false } : { hundreds: 0, digits: '', done: false });
  }

  // Two figures are all of a value, so that the next follows by itself; what is more is counted in hundreds.
  function piece(what) {
    const one = pieces.get(at);
    const now = one && !one.done ? one : { hundreds: 0, digits: '' };
    if (what === '100') {
      pieces.set(at, { ...now, hundreds: Math.min(now.hundreds + 1, 900) });
      return;
    }
    pieces.set(at, { ...now, digits: now.digits + what });
    if (now.digits.length === 1) {
      counted();
    }
  }

  function figure(what) {
    if (what === 'back') {
      figures = figures.slice(0, -1);
    } else if (amounts().takes(figures, what)) {
      figures += what;
    }
  }

  function drawRow(row) {
    const { row: value } = row.dataset;
    const one = pieces.get(value);
    const expected = asks() === 'came' ? came().get(value) : undefined;
    row.hidden = asks() === 'came' && expected === undefined;
    const current = asks() !== 'came' && value === at;
    row.toggleAttribute('aria-current', current);
    row.classList.toggle('counted', Boolean(one?.done));
    row.querySelector('.tick').textContent = one?.done ? '✓' : '';
    const n = expected ?? number(one);
    row.querySelector('.pieces').textContent = one || expected ? `${n} ×` : '';
    row.querySelector('.worth').textContent = one || expected ? money(n * Number(value)) : '';
  }

  function drawKeys(now) {
    const words = now.dataset;
    const next = now.querySelector('[data-next]');
    const turns = asks() === 'change' && !given;
    next.hidden = asks() !== 'count' && !turns;
    next.disabled = asks() === 'count' ? complete() : !complete();
    next.querySelector('b').textContent = words.next;
    const key = now.querySelector('.do');
    key.hidden = turns;
    key.disabled = !complete();
    key.querySelector('b').textContent = asks() === 'came' ? words.all : words.done;
    key.dataset.label = `${act.label}: ${money(sum())}`;
    key.dataset.put = complete() && !turns ? put() : '';
    key.dataset.opens = act.then;
  }

  // whatNow says what is being counted, of a change which side.
  function whatNow(now) {
    if (asks() !== 'change') {
      return '';
    }
    return given ? `${now.dataset.out} ${money(worth(given))} ${sum() === worth(given) ? '=' : '≠'} ${now.dataset.in}` : now.dataset.out;
  }

  function draw() {
    const now = sheet();
    if (!now) {
      return;
    }
    for (const one of now.querySelectorAll('[data-step]')) {
      one.hidden = (one.dataset.step === 'count') !== Boolean(act);
    }
    now.querySelector('[data-back]').hidden = !act;
    now.querySelector('[data-last]')?.toggleAttribute('hidden', Boolean(act));
    const title = now.querySelector('h2');
    title.textContent = act?.label ?? title.dataset.title;
    if (!act) {
      return;
    }
    for (const kind of ['count', 'chips', 'change', 'amount', 'came']) {
      now.querySelector('.counting').classList.toggle(kind, asks() === kind);
    }
    for (const row of rows()) {
      drawRow(row);
    }
    const more = now.querySelector('.hundred');
    more.dataset.piece = asks() === 'amount' ? '.' : '100';
    more.textContent = asks() === 'amount' ? more.dataset.point : '+100';
    now.querySelector('[data-what]').textContent = whatNow(now);
    now.querySelector('[data-sum]').textContent = money(sum());
    drawKeys(now);
  }

  function next() {
    if (asks() === 'count') {
      counted();
    } else {
      given = entered();
      recount();
    }
  }

  // inSight keeps the value that is counted in sight, and the one after it.
  function inSight() {
    const all = rows();
    const nth = all.findIndex(({ dataset }) => dataset.row === at);
    (all[nth + 1] ?? all[nth])?.scrollIntoView({ block: 'nearest' });
    all[nth]?.scrollIntoView({ block: 'nearest' });
  }

  // tick marks that a value has come, and those before it: chips are counted from the largest down. Touched again, it and
  // those after it are still to be counted.
  function tick(value) {
    const all = rows().map(({ dataset }) => dataset.row).filter((one) => came().has(one));
    const nth = all.indexOf(value);
    const done = !pieces.get(value)?.done;
    for (const one of done ? all.slice(0, nth + 1) : all.slice(nth)) {
      pieces.set(one, { hundreds: 0, digits: '', done });
    }
  }

  function row(value) {
    if (asks() === 'came') {
      tick(value);
      return;
    }
    at = value;
    pieces.delete(value);
  }

  // tell shows by how much it differs to who asks for it, for a while: a dealer stands beside.
  function tell() {
    const place = document.querySelector('#sheet-told [data-told]');
    if (place) {
      place.textContent = seen ? told : '';
      place.hidden = !seen;
      document.querySelector('#sheet-told [data-shows]').hidden = seen;
    }
  }

  function forget() {
    clearTimeout(hides);
    told = '';
    seen = false;
    tell();
    if (document.querySelector('#sheet-told:not([hidden])')) {
      window.sabot.open('');
    }
  }

  document.addEventListener('told', ({ detail }) => {
    forget();
    told = detail;
    hides = setTimeout(forget, shown);
    tell();
    window.sabot.open('told');
  });

  document.addEventListener('click', (touch) => {
    if (touch.target.closest('[data-shows]')) {
      seen = true;
      tell();
    }
  });

  document.addEventListener('click', (touch) => {
    const key = touch.target.closest('#sheet-float button');
    const data = key?.dataset ?? {};
    if (data.act) {
      begin({ ...data });
    } else if (data.row) {
      row(data.row);
    } else if (data.piece) {
      if (asks() === 'amount') {
        figure(data.piece);
      } else if (data.piece === 'back') {
        erase();
      } else {
        piece(data.piece);
      }
    } else if ('next' in data) {
      next();
    } else if ('back' in data) {
      begin();
    } else {
      return;
    }
    draw();
    inSight();
  });

  // What needs nobody's proof is on its way with the touch. A count stays until it was taken. The key that says that a fill
  // is here begins to count it at once.
  document.addEventListener('sheet', ({ detail }) => {
    const due = detail.by?.dataset.key === 'due-fill' ? sheet()?.querySelector('[data-act="came"]') : null;
    if (detail.name === 'float' && due) {
      begin({ ...due.dataset });
    } else if (detail.name === 'float' && asks() !== 'count') {
      begin();
    }
    if (detail.name !== 'told') {
      forget();
    }
    draw();
  });

  document.addEventListener('table', () => {
    const on = sheet();
    if (on && on.dataset.since !== since) {
      since = on.dataset.since;
      begin();
    } else if (on && act && !on.querySelector(`[data-key="${CSS.escape(act.key)}"]`)) {
      begin();
    }
    draw();
    tell();
  });
})();
