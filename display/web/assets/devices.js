'use strict';

// Devices and log: shows one part at a time, filters the log, takes copies, and asks once more before a restart.
(() => {
  const words = document.body.dataset;
  const said = document.getElementById('said');
  const keyboard = document.getElementById('keyboard');
  const by = (id) => document.getElementById(id);
  let typed = null; // the field that the keyboard types into

  const say = (text, wrong = false) => {
    said.textContent = text;
    said.classList.toggle('wrong', wrong);
  };

  // Sends an object. Whoever is no longer proven proves themself again.
  async function ask(where, what) {
    const answer = await fetch(where, {
      method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(what),
    });
    if (answer.ok) return answer;
    const why = await answer.json();
    if (why.needs) location.reload();
    if (answer.status === 429 && !why.error) say(words.often, true);
    else say(`${where === '/supervisor' || why.failed ? words.wrongPin : words.not} ${why.round ? words.round : why.error}`, true);
    return null;
  }

  async function run(key, what) {
    if (key) key.disabled = true;
    try {
      await what();
    } catch {
      say(words.lost, true);
    }
    if (key) key.disabled = false;
  }

  function show(name) {
    for (const one of document.querySelectorAll('main > section')) one.hidden = one.id !== name;
    for (const key of document.querySelectorAll('nav .key')) key.setAttribute('aria-pressed', String(key.dataset.goes === name));
    document.querySelector('main').scrollTop = 0;
    say('');
    type(null);
    unsure();
    history.replaceState(null, '', `#${name}`);
    if (name === 'log') run(null, log);
  }

  function type(field) {
    typed?.classList.remove('typed');
    typed = field;
    keyboard.hidden = !field;
    if (!field) return;
    field.classList.add('typed');
    keyboard.classList.toggle('digits', field.dataset.pad === 'digits');
  }

  let asked = 0;
  async function log() {
    const mine = ++asked;
    const level = document.querySelector('[data-level][aria-checked="true"]').dataset.level;
    const answer = await fetch(`/devices/log?${new URLSearchParams({ level, text: by('text').value })}`, { cache: 'no-store' });
    const { lines = [], needs, error } = await answer.json();
    if (needs) location.reload();
    if (mine !== asked) return; // another filter was set meanwhile
    if (!answer.ok) return say(`${words.not} ${error}`, true);
    by('lines').replaceChildren(...lines.map(({ at, level: grade, text }) => {
      const line = document.createElement('li');
      line.className = grade;
      line.textContent = `${at} ${grade} ${text}`;
      return line;
    }));
    say(lines.length === 0 ? words.none : '');
  }

  async function take(what) {
    say(words.makes);
    const answer = await ask('/devices/take', { what });
    if (!answer) return;
    const [, name] = /filename="?([^";]+)"?/.exec(answer.headers.get('Content-Disposition'));
    const link = document.createElement('a');
    link.href = URL.createObjectURL(await answer.blob());
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    say(name);
  }

  function unsure(sure = false) {
    if (!by('restart')) return;
    by('restart').hidden = sure;
    by('sure').hidden = by('no').hidden = by('who').hidden = !sure;
    if (by('pin')) by('pin').value = '';
    if (sure) by('pin')?.focus();
    else type(null);
  }

  // given is who is proven, and with what; it is forgotten at once.
  function given() {
    const name = document.querySelector('[data-name][aria-checked="true"]')?.dataset.name ?? '';
    const pin = by('pin')?.value ?? '';
    if (by('pin')) by('pin').value = '';
    return pin ? { name, pin } : {};
  }

  async function restart() {
    const who = given();
    unsure();
    if (!await ask('/devices/restart', { sure: true, ...who })) return;
    say(words.starting);
    for (;;) {
      await new Promise((over) => setTimeout(over, 500));
      try {
        const { boot } = await (await fetch('/devices/state', { cache: 'no-store' })).json();
        if (boot && boot !== words.boot) return location.reload();
      } catch { /* it is not up yet */ }
    }
  }

  async function enter() {
    if (await ask('/supervisor', { name: '', pin: '', ...given() })) location.reload();
  }

  function choose(key) {
    for (const one of key.parentElement.children) one.setAttribute('aria-checked', String(one === key));
    if (key.dataset.level) run(null, log);
  }

  function press(key) {
    if (!typed) return;
    const [from, to] = [typed.selectionStart, typed.selectionEnd];
    if (typed.value.length - (to - from) < typed.maxLength) typed.setRangeText(key, from, to, 'end');
    typed.dispatchEvent(new Event('input'));
  }

  function erase() {
    if (!typed) return;
    const from = typed.selectionStart === typed.selectionEnd ? Math.max(typed.selectionStart - 1, 0) : typed.selectionStart;
    typed.setRangeText('', from, typed.selectionEnd, 'end');
    typed.dispatchEvent(new Event('input'));
  }

  let looking = 0;
  by('text')?.addEventListener('input', () => {
    clearTimeout(looking);
    looking = setTimeout(() => run(null, log), 300);
  });
  document.addEventListener('submit', (form) => {
    form.preventDefault();
    if (form.target.id === 'enter') run(null, enter);
    else if (form.target.id === 'proves') run(by('sure'), restart);
    else run(null, log);
  });
  document.addEventListener('pointerdown', (touch) => {
    if (touch.target.closest('#keyboard')) touch.preventDefault(); // the field keeps the focus
  });
  document.addEventListener('focusin', ({ target }) => target.matches('input') && type(target));
  document.addEventListener('click', ({ target }) => {
    const key = target.closest('button');
    if (!key) return;
    if (key.dataset.types) return press(key.dataset.types);
    if (key.getAttribute('role') === 'radio') return choose(key);
    if (key.dataset.goes) return show(key.dataset.goes);
    if (key.dataset.takes) return run(key, () => take(key.dataset.takes));
    switch (key.id) {
      case 'erase': return erase();
      case 'again': return location.reload();
      case 'restart': say(''); return unsure(true);
      case 'no': return unsure();
      case 'sure': return run(key, restart);
      case 'leave': return run(key, async () => { if (await ask('/supervisor/leave', {})) location.assign('/'); });
    }
  });

  if (by('enter')) by('pin').focus();
  const names = [...document.querySelectorAll('nav .key')].map((key) => key.dataset.goes);
  if (names.length > 0) show(names.includes(location.hash.slice(1)) ? location.hash.slice(1) : names[0]);
})();
