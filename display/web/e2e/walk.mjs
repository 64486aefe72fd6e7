// Walks every state of the page on one screen in one language: each is swapped into a page
// that is open, as the page swaps it itself, and looked at before it is painted.

import { faults } from './faults.mjs';

/** Lists that may be longer than the screen. All else must fit. */
export const lists = [
  '.list', '.names', '#steps', 'aside', 'main.round', '.box.many', '.sheet.menu', '.pay-sheet .each', '.float-sheet .acts',
];

/**
 * Opens a page for walking: the scripts are the page's own, but nothing reaches them from
 * the table.
 */
export async function openWalk(browser, url, size, language) {
  const context = await browser.newContext({ viewport: size, hasTouch: true, reducedMotion: 'reduce' });
  const page = await context.newPage();
  await page.addInitScript(() => {
    window.EventSource = class extends EventTarget {
      constructor() {
        super();
        window.table = this;
        setInterval(() => this.dispatchEvent(new Event('beat')), 200);
      }

      close() {}
    };
  });
  await page.goto(`${url}?lang=${language}`, { waitUntil: 'load' });
  await page.evaluate((source) => { window.look = (0, eval)(`(${source})`); }, faults.toString())
    .catch(() => page.addScriptTag({ content: `window.look = ${faults.toString()}` }));
  return { context, page };
}

/**
 * walkAll runs in the page. It looks at states in situations, and asks every guest of a tray in those that are whole. It
 * returns at which states it looked, and what is wrong, by where it was first seen.
 */
export async function walkAll({ looks, language, options }) {
  const wrong = new Map();
  const seen = new Set();
  const tally = { states: new Set(), renders: 0, money: { size: Infinity } };
  let clock = 1e9;

  function look(state, names) {
    const got = window.look({ ...options, names });
    tally.renders += 1;
    tally.states.add(state.replace(/ \[.*/, ''));
    for (const fault of got.faults) {
      const known = wrong.get(fault);
      if (known) {
        known.times += 1;
      } else {
        wrong.set(fault, { fault, at: state, times: 1 });
      }
    }
    if (got.money.size < tally.money.size) {
      tally.money = { ...got.money, at: state };
    }
  }

  // A touch, long after the last one.
  function touch(part) {
    for (const kind of ['pointerdown', 'click']) {
      const event = new PointerEvent(kind, { bubbles: true, cancelable: true, button: 0, detail: kind === 'click' ? 1 : 0 });
      clock += 1000;
      Object.defineProperty(event, 'timeStamp', { value: clock });
      part.dispatchEvent(event);
    }
  }

  const once = (what) => !seen.has(what) && seen.add(what);
  const plain = (part) => part.outerHTML.replace(/data-[a-z]+="[^"]*"/g, '').replace(/\d+/g, '0');

  function walkSheets(state, names) {
    const around = `${document.querySelector('#held.on') ? 'held' : ''} ${document.querySelector('#alarm > *') ? 'alarm' : ''} ${document.getElementById('prompt').className}`;
    for (const sheet of [...document.querySelectorAll('[data-sheet]')].filter((one) => once(plain(one) + around))) {
      const name = sheet.dataset.sheet;
      window.sabot.open(name);
      look(`${state}, ${name}`, names);
      walkSheet(sheet, `${state}, ${name}`, names);
      window.sabot.open('');
    }
  }

  // What a sheet asks after its first touch.
  function walkSheet(sheet, state, names) {
    for (const choice of sheet.querySelectorAll('[data-rank="7"], [data-rank="JOKER"], [data-name], [data-sheet-tab]')) {
      touch(choice);
      look(`${state}, ${choice.dataset.key}`, names);
    }
    for (const name of [...sheet.querySelectorAll('[data-act]')].map((one) => one.dataset.key)) {
      touch(sheet.querySelector(`[data-key="${CSS.escape(name)}"]`));
      for (const piece of ['more', '8', '8', '8']) touch(sheet.querySelector(`[data-key="pieces-${piece}"]`));
      look(`${state}, ${name}`, names);
      touch(sheet.querySelector('[data-back]'));
    }
    if (sheet.querySelector('[data-told]')) { // what a supervisor sees after a count
      document.dispatchEvent(new CustomEvent('told', { detail: 'Compté 1 234 567,00, écart −1 234 567,00' }));
      look(`${state}, told`, names);
      touch(sheet.querySelector('[data-shows]'));
      look(`${state}, shown`, names);
    }
    const typed = sheet.querySelector('[data-digit], [data-sign="W"]');
    if (typed) {
      for (let n = 0; n < 32; n += 1) touch(typed);
      look(`${state}, typed`, [...names, typed.dataset.sign?.repeat(32)]);
      for (let n = 0; n < 32; n += 1) touch(sheet.querySelector('[data-clears="one"]'));
      for (const said of sheet.querySelectorAll('.said')) {
        said.textContent = `✕ ${sheet.dataset.wrong ?? '–'} – ${(sheet.dataset.left ?? '').replace('{n}', '2')}`;
      }
      look(`${state}, refused`, names);
    }
  }

  // What follows from a change of sizes comes before the next picture.
  const painted = () => new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(done)); });

  async function walkTrays(state, whole, names) {
    for (const tray of document.querySelectorAll('[data-tray]')) {
      if (!once(`${state} ${plain(tray)}`)) continue;
      const opener = document.querySelector(`[data-opens="tray-${tray.dataset.tray}"]`);
      if (!opener) continue;
      touch(opener);
      await painted();
      look(`${state}, tray ${tray.dataset.tray}`, names);
      if (whole) {
        for (const guest of tray.querySelectorAll('.guest:not(:disabled)')) {
          touch(guest);
          look(`${state}, tray ${tray.dataset.tray}, ${guest.dataset.guest}`, names);
        }
        const said = tray.querySelector('[data-said]');
        const told = [...document.querySelectorAll('[data-reason]')].map((one) => one.textContent)
          .concat([...tray.querySelectorAll('[data-below]')].flatMap((one) => [one.dataset.below, one.dataset.uneven]));
        if (said && told.length > 0) {
          said.textContent = told.reduce((a, b) => (a.length > b.length ? a : b));
          look(`${state}, tray ${tray.dataset.tray}, said`, names);
        }
      }
      touch(document.querySelector(`[data-opens="tray-${tray.dataset.tray}"]`));
      await painted();
    }
  }

  const ask = async ({ state, situation }) => (await fetch(`/walk/table?${new URLSearchParams({ state, situation, lang: language })}`)).json();
  let next = ask(looks[0]);
  for (let i = 0; i < looks.length; i += 1) {
    const { markup, names } = await next;
    if (i + 1 < looks.length) next = ask(looks[i + 1]);
    const { state, situation, whole } = looks[i];
    document.documentElement.dataset.build = /data-build="([^"]*)"/.exec(markup)[1];
    window.table.onmessage({ data: markup });
    look(`${state} [${situation}]`, names);
    await walkTrays(`${state} [${situation}]`, whole, names);
    walkSheets(`${state} [${situation}]`, names);
  }
  return { renders: tally.renders, states: [...tally.states], money: tally.money, wrong: [...wrong.values()] };
}
