'use strict';

// Asks one question at a time. An answer is judged by the table before the next question; nothing is kept here but what
// was typed on this page.
(() => {
  const words = document.body.dataset;
  const first = words.first === 'true';
  const steps = [...document.querySelectorAll('.step')].filter((one) => !['overview', 'remove', 'trust', 'prove'].includes(one.dataset.step));
  const said = document.getElementById('said');
  const keyboard = document.getElementById('keyboard');
  const [back, leave, next] = ['back', 'leave', 'next'].map((id) => document.getElementById(id));
  const shift = document.getElementById('shift');
  const given = new Map(); // the answers to each question, by its name
  let now = null;
  let typed = null; // the field that the keyboard types into
  let listening = null; // while a key of the panel is waited for
  let again = null; // what to do with a name and a PIN
  let permit = ''; // what was permitted to be tried
  let offered = null; // the certificate that may be trusted
  const trusted = document.querySelector('[data-field="mqtt.ca_file"]');

  const say = (text, wrong = false) => {
    said.textContent = text;
    said.classList.toggle('wrong', wrong);
  };

  async function ask(where, what, signal) {
    const answer = await fetch(`/settings/${where}`, {
      signal, method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ lang: words.speaks, ...what }),
    });
    return { status: answer.status, ...await answer.json() };
  }

  const called = (name) => document.querySelector(`.step[data-step="${name}"]`);

  function show(name) {
    listening?.abort('stop');
    now = called(name);
    for (const one of document.querySelectorAll('.step')) one.hidden = one !== now;
    const title = document.querySelector('h1');
    title.textContent = now.querySelector('h2')?.textContent ?? title.dataset.title;
    document.querySelector('main').scrollTop = 0;
    say('');
    keyboard.hidden = true;
    typed?.classList.remove('typed');
    typed = null;
    const at = steps.indexOf(name === 'trust' ? called('pit') : now);
    const where = document.getElementById('where');
    if (where) where.textContent = `${at + 1} / ${steps.length}`;
    back.hidden = first ? at === 0 : name === 'overview';
    next.hidden = ['overview', 'remove', 'trust'].includes(name); // a touch too many must not trust anything
    leave.hidden = !(first && name === 'pit');
    next.firstChild.textContent = first && at === steps.length - 1 ? words.begin : words.next;
    if (name === 'shoe') look();
    byTheHouse();
    if (name === 'remove') chosen(null);
    const removes = document.getElementById('removes');
    if (removes) removes.hidden = name !== 'supervisor';
    const field = now.querySelector('input');
    if (field && name !== 'keys' && name !== 'shoe') {
      type(field);
      field.setSelectionRange(field.value.length, field.value.length);
    }
    history.replaceState(null, '', `#${name}`);
  }

  // What the house that was chosen has: its limits, and which keys mean anything there.
  function byTheHouse() {
    const house = document.querySelector('[data-field="house"] [aria-checked="true"]')?.dataset ?? {};
    const own = document.getElementById('own');
    if (house.limits) own.textContent = own.dataset.own.replace('{limits}', () => house.limits);
    const unused = (house.unused ?? '').split(' ');
    for (const field of document.querySelectorAll('[data-field^="keys."]')) {
      field.closest('label').hidden = unused.includes(field.dataset.field.slice('keys.'.length)) && field.value === '';
    }
  }

  function type(field) {
    typed?.classList.remove('typed');
    typed = field;
    field.classList.add('typed');
    field.focus({ preventScroll: true });
    keyboard.hidden = false;
    keyboard.classList.toggle('digits', Boolean(field.dataset.pad));
    keyboard.classList.toggle('whole', field.dataset.pad === 'pin');
    field.scrollIntoView({ block: 'nearest' });
  }

  function answers() {
    const list = [];
    for (const field of now.querySelectorAll('[data-field]')) {
      const key = field.dataset.field;
      const text = field.matches('input') ? field.value.trim() : field.querySelector('[aria-checked="true"]')?.dataset.value ?? '';
      const pin = now.querySelector(`[data-pin="${key}"]`)?.value ?? '';
      if (field.type === 'password' && text === '' && !first) continue; // another password was not given
      if (field.type === 'hidden' && text === '') continue;
      if (now.querySelector(`[data-pin="${key}"]`) && text === '' && pin === '' && !first) continue; // nobody's PIN was given
      list.push({ key, text, pin });
    }
    return list;
  }

  function differs() {
    const pin = now.querySelector('[data-pin]');
    return pin && pin.value !== now.querySelector('[data-again]').value;
  }

  // What an answer must be like is told in the screen's words; in English, what is wrong with this one.
  function blame({ wrong: exactly, key }) {
    const step = now.dataset.step;
    const wanted = words[`wrong${step[0].toUpperCase()}${step.slice(1)}`];
    const wrong = document.documentElement.lang.startsWith('en') ? exactly : wanted ?? exactly;
    const label = key && document.querySelector(`input[data-field="${key}"]`)?.closest('label')?.textContent.trim();
    say([words.wrong, label, wrong].filter(Boolean).join(' – ').replace(' – ', ' '), true);
  }

  async function go(list, untrusted = false) {
    if (now.dataset.step === 'prove') return prove();
    if (differs()) return say(words.differ, true);
    const name = now.dataset.step;
    const before = [...given].filter(([one]) => one !== name).flatMap(([, all]) => all);
    if (name === 'pit' && !untrusted && list.some((one) => one.key === 'mqtt.broker' && one.text)) {
      const { wrong, asks } = await reached(list, () => go(answers()));
      if (asks) return;
      if (wrong && !next.dataset.sure) {
        next.dataset.sure = 'yes'; // a second touch takes it as it is
        return;
      }
    }
    delete next.dataset.sure;
    if (!first) return change(list, name);
    const judged = await ask('check', { answers: [...before, ...list], about: name });
    if (judged.wrong) return blame(judged);
    given.set(name, list);
    const at = steps.indexOf(now);
    if (name === 'language') {
      sessionStorage.setItem('language', list[0].text);
      location.assign(`/settings/?lang=${encodeURIComponent(list[0].text)}#house`);
      return;
    }
    if (at + 1 < steps.length) return show(steps[at + 1].dataset.step);
    return save([...given.values()].flat());
  }

  // Shows what answers would change; whoever is proven next is proven for that alone.
  async function change(list, about) {
    const shown = await ask('check', { answers: list, about });
    if (shown.never) return say(words[shown.never], true);
    if (shown.wrong) return blame(shown);
    if (!shown.changes) return show('overview');
    return save(list, shown.of);
  }

  async function save(list, of = '', proof = {}) {
    const from = again?.from ?? now.dataset.step;
    const kept = await ask('save', { answers: list, of, ...proof });
    if (kept.untried) return proves(kept, from, (given) => save(list, of, given));
    if (kept.failed) return say(`${words.failed} ${kept.wrong}`, true);
    if (now.dataset.step === 'prove') show(from);
    again = null;
    if (kept.moved) return say(words.moved, true);
    if (kept.never) return say(words[kept.never], true);
    if (kept.wrong) return blame(kept);
    if (!first) show('overview');
    if (kept.waits) return say(words.waits);
    say(first ? words.starting : words.saved);
    return started();
  }

  const chosenOf = (what) => document.querySelector(`[data-field="${what}"] [aria-checked="true"]`)?.dataset.value ?? '';

  // Asks for the PIN of who does what is shown, and then does it.
  function proves({ changes, two, own }, from, then) {
    again = { from, then, two, own };
    document.getElementById('changes').replaceChildren(...(changes ?? []).map((text) => {
      const one = document.createElement('li');
      one.textContent = text;
      return one;
    }));
    if (now.dataset.step !== 'prove') show('prove');
    seconds();
  }

  const takesTwo = () => Boolean(again?.two) && again.own !== chosenOf('who');

  // The second one is another than the first, and chosen where there is only one other.
  function seconds() {
    const two = document.getElementById('two');
    for (const one of [two, document.getElementById('takes')]) one.hidden = !takesTwo();
    two.parentElement.classList.toggle('both', takesTwo());
    const all = [...document.querySelectorAll('[data-field="second"] [role="radio"]')];
    for (const one of all) one.hidden = one.dataset.value === chosenOf('who');
    const others = all.filter((one) => !one.hidden);
    for (const one of all) if (one.hidden || others.length === 1) one.setAttribute('aria-checked', String(one === others[0]));
  }

  function prove() {
    const pins = ['prove', 'prove-second'].map((one) => now.querySelector(`[data-${one}]`));
    const [pin, other] = pins.map((one) => one.value);
    for (const one of pins) one.value = '';
    type(pins[0]);
    const proof = { name: chosenOf('who'), pin };
    if (takesTwo()) proof.second = { name: chosenOf('second'), pin: other };
    return again.then(proof);
  }

  // Gets leave to try something, and then does it.
  function permits(answer, about, list, onward) {
    proves(answer, about, async (proof) => {
      const got = await ask('permit', { about, answers: list, ...proof });
      if (got.wrong) return say(`${words.failed} ${got.wrong}`, true);
      permit = got.permit;
      again = null;
      show(about);
      return onward();
    });
  }

  // The table begins anew; until then it does not answer.
  async function started() {
    for (;;) {
      await new Promise((over) => setTimeout(over, 500));
      try {
        const state = await fetch('/settings/state', { cache: 'no-store' });
        const { first: still, boot } = await state.json();
        if (!still && boot !== words.boot) return location.replace('/');
      } catch { /* it is not up yet */ }
    }
  }

  async function look() {
    const list = document.getElementById('ports');
    const field = document.querySelector('[data-field="shoe.port"]');
    const { ports = [] } = await ask('ports', {});
    list.replaceChildren(...ports.map((port) => {
      const key = document.createElement('button');
      key.type = 'button';
      key.className = 'key';
      key.setAttribute('role', 'radio');
      key.setAttribute('aria-checked', String(port.address === field.value));
      key.dataset.port = port.address;
      const name = document.createElement('span');
      name.textContent = port.name;
      key.append(name);
      return key;
    }));
    if (ports.length === 0) say(words.none);
    else if (said.textContent === words.none) say('');
  }

  async function draw() {
    say(words.draw);
    const { card, wrong } = await ask('draw', { answers: answers() });
    if (wrong) say(`${words.wrong} ${wrong}`, true);
    else say(words.drawn.replace('{card}', card));
  }

  const named = (field) => field.closest('label').textContent.trim();

  // Asks for each key that has no line yet, and says of each press where it came.
  async function pressEach() {
    const fields = [...now.querySelectorAll('label:not([hidden]) [data-field]')];
    const [begin, ...others] = ['press', 'skip', 'stop'].map((id) => document.getElementById(id));
    const asking = (is) => {
      begin.hidden = is;
      for (const key of others) key.hidden = !is;
    };
    keyboard.hidden = true;
    asking(true);
    try {
      for (const field of fields.filter((one) => one.value.trim() === '')) {
        field.classList.add('asked');
        field.scrollIntoView({ block: 'center' });
        say(words.press.replace('{key}', named(field)));
        const heard = await pressed(field, fields);
        field.classList.remove('asked');
        if (heard === 'stop') return;
        if (heard === 'skip') continue;
        if (!heard) return;
        await new Promise((over) => setTimeout(over, 800)); // what was heard can be read
      }
      say('');
    } finally {
      listening = null;
      for (const field of fields) field.classList.remove('asked');
      asking(false);
    }
  }

  // Waits for a press and writes its line into the field. It returns 'skip' or 'stop' if that was touched, and nothing if
  // no key can be heard.
  async function pressed(field, fields) {
    listening = new AbortController();
    const { signal } = listening;
    for (;;) {
      let answer;
      try {
        answer = await ask('press', { permit }, signal);
      } catch (lost) {
        if (!signal.aborted) throw lost;
        if (signal.reason === 'stop') say('');
        return signal.reason;
      }
      const { line, wrong, untried } = answer;
      if (untried) {
        permits(answer, 'keys', [], pressEach);
        return '';
      }
      if (wrong) {
        say(`${words.wrong} ${wrong}`, true);
        return '';
      }
      if (!line) continue;
      const other = fields.find((one) => one.value.trim() === line);
      if (other) {
        say(words.twice.replace('{line}', line).replace('{key}', named(other)), true);
        continue;
      }
      field.value = line;
      say(words.got.replace('{line}', line).replace('{key}', named(field)));
      return line;
    }
  }

  // Tries the broker, and says what came of it. With onward, what has to be asked first is asked, and the try made again by it.
  async function reached(list, onward) {
    const answer = await ask('broker', { answers: list, permit });
    const { wrong, untried, trust, never } = answer;
    const asks = Boolean(onward && (untried || trust));
    if (untried) say('');
    else if (trust) say(words.unknown, true);
    else say(wrong ? `${words[never] ?? words.unreached} ${wrong}` : words.reached, Boolean(wrong));
    if (asks && untried) {
      permits(answer, 'pit', list, onward);
    } else if (asks) {
      offer(trust);
    }
    return { wrong, asks };
  }

  // Shows what could be trusted, to be compared. Only a touch of its key trusts it.
  function offer(trust) {
    offered = trust;
    const fill = (id, text) => { document.getElementById(id).textContent = text; };
    fill('trust-whose', trust.own ? words.own : words.authority);
    fill('trust-name', trust.name);
    fill('trust-valid', `${trust.from} – ${trust.until}`);
    fill('trust-sha256', trust.sha256.replace(/^(.{47}):/, '$1\n'));
    document.getElementById('trust-renewed').hidden = !trust.own;
    show('trust');
    if (trusted.value && trusted.value !== trust.pem) say(words.changed, true);
  }

  // Trusts what was shown, and tries it at once.
  function trustIt() {
    trusted.value = offered.pem;
    show('pit');
    const tried = () => reached(answers(), tried);
    return tried();
  }

  // Who is to be removed; the key that removes them is another one, and stands elsewhere.
  function chosen(who) {
    const key = document.getElementById('remove');
    if (!key) return;
    if (!who) for (const one of now.querySelectorAll('[role="radio"]')) one.setAttribute('aria-checked', 'false');
    key.hidden = !who;
    key.dataset.who = who ?? '';
    key.firstChild.textContent = words.remove.replace('{name}', () => who ?? '');
  }

  function choose(key) {
    if (key.dataset.removes) chosen(key.dataset.removes);
    for (const one of key.parentElement.children) one.setAttribute('aria-checked', String(one === key));
    if (key.parentElement.dataset.field === 'who') seconds();
    if (key.dataset.port) document.querySelector('[data-field="shoe.port"]').value = key.dataset.port;
  }

  function press(key) {
    if (!typed) return;
    const text = shift.getAttribute('aria-pressed') === 'true' ? key.toUpperCase() : key;
    const [from, to] = [typed.selectionStart, typed.selectionEnd];
    if (typed.value.length - (to - from) < typed.maxLength) typed.setRangeText(text, from, to, 'end');
    shift.setAttribute('aria-pressed', 'false');
    typed.dispatchEvent(new Event('input'));
  }

  function erase() {
    if (!typed) return;
    const from = typed.selectionStart === typed.selectionEnd ? Math.max(typed.selectionStart - 1, 0) : typed.selectionStart;
    typed.setRangeText('', from, typed.selectionEnd, 'end');
    typed.dispatchEvent(new Event('input'));
  }

  let testing = 0;
  document.querySelector('[data-field="mqtt.broker"]')?.addEventListener('input', () => {
    clearTimeout(testing);
    delete next.dataset.sure;
    trusted.value = ''; // it was shown for another broker
    testing = setTimeout(() => now.dataset.step === 'pit' && answers()[0].text && run(() => reached(answers())), 1000);
  });

  async function run(what) {
    next.disabled = true;
    try {
      await what();
    } catch {
      say(words.lost, true);
    }
    next.disabled = false;
  }

  document.addEventListener('pointerdown', (touch) => {
    if (touch.target.closest('#keyboard')) touch.preventDefault(); // the field keeps the focus
  });
  document.addEventListener('focusin', ({ target }) => target.matches('input') && target !== typed && type(target));
  document.addEventListener('keydown', (pressed) => {
    if (pressed.key === 'Enter' && pressed.target.matches('input')) run(() => go(answers()));
  });
  document.addEventListener('click', ({ target }) => {
    const key = target.closest('button');
    if (!key) return;
    if (key.dataset.types) return press(key.dataset.types);
    if ('erases' in key.dataset) return erase();
    if (key.getAttribute('role') === 'radio') return choose(key);
    if (key.dataset.goes) return show(key.dataset.goes);
    switch (key.id) {
      case 'shift': return shift.setAttribute('aria-pressed', String(shift.getAttribute('aria-pressed') !== 'true'));
      case 'look': return run(look);
      case 'draw': return run(draw);
      case 'press': return run(pressEach);
      case 'skip':
      case 'stop': return listening?.abort(key.id);
      case 'leave': return run(() => go(answers().map(({ key: one }) => ({ key: one, text: '', pin: '' }))));
      case 'next': return run(() => go(answers()));
      case 'remove': return run(() => change([{ key: 'supervisors.names', text: key.dataset.who, pin: '', remove: true }], 'supervisor'));
      case 'trust-it': return run(trustIt);
      case 'trust-not':
        show('pit');
        return run(() => go(answers(), true));
      case 'back':
        if (now.dataset.step === 'trust') return show('pit');
        if (now.dataset.step === 'prove' && again) {
          const { from } = again;
          again = null;
          return show(from);
        }
        if (now.dataset.step === 'remove') return show('supervisor');
        return show(first ? steps[steps.indexOf(now) - 1].dataset.step : 'overview');
    }
  });

  fetch('/settings/state').then((state) => state.json()).then(({ boot }) => { words.boot = boot; });
  const language = sessionStorage.getItem('language');
  if (first && language) given.set('language', [{ key: 'language', text: language, pin: '' }]);
  const asked = location.hash.slice(1);
  show(first ? (language && asked === 'house' ? 'house' : 'language') : called(asked) && !['prove', 'trust'].includes(asked) ? asked : 'overview');
})();
