// The table as a dealer uses it: only by touch, and only by keyboard, with a real table
// behind the page.

import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import {
  Table, asks, buildServer, few, isFresh, openBrowser, overhear, placeOf, rested, soakTest, stopClock, toast,
} from './table.mjs';

const houses = ['schaffhausen', 'wiesbaden', 'st-moritz', 'st-moritz-65', 'mendrisio', 'baden'];

let program;
let browser;
let table;
let page;
let complaints;

before(async () => {
  program = buildServer();
  browser = await openBrowser();
});

after(() => browser?.close());

beforeEach(() => { complaints = []; });

afterEach(async () => {
  await page?.context().close();
  await table?.end();
});

async function screen(viewport = { width: 1024, height: 600 }) {
  const context = await browser.newContext({ viewport, hasTouch: true });
  const one = await context.newPage();
  overhear(one, complaints, { expected: [/ 409 /] });
  await one.goto(table.url, { waitUntil: 'domcontentloaded' });
  return one;
}

async function live(house, more = {}) {
  table = await Table.live(program, { house, keys_apart: -1, ...more });
  page = await screen();
}

const shows = (what, on = page) => asks(on, what);

// A pack of cards that comes in the same order in each run.
function* pack(seed) {
  for (let n = seed; ; n = (n * 1103515245 + 12345) % 2147483648) {
    yield 'A23456789TJQK'[(n >> 8) % 13] + 'SHDC'[(n >> 16) % 4];
  }
}

// state is what a dealer sees at this moment.
const state = () => page.evaluate(() => ({
  moment: document.getElementById('keys').dataset.moment,
  phase: document.getElementById('keys').dataset.phase,
  keys: [...document.querySelectorAll('#keys .key')].map((key) => key.dataset.key),
  total: Number(document.querySelector('.box.active .due .sum b, .box.active .sum b')?.textContent ?? 0),
  held: document.querySelector('#held.on') !== null,
}));

async function moved(from) {
  await page.waitForFunction((was) => document.getElementById('keys').dataset.moment !== was, from);
}

// pick chooses as a careful guest would.
function pick({ keys, total }, n) {
  for (const call of ['split', 'double', 'higher', 'lower']) {
    if (keys.includes(call) && n % 2 === 0) {
      return call;
    }
  }
  return keys.includes('card') && total < 17 ? 'card' : 'rest';
}

// deal plays rounds to their end with only a way to press a key, and returns what was
// pressed.
async function deal(rounds, press) {
  const pressed = new Set();
  const cards = pack(7);
  for (let round = 0; round < rounds; round += 1) {
    await press('open');
    await shows(/./);
    await page.waitForFunction(() => document.getElementById('keys')?.dataset.phase === 'bets');
    await table.play('stake 1 anna 20; stake 2 ben 20; stake 3 chiara 20');
    await press('close');
    for (let n = 0; ; n += 1) {
      assert.ok(n < 200, 'the round does not end');
      const now = await state();
      if (now.phase === 'idle') {
        break;
      }
      const key = now.phase === 'bets' ? undefined
        : now.keys.includes('insurance-closed') ? 'insurance-closed'
          : now.keys.includes('paid') ? 'paid'
            : now.keys.some((name) => ['card', 'rest', 'higher', 'lower'].includes(name)) ? pick(now, n) : undefined;
      if (key) {
        pressed.add(key);
        await press(key);
      } else if (now.phase !== 'bets') {
        await table.card(cards.next().value);
      }
      await moved(now.moment);
    }
  }
  return [...pressed].sort();
}

// Two touches are never so close that the second could be a bounce of the first.
async function tap(key) {
  await rested(page);
  await page.locator(`#keys [data-key="${key}"]`).tap();
}

const shortcuts = {
  open: 'Enter', close: 'Enter', paid: 'Enter', 'insurance-closed': 'Enter',
  card: 'c', rest: 'r', double: 'd', split: 's', higher: 'h', lower: 'l',
};

async function type(key) {
  await rested(page);
  await page.locator(`#keys [data-key="${key}"]`).waitFor();
  await page.keyboard.press(shortcuts[key]);
}

