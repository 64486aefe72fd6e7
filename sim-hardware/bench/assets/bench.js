'use strict';

// Keeps the bench up to date, part by part, and posts what a person does to it. The page's
// only state is what is being touched, and what has been chosen before (a rank, what is
// done with it, how a key is pressed).
(() => {
  const remarked = 6000; // ms for which a refusal is shown

  const $ = (id) => document.getElementById(id);
  const all = (selector) => [...document.querySelectorAll(selector)];

  // What is shown.

  function show(markup) {
    const sent = document.createElement('template');
    sent.innerHTML = markup;
    for (const part of [...sent.content.children]) {
      const old = $(part.id);
      if (!old) {
        location.reload();
        return true;
      }
      if (part.tagName === 'BUTTON') keep(old, part);
      else replace(old, part);
    }
    return true;
  }

  // A button stays the same under the finger that holds it.
  function keep(old, now) {
    for (const { name } of [...old.attributes]) if (!now.hasAttribute(name)) old.removeAttribute(name);
    for (const { name, value } of now.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
    if (old.innerHTML !== now.innerHTML) old.innerHTML = now.innerHTML;
  }

  function replace(old, now) {
    const had = old.contains(document.activeElement) ? document.activeElement.id : '';
    old.replaceWith(now);
    if (had) $(had)?.focus();
  }

  // What is done. One thing after the other, so that a key comes up after it went down.

  let turn = Promise.resolve();
  let remark;

  function post(path, body, keepalive = false) {
    turn = turn.then(() => send(path, body, keepalive));
  }

  async function send(path, body, keepalive) {
    let problem = '';
    try {
      const answer = await fetch(`/bench/${path}`, {
        method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body), keepalive,
      });
      problem = (await answer.json()).error ?? '';
    } catch {
      problem = 'the bench does not answer';
    }
    say(problem);
  }

  function say(problem) {
    clearTimeout(remark);
    $('said').hidden = !problem;
    $('said').textContent = problem ? `✕ Not done: ${problem}` : '';
    if (problem) remark = setTimeout(() => { $('said').hidden = true; }, remarked);
  }

  // Tabs.

  function open(name) {
    const tab = all('[data-tab]').some((button) => button.dataset.tab === name) ? name : 'cards';
    for (const button of all('[data-tab]')) button.setAttribute('aria-current', String(button.dataset.tab === tab));
    for (const panel of all('.panel')) panel.hidden = panel.id !== tab;
    history.replaceState(null, '', `#${tab}`);
  }

  // Cards.

  let rank = '';
  let mode = 'draw';

  function choose(button, group) {
    for (const other of all(group)) other.setAttribute('aria-pressed', String(other === button));
  }

  function setRank(button) {
    rank = button?.dataset.rank ?? '';
    choose(button, '[data-rank]');
    $('choice').textContent = rank ? `${rank.replace('T', '10')} of …` : 'rank, then suit';
  }

  function setMode(name) {
    mode = name;
    choose(document.querySelector(`[data-mode="${name}"]`), '[data-mode]');
  }

  function take(card) {
    if (mode === 'identify') {
      post('right', { With: 'identify', Card: card });
      setMode('draw');
    } else {
      post('shoe', { Steps: `${mode} ${card}` });
    }
    setRank(null);
  }

  function suited(letter) {
    if (rank) take(rank + letter);
    else say('touch a rank first');
  }

  // Keys. A finger may hold a key for any time, and the page reports at the end for how
  // long; of the other ways it reports only which.

  const stays = (button) => 'stays' in button.dataset;
  const held = new Map(); // the key that each finger is on, and since when
  let how = 'hold';
  let first = '';

  function setHow(name) {
    how = name;
    first = '';
    choose(document.querySelector(`[data-how="${name}"]`), '[data-how]');
  }

  function down(button, by, at) {
    const name = button.dataset.contact;
    if (button.disabled) return;
    if (stays(button)) {
      post('keys', { How: 'turn', Keys: [name] });
    } else if (how === 'hold') {
      held.set(by, { name, since: at });
      post('keys', { How: 'down', Keys: [name] });
    } else if (how !== 'two') {
      post('keys', { How: how, Keys: [name] });
      setHow('hold');
    } else if (!first) {
      first = name;
      button.classList.add('chosen');
    } else if (first !== name) {
      post('keys', { How: 'press', Keys: [first, name] });
      $(`key-${first}`).classList.remove('chosen');
      setHow('hold');
    }
  }

  function up(by, at) {
    if (!held.has(by)) return;
    const { name, since } = held.get(by);
    post('keys', { How: 'up', Keys: [name], Held: Math.max(0, Math.round(at - since)) }, true);
    held.delete(by);
  }

  const allUp = (event) => [...held.keys()].forEach((by) => up(by, event.timeStamp));

  const contactOf = (event) => event.target.closest?.('[data-contact]');

  document.addEventListener('pointerdown', (event) => {
    const button = contactOf(event);
    if (button && event.button === 0) down(button, event.pointerId, event.timeStamp);
  });
  for (const end of ['pointerup', 'pointercancel']) document.addEventListener(end, (event) => up(event.pointerId, event.timeStamp));
  for (const end of ['pagehide', 'blur']) addEventListener(end, allUp);
  document.addEventListener('contextmenu', (event) => contactOf(event) && event.preventDefault());

  // Everything else that is touched.

  document.addEventListener('click', (event) => {
    const button = event.target.closest('button');
    if (!button || button.disabled || contactOf(event)) return;
    const { tab, deal, steps, rank: of, suit, way, script, mode: what, how: manner } = button.dataset;
    if (tab) open(tab);
    else if (deal) post('dealer', { Deal: deal === 'true' });
    else if (steps) post('shoe', { Steps: steps });
    else if (of) setRank(rank === of ? null : button);
    else if (suit) suited(suit);
    else if ('joker' in button.dataset) take('JOKER');
    else if (what) setMode(what);
    else if (manner) setHow(manner);
    else if (script) $('text').value = script;
    else if ('run' in button.dataset) post('script', { Text: $('text').value });
    else if ('stop' in button.dataset) post('script/stop', {});
    else if (way === 'identify') {
      open('cards');
      setMode('identify');
    } else if (way) post('right', { With: way });
  });

  // By keyboard: every button has its own key; besides, n draws, and a card is typed, such
  // as 7 and h.

  const plain = (event) => !event.ctrlKey && !event.altKey && !event.metaKey && event.target.tagName !== 'TEXTAREA';

  document.addEventListener('keydown', (event) => {
    const button = contactOf(event);
    if (button && (event.key === ' ' || event.key === 'Enter')) {
      event.preventDefault();
      if (!event.repeat) down(button, 'keyboard', event.timeStamp);
      return;
    }
    if (!plain(event) || event.repeat || $('cards').hidden) return;
    const key = event.key.toUpperCase();
    if (key === 'N') post('shoe', { Steps: 'draw' });
    else if (rank && 'SHDC'.includes(key)) suited(key);
    else {
      const named = document.querySelector(`[data-rank="${CSS.escape(key)}"]`);
      if (named) setRank(named);
    }
  });
  document.addEventListener('keyup', (event) => {
    if (event.key === ' ' || event.key === 'Enter') up('keyboard', event.timeStamp);
  });

  open(location.hash.slice(1));
  window.follow(show, (lost) => { $('lost').hidden = !lost; }, {
    still: false, // a key that is held is what the bench is for, and its buttons stay the same
    beat: (build) => build && build !== document.documentElement.dataset.build && location.reload(),
  });
})();
