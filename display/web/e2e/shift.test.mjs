import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { padLies } from '../../../internal/testkit/pages/pad.mjs';
import { Table, asks, buildServer, few, isFresh, openBrowser, overhear, placeOf, rested, soakTest, toast } from './table.mjs';

const small = { width: 800, height: 480 };
const PIN = '4711';

let program;
let browser;
let table;
let page;
let complaints;
let wanted;

before(async () => {
  program = buildServer();
  browser = await openBrowser();
});

after(() => browser?.close());

beforeEach(() => {
  complaints = [];
  wanted = [];
});

afterEach(async () => {
  for (const context of browser.contexts()) await context.close();
  await table?.end();
  table = undefined;
});

async function live(house, more = [], size = small) {
  table = await Table.live(program, { house }, ...more);
  page = await browser.newPage({ viewport: size, hasTouch: true });
  overhear(page, complaints, { wanted, expected: [/status of (400|403|409|429)/] });
  await page.goto(table.url, { waitUntil: 'load' });
}

const key = (name) => page.locator(`[data-key="${name}"]:visible`);

async function touch(locator) {
  await rested(page);
  await locator.tap();
}
const tap = (name) => touch(key(name));
const menu = async (name) => {
  await touch(page.locator('[data-opens="menu"]'));
  await tap(name);
};
const says = (text) => asks(page, text);
// deals waits until the key says who deals: nothing else speaks of it, and nothing covers the table.
const deals = async (name) => {
  await page.waitForFunction((who) => document.querySelector('[data-key="dealer"]')?.textContent === `Dealer: ${who}`, name);
  assert.ok(await page.locator('#toast').isHidden());
};

async function enter(pin = PIN, name = 'anna') {
  await tap(`name-${name}`);
  for (const digit of pin) await key(`digit-${digit}`).tap();
  await tap('pin-enter');
}

// The bets of a round, on boxes 1 and 2.
const round = 'open; stake 1 a 20; stake 2 b 20; close';

for (const house of few(['wiesbaden', 'mendrisio'], ['mendrisio'])) {
  test(`${house}: shoe loaded asks elsewhere, says the count, and is taken back`, async () => {
    await live(house);
    await table.play('TS; resolve burn by=s1; 9D; resolve burn by=s1');
    await isFresh(page);
    const from = await placeOf(key('loaded'));
    await tap('loaded');
    const sheet = page.locator('#sheet-loaded');
    const full = house === 'mendrisio' ? 312 : 313;
    assert.match(await sheet.textContent(), new RegExp(`counts as full: ${full} cards. 2 have left it`));
    const to = await placeOf(key('loaded-yes'));
    const apart = to.y + to.height < from.y || to.x + to.width < from.x || to.x > from.x + from.width;
    assert.ok(apart, 'the second touch is elsewhere');
    await touch(page.locator('#sheet-loaded [data-closes]')); // changed their mind
    await page.waitForFunction(() => document.getElementById('sheet-loaded')?.hidden);
    assert.equal(await key('undo').count(), 0);
    await tap('loaded');
    await tap('loaded-yes');
    await key('undo').waitFor();
    await tap('undo');
    await key('undo').waitFor({ state: 'detached' });
    await tap('loaded');
    assert.match(await sheet.textContent(), /2 have left it/);
    await tap('loaded-yes');
    await key('undo').waitFor();
    await table.play('TS'); // a card: no way back
    await table.play('resolve burn by=s1');
    await key('undo').waitFor({ state: 'detached' });
    await key('open').waitFor();
    assert.deepEqual(complaints, []);
  });

  test(`${house}: the supervisor closes and opens the table, and changes its limits`, async () => {
    await live(house, ['-proof', 'pin']);
    await menu('table');
    await tap('table-close');
    await enter();
    await says('The table is closed');
    assert.match(await page.locator('#prompt').textContent(), /anna has closed it/);
    assert.match(await table.play('open'), /rejected: table-closed/);
    await menu('limits');
    await padLies(page, '#sheet-limits');
    await key('figure-5').tap();
    await key('figure-0').tap();
    await tap('limits-announce');
    await enter();
    await page.waitForFunction(() => document.getElementById('status')?.textContent.includes('50.00 – 500.00'));
    assert.equal(await key('table-open').getAttribute('class'), 'key step');
    await tap('table-open');
    await enter();
    await says('Open the bets');
    assert.match(await table.play('open; stake 1 a 20'), /below-minimum/);
    await isFresh(page);
    await menu('limits'); // not in a round
    assert.equal(await page.locator('#sheet-limits [data-figure]').count(), 0);
    assert.match(await page.locator('#sheet-limits').textContent(), /Only between two rounds/);
    assert.deepEqual(complaints, []);
  });
}

// The cards that a house burns are due between two rounds: no bets are opened before, and nobody has to put anything right.
test('cards are burnt after the loading, and after a relief by the value of the first', async () => {
  await live('campione');
  const aside = () => page.locator('#bank .aside').innerText();
  await says('Burn 5 cards');
  assert.equal(await page.locator('#prompt p').innerText(), 'Lay them aside; then open the bets');
  assert.equal(await key('open').count(), 0, 'bets can be opened before the cards are burnt');
  await table.card('TS 9D');
  await says('Burn 3 cards');
  assert.match(await aside(), /Aside/);
  await table.card('7C 8C');
  await says('Burn one card');
  await table.card('9C');
  await says('Open the bets');
  await tap('open');
  await says('Place your bets');
  await table.play('stake 1 a 20; close; TS 7D TH; dealer d2; dealer d3; rest; TC; paid');
  await says('Burn one card, then by its value');
  await table.card('3C');
  await says('Burn 3 cards');
  await table.card('KC KD KH');
  await says('Open the bets');
  assert.equal(await page.locator('#held.on').count(), 0);
  assert.deepEqual(complaints, []);
});