const ways = [['touch', tap], ['keyboard', type]];

for (const [nth, house] of few(houses, houses.slice(0, 2)).entries()) {
  for (const [way, press] of few(ways, [ways[nth % ways.length]])) {
    test(`rounds in ${house} by ${way} only`, async () => {
      await live(house);
      const pressed = await deal(way === 'touch' ? few(3, 1) : 1, press);
      assert.ok(pressed.includes('paid'), pressed.join());
      assert.deepEqual(complaints, []);
    });
  }
}

// played brings a table to the point where box 1 may call: 12 against 6.
async function played() {
  await live('wiesbaden');
  await table.play('open; stake 1 anna 20; stake 2 ben 20; close');
  await table.card('TH TS 6D 2C 3C');
  await shows(/^Box 1: /);
}

const bounce = 300; // ms in which the page does not take a second touch: nobody has seen what the first one did

test('a second touch does not land on the next box', async () => {
  await played();
  await stopClock(page);
  await page.reload({ waitUntil: 'domcontentloaded' });
  const rest = page.locator('#keys [data-key="rest"]');
  await rest.tap();
  await shows(/^Box 2: /);
  await rest.tap();
  assert.ok(await page.locator('#toast').isHidden(), 'the bounce of a touch is spoken of');
  await page.clock.runFor(bounce - 10);
  await rest.tap();
  assert.match(await page.locator('#toast').innerText(), /too soon after the last touch/);
  await undo();
  await shows(/^Box 1: /);
  await page.clock.runFor(10);
  await rest.tap();
  await shows(/^Box 2: /);
});

// undo takes back the last touch: what this page sends is handled in order.
async function undo() {
  const answer = await page.evaluate(() => window.sabot.send('[{"in":"undo"}]', ''));
  assert.equal(answer.rejected, undefined);
}

soakTest('a touch that came too often is not taken, and the screen says so', async () => {
  await played();
  await page.route('**/touch', (route) => route.fulfill({
    status: 429, headers: { 'Retry-After': '1' }, contentType: 'application/json', body: '{"refused":"too-often","wait":1,"error":"not taken"}',
  }));
  await page.locator('#keys [data-key="rest"]').tap();
  await toast(page, 'too often');
  await page.unroute('**/touch');
});

test('a touch that was meant for another moment is not taken, and the screen says so', async () => {
  await played();
  await page.evaluate(() => { document.getElementById('keys').dataset.moment = 'before'; });
  await page.locator('#keys [data-key="rest"]').tap();
  await toast(page, 'had moved on');
  await shows(/^Box 1: /);
});

// press brings the finger down on a key, and lets the table go on before it leaves: it returns once the page was told.
async function press(name, line) {
  const told = await page.evaluate(() => window.told);
  const { x, y, width, height } = await placeOf(page.locator(`#keys [data-key="${name}"]`));
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.down();
  await table.play(line);
  await page.waitForFunction((before) => window.told > before, told);
}

// counted counts what the page is told, before it draws it. Its clock stands still: the time for which a finger keeps
// the picture back does not run out while the table goes on.
async function counted() {
  await page.addInitScript(() => {
    window.told = 0;
    const Stream = window.EventSource;
    window.EventSource = class extends Stream {
      constructor(...all) {
        super(...all);
        this.addEventListener('message', () => { window.told += 1; });
      }
    };
  });
  await stopClock(page);
  await page.reload({ waitUntil: 'domcontentloaded' });
  await page.waitForFunction(() => document.getElementById('lost')?.hidden && window.told > 0);
}

soakTest('a touch counts whose key is drawn anew while it is pressed', async () => {
  await live('wiesbaden');
  await table.play('open; stake 1 anna 20');
  await counted();
  await press('close', 'stake 2 bert 20');
  assert.match(await page.locator('#box-2').getAttribute('class'), /\bempty\b/, 'the picture changed under the finger');
  await page.mouse.up();
  await shows(/^Card to box 1/);
  assert.doesNotMatch(await page.locator('#box-2').getAttribute('class'), /\bempty\b/);
  assert.deepEqual(complaints, []);
});

