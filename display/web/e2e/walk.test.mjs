// Every state of the page, in every language and situation, on every screen: nothing is
// cut, nothing lies on anything else, and what is money can be read. In make test each state is looked at in one language,
// on one screen and in one situation.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { faults } from './faults.mjs';
import { Table, buildServer, openBrowser, soak } from './table.mjs';
import { lists, openWalk, walkAll } from './walk.mjs';

// The least height of what says an amount of money, in pixels: where seven boxes are full.
const screens = [
  { width: 800, height: 480, money: 9 },
  { width: 1024, height: 600, money: 11 },
  { width: 1280, height: 800, money: 14 },
  { width: 600, height: 1024, money: 7 },
  { width: 390, height: 844, money: 14 },
];
const atOnce = 3; // pages that are walked at the same time: one of them waits for its next picture

let table;
let browser;
let list;

before(async () => {
  const program = buildServer('walk');
  browser = await openBrowser();
  table = await Table.run(program, []);
  list = await (await fetch(`${table.url}walk/list`)).json();
});

after(async () => {
  await browser?.close();
  await table?.kill();
});

/** Where one walks, and at what one looks there: in make test the walks share the states among them. */
function walks() {
  const { states, situations, languages } = list;
  const [quiet, ...others] = situations;
  const look = (state, situation) => ({ state, situation, whole: situation === quiet });
  if (soak) {
    const looks = states.flatMap((state) => situations.map((situation) => look(state, situation)));
    return screens.flatMap((size) => languages.map((language) => ({ size, language, looks })));
  }
  const most = Math.max(screens.length, languages.length);
  // Every second turn is quiet: that is where the trays are looked at whole.
  const turns = others.flatMap((other) => [quiet, other]);
  return Array.from({ length: most }, (_, nth) => ({
    size: screens[nth % screens.length], language: languages[nth % languages.length],
    looks: states.flatMap((state, i) => (i % most === nth ? [look(state, turns[Math.floor(i / most) % turns.length])] : [])),
  }));
}

async function walk({ size, language, looks }) {
  const { context, page } = await openWalk(browser, table.url, size, language);
  const complaints = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  const scrolls = size.width < 480 ? [...lists, '.sheet'] : lists; // a phone's sheets are long
  const got = await page.evaluate(walkAll, { looks, language, options: { scrolls } });
  await context.close();
  return { size, language, ...got, complaints };
}

// all does every task, so many at once.
async function all(tasks) {
  const left = [...tasks];
  const results = [];
  const work = async () => {
    for (let task = left.shift(); task; task = left.shift()) results.push(await task());
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return results;
}

const share = (faults, kind) => faults.filter(({ fault }) => fault.startsWith(kind)).length;

test('every state, in every language and situation, on every screen', async () => {
  const began = Date.now();
  const walked = await all(walks().map((one) => () => walk(one)));
  const rows = screens.map((size) => {
    const here = walked.filter((one) => one.size === size);
    const wrong = here.flatMap((one) => one.wrong);
    const money = here.map((one) => one.money).reduce((a, b) => (a.size < b.size ? a : b));
    return {
      screen: `${size.width} × ${size.height}`, states: here[0].states.length, situations: list.situations.length, languages: here.length,
      renders: here.reduce((sum, one) => sum + one.renders, 0),
      cut: share(wrong, 'cut') + share(wrong, 'small') + share(wrong, 'scrolled'), overlapping: share(wrong, 'overlap'),
      'smallest money, px': Math.round(money.size * 10) / 10,
    };
  });
  console.table(rows);
  console.log(`${rows.reduce((sum, row) => sum + row.renders, 0)} renders in ${Math.round((Date.now() - began) / 1000)} s`);
  const told = walked.flatMap(({ size, language, wrong }) => wrong.map(({ fault, at, times }) => `${size.width}×${size.height} ${language}, ${at}, ${times} times: ${fault}`));
  assert.equal(told.length, 0, `${told.length} faults:\n${told.slice(0, 40).join('\n')}`);
  assert.deepEqual(walked.flatMap(({ complaints }) => complaints), []);
  const everywhere = soak ? walked.map(({ states }) => states) : [walked.flatMap(({ states }) => states)];
  for (const states of everywhere) {
    assert.ok(new Set(states).size >= list.states.length, `only ${states.length} states were walked`);
  }
  for (const { size, language, money } of walked) {
    assert.ok(money.size >= size.money, `${size.width}×${size.height} ${language}, ${money.at}: “${money.text}” is ${money.size} px high`);
  }
});

// What the walk must find, each planted in a page that has nothing else wrong.
const planted = [
  ['nothing', '<p class="a">Box 1</p><p class="b">Box 2</p>', '', null],
  ['text on text', '<p class="a">Box 1</p><p class="b">Box 2</p>', '.b { margin-top: -1rem }', /^overlap: .*Box 1.*Box 2/],
  ['a key on a key', '<button>Card</button><button class="b">Rest</button>', '.b { margin-left: -1rem }', /^overlap: .*button/],
  ['text above the screen', '<p>STOP</p>', 'p { margin-top: -1rem }', /^cut: .*STOP.*screen at its top/],
  ['text beyond its frame', '<p><span>Insurance</span></p>', 'p { width: 3rem; border: 1px solid red }', /^cut: .*Insurance.*right/],
  ['a word that is shortened', '<p>Pit assente</p>', 'p { width: 4rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap }', /^cut: .*Pit assente/],
  ['a name that is shortened', '<p>Maximiliane</p>', 'p { width: 4rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap }', null],
  ['a name without a letter', '<p>Maximiliane</p>', 'p { width: .5rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap }', /^cut: .*no letter/],
  ['a box that hides what is in it', '<div class="box"><p>1</p><p>2</p></div>', '.box { height: 1rem; overflow: hidden auto }', /^cut: .*hides/],
  ['a list that begins in its middle', '<div class="list" id="list"><p>1</p><p>2</p><p>3</p></div>', '.list { height: 2rem; overflow: hidden auto }', /^scrolled: /],
  ['a small key', '<button class="b">Card</button>', '.b { min-height: 0; height: 30px }', /^small: /],
];

test('the walk finds what is planted', async () => {
  const page = await browser.newPage({ viewport: screens[0] });
  for (const [what, markup, style, finds] of planted) {
    await page.setContent(`<style>* { margin: 0 } body { overflow: hidden; font: 16px/1.3 sans-serif } button { min-height: 50px; min-width: 60px } ${style}</style>${markup}`);
    await page.evaluate(() => { const part = document.getElementById('list'); if (part) part.scrollTop = 9; });
    const got = await page.evaluate(faults, { names: ['Maximiliane'], scrolls: ['.list'] });
    if (finds) {
      assert.ok(got.faults.some((one) => finds.test(one)), `${what}: ${JSON.stringify(got.faults)}`);
    } else {
      assert.deepEqual(got.faults, [], what);
    }
  }
  await page.close();
});