soakTest('limits that cannot be are not announced', async () => {
  await live('mendrisio');
  await menu('limits');
  const announce = key('limits-announce');
  assert.ok(await announce.isDisabled(), 'nothing has changed');
  await key('limit-max').tap();
  await key('figure-5').tap();
  assert.match(await page.locator('#sheet-limits .said').textContent(), /maximum is below the minimum/);
  assert.ok(await announce.isDisabled());
  await key('figure-0').tap();
  await key('figure-0').tap();
  await key('figure-0').tap();
  assert.ok(await announce.isEnabled());
  await tap('limits-announce');
  await page.waitForFunction(() => document.getElementById('status')?.textContent.includes('10.00 – 5,000.00'));
  assert.deepEqual(complaints, []);
});

// A reader types a badge, wherever the focus is: quicker than this test could press keys. However slow the machine is,
// each character comes right after the one before.
const badge = (number, ends = true) => page.evaluate((keys) => {
  const { timeStamp: at } = new Event('keydown');
  for (const one of keys) {
    const press = new KeyboardEvent('keydown', { key: one, bubbles: true, cancelable: true });
    Object.defineProperty(press, 'timeStamp', { value: at });
    document.activeElement.dispatchEvent(press);
  }
}, [...number, ...(ends ? ['Enter'] : [])]);

for (const house of few(['wiesbaden', 'mendrisio'], ['mendrisio'])) {
  test(`${house}: dealers are proven by PIN and badge, and relieve each other between two rounds`, async () => {
    await live(house, ['-dealers', 'pin-or-badge']);
    await says('Dealer: sign in');
    assert.equal(await key('open').count(), 0);
    await tap('dealer');
    await key('dealer-d7').tap();
    await padLies(page, '#sheet-relief');
    for (const digit of '1111') await key(`cipher-${digit}`).tap();
    await tap('relief-enter');
    await page.waitForFunction(() => /Wrong PIN – 2 tries left/.test(document.querySelector('#sheet-relief .said')?.textContent));
    for (const digit of '2580') await key(`cipher-${digit}`).tap();
    assert.equal(await page.locator('#sheet-relief .entry b').textContent(), '●●●●');
    await tap('relief-enter');
    await says('Open the bets');
    await deals('d7');
    await badge('00ab99cc');
    await deals('d9');
    await page.waitForFunction(() => document.querySelector('[data-key="dealer"]')?.textContent === 'Dealer: d9');
    await table.play(round);
    await badge('00417788');
    await toast(page, 'between two rounds');
    assert.deepEqual(complaints, []);
    assert.ok(!wanted.some((url) => /0417788|AB99CC/i.test(url)), 'no number is in an address');
  });
}

test('a badge works wherever the focus is, triggers no shortcut, and is not shown', async () => {
  await live('wiesbaden', ['-dealers', 'badge']);
  await badge('00417788');
  await deals('d7');
  await table.play(round);
  await table.play('8S 8D 9D 8H 9H');
  await page.waitForFunction(() => document.querySelector('[data-key="rest"]'));
  const before = await page.locator('#prompt h1').textContent();
  await page.evaluate(() => {
    window.heard = [];
    document.addEventListener('keydown', (press) => window.heard.push(press.key));
  });
  for (const focus of ['[data-opens="menu"]', '#keys .key', 'body']) {
    await page.evaluate((on) => document.querySelector(on).focus(), focus);
    await badge('CRD52SCR'); // shortcuts of Card, Rest, Double, Split, and of boxes
    await toast(page, 'between two rounds');
    await page.evaluate(() => { document.getElementById('toast').textContent = ''; });
  }
  await badge('CRDSCRDS', false); // a reader that lost its Enter
  // The page waits 50 ms for more, and then drops it: a timer that is set later, and for longer, comes after that.
  await page.evaluate(() => new Promise((dropped) => { setTimeout(dropped, 51); }));
  assert.deepEqual(await page.evaluate(() => window.heard), []);
  assert.equal(await page.locator('#prompt h1').textContent(), before);
  assert.ok(!(await page.content()).includes('CRD52SCR'));
  await page.keyboard.press('r'); // a person
  await page.waitForFunction((was) => document.querySelector('#prompt h1').textContent !== was, before);
  assert.deepEqual(await page.evaluate(() => window.heard), ['r']);
  assert.deepEqual(complaints, []);
});

soakTest('what a person types in a field arrives there, in its order', async () => {
  await live('wiesbaden', ['-dealers', 'badge']);
  await page.evaluate(() => {
    const field = document.createElement('input');
    field.id = 'field';
    document.body.append(field);
    field.focus();
  });
  await page.keyboard.type('twins', { delay: 70 });
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.type('ab', { delay: 10 });
  await page.waitForFunction(() => document.getElementById('field')?.value === 'twinabs');
  await badge('00417788');
  await deals('d7');
  assert.equal(await page.locator('#field').inputValue(), 'twinabs');
});

soakTest('a table of no badges takes every key at once', async () => {
  await live('wiesbaden');
  await page.keyboard.press('m');
  await page.waitForFunction(() => !document.querySelector('[data-sheet="menu"]').hidden);
  assert.equal(await page.evaluate(() => 'badge' in document.documentElement.dataset), false);
});