test('a key that was pressed before the table moved on is not sent for what came then', async () => {
  await played();
  await counted();
  await press('rest', 'rest');
  await page.mouse.up();
  await toast(page, 'had moved on');
  assert.ok(await page.locator('#toast').isVisible());
  await shows(/^Box 2: /);
});

soakTest('a finger that rests on a key keeps the picture back for a second and no longer', async () => {
  await played();
  await counted();
  await press('rest', 'rest');
  await page.clock.runFor(999);
  assert.match(await page.locator('#prompt h1').innerText(), /^Box 1: /);
  await page.clock.runFor(1);
  await shows(/^Box 2: /);
  await page.mouse.up();
  assert.match(await page.locator('#prompt h1').innerText(), /^Box 2: /, 'the key of the new picture was not pressed');
});

test('a touch on one screen is seen on the other, and after a reload', async () => {
  await played();
  const other = await screen({ width: 1280, height: 800 });
  await shows(/^Box 1: /, other);
  await page.locator('#keys [data-key="rest"]').tap();
  await shows(/^Box 2: /, other);
  await other.locator('#keys [data-key="undo"]').tap();
  await shows(/^Box 1: /);
  await page.reload({ waitUntil: 'domcontentloaded' });
  await shows(/^Box 1: /);
  await other.context().close();
});

test('a touch that does not reach the table is reported', async () => {
  await played();
  await page.route('**/touch', (route) => route.abort());
  await page.locator('#keys [data-key="rest"]').tap();
  await toast(page, 'did not hear it');
});

test('boxes are confirmed one by one, in order, or all at once', async () => {
  await played();
  await table.play('rest; rest');
  await table.card('TD KD');
  await shows(/^Pay/);
  assert.equal(await page.locator('.box.active').getAttribute('id'), 'box-1');
  await page.locator('#box-1 .whole').tap();
  await page.locator('#box-1.settled').waitFor();
  assert.equal(await page.locator('.box.active').getAttribute('id'), 'box-2');
  await rested(page);
  await page.keyboard.press('2');
  await shows(/^Open/);
  assert.deepEqual(complaints, []);
});

test('the screen asks which of several bettors join a double, and which surrender', async () => {
  await live('schaffhausen');
  await table.play('open; stake 1 anna 20; stake 1 ben 30; stake 1 chiara 40; stake 2 dora 20; close');
  await table.card('6H TS 6D 5C 7C');
  await shows(/^Box 1: /);
  await page.locator('#keys [data-key="double"]').tap();
  const sheet = page.locator('[data-sheet="who-double"]');
  await sheet.waitFor({ state: 'visible' });
  assert.deepEqual(
    (await sheet.locator('.answers .key').allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ')),
    ['★ anna 20.00 ben 30.00 chiara 40.00', '★ anna 20.00 ben 30.00', '★ anna 20.00 chiara 40.00', '★ anna 20.00'],
  );
  await rested(page);
  await page.keyboard.press('Escape');
  await sheet.waitFor({ state: 'hidden' });
  await rested(page);
  await page.locator('#keys [data-key="surrender"]').tap();
  await rested(page);
  await page.locator('[data-sheet="who-surrender"] [data-key="ben"]').tap();
  await page.locator('#box-1 li.back', { hasText: 'ben' }).waitFor();
  await rested(page);
  await page.locator('#keys [data-key="double"]').tap();
  await rested(page);
  await page.locator('[data-sheet="who-double"] [data-key="anna"]').tap();
  await shows(/^Card to box 1/);
  await table.card('9S');
  await isFresh(page);
  assert.match(await page.locator('#box-1').innerText(), /40\.00/);
  assert.deepEqual(complaints, []);
});

soakTest('the screen keeps its light, its suits and its language', async () => {
  await played();
  await page.locator('[data-opens="menu"]').tap();
  for (const [name, to] of [['light', 'bright'], ['suits', 'four']]) {
    await rested(page);
    await page.locator(`[data-set="${name}"][data-to="${to}"]`).tap();
    assert.equal(await page.locator(`[data-set="${name}"][data-to="${to}"]`).getAttribute('aria-pressed'), 'true');
  }
  await rested(page);
  await page.locator('.languages [lang="de"]').tap();
  await page.waitForFunction(() => document.documentElement.lang === 'de');
  await page.reload({ waitUntil: 'domcontentloaded' });
  assert.deepEqual(
    await page.evaluate(() => ({ ...document.documentElement.dataset, build: '', seq: '', lang: document.documentElement.lang })),
    { build: '', seq: '', role: 'supervisor', light: 'bright', suits: 'four', sound: 'off', voice: 'off', lang: 'de' },
  );
  assert.deepEqual(complaints, []);
});

soakTest('the menu says which shoe is in use', async () => {
  await played();
  await table.play('shoe online maker=sabot serial=SB-1 firmware=1.0.2');
  await page.locator('[data-opens="menu"]').tap();
  await rested(page);
  await page.locator('[data-opens="which"]').tap();
  const sheet = page.locator('[data-sheet="which"]');
  await sheet.getByText('sabot SB-1, firmware 1.0.2').waitFor();
  await table.play('shoe online maker=bee-tek');
  await sheet.getByText('bee-tek, serial number unknown').waitFor();
  await rested(page);
  await sheet.locator('[data-closes]').tap();
  assert.equal(await page.locator('[data-sheet]:visible').count(), 0);
  assert.deepEqual(complaints, []);
});

soakTest('a voice reads the large words, and a stop has a sound, if they are switched on', async () => {
  table = await Table.live(program, { house: 'wiesbaden', keys_apart: -1 });
  const context = await browser.newContext({ viewport: { width: 1024, height: 600 }, hasTouch: true });
  page = await context.newPage();
  await page.addInitScript(() => {
    window.said = [];
    window.tones = 0;
    window.speechSynthesis.speak = (words) => window.said.push(`${words.lang}: ${words.text}`);
    window.OscillatorNode = class extends window.OscillatorNode {
      start(at) {
        window.tones += 1;
        super.start(at);
      }
    };
  });
  await page.goto(table.url, { waitUntil: 'domcontentloaded' });
  await table.play('open; stake 1 anna 20; close');
  await shows(/^Card to box 1/);
  assert.deepEqual(await page.evaluate(() => window.said), []);
  await page.locator('[data-opens="menu"]').tap();
  for (const name of ['voice', 'sound']) {
    await rested(page);
    await page.locator(`[data-set="${name}"][data-to="on"]`).tap();
  }
  await table.card('TH');
  await shows(/^Card to the bank/);
  await table.card('6D ??');
  await shows(/^STOP/);
  await page.waitForFunction(() => window.tones === 2);
  assert.deepEqual(
    (await page.evaluate(() => window.said)).slice(0, 1).concat((await page.evaluate(() => window.said)).slice(-1)),
    ['en: Card to the bank', 'en: STOP – unread card'],
  );
});

test('the touch that wakes a sleeping screen does nothing else', async () => {
  table = await Table.live(program, { house: 'wiesbaden' });
  const context = await browser.newContext({ viewport: { width: 1024, height: 600 }, hasTouch: true });
  page = await context.newPage();
  await page.goto(table.url, { waitUntil: 'domcontentloaded' });
  await shows(/^Open/);
  await isFresh(page); // what it is sent at first wakes it, too
  const later = (minutes) => page.clock.setSystemTime(Date.now() + minutes * 60 * 1000);
  const asleep = (is) => page.waitForFunction((want) => document.documentElement.classList.contains('asleep') === want, is);
  await later(11);
  await asleep(true);
  const open = page.locator('#keys [data-key="open"]');
  const { x, y, width, height } = await placeOf(open);
  await page.touchscreen.tap(x + width / 2, y + height / 2);
  await asleep(false);
  assert.equal(await page.locator('#keys').getAttribute('data-phase'), 'idle');
  await rested(page);
  await open.tap();
  await page.waitForFunction(() => document.getElementById('keys')?.dataset.phase === 'bets');
  await later(40);
  await page.evaluate(() => new Promise((looked) => { setTimeout(looked, 1000); })); // it looks every second
  await asleep(false);
});
