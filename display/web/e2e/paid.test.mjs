// What a house pays or takes at once, by touch, with a real table behind the page.

import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { padLies } from '../../../internal/testkit/pages/pad.mjs';
import { Table, asks, buildServer, isFresh, openBrowser, overhear, rested, soakTest } from './table.mjs';

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

async function live(house, language = 'en') {
  table = await Table.live(program, { house, keys_apart: -1 }, '-language', language);
  const context = await browser.newContext({ viewport: { width: 800, height: 480 }, hasTouch: true });
  page = await context.newPage();
  overhear(page, complaints, {});
  await page.goto(table.url, { waitUntil: 'domcontentloaded' });
}

const shows = (headline) => asks(page, headline);

const framed = () => page.evaluate(() => [...document.querySelectorAll('.box.active')].map((box) => box.id));

// marked are the boxes with chips that are to be moved now, whatever is due.
const marked = () => page.evaluate(() => [...document.querySelectorAll('.box.moves')].map((box) => box.id));

// named is the box that a key says that it acts on.
const named = (name) => page.locator(`#keys [data-key="${name}"] .on`).innerText();

// Two touches are never so close that the second could be a bounce of the first.
async function tap(selector) {
  await rested(page);
  await page.locator(selector).tap();
}

const key = (name) => `#keys [data-key="${name}"]`;
const box = (number) => `#box-${number} > .whole`;

// onBox is what stands on a box, without what is only looked at.
const onBox = (number) => page.locator(`#box-${number}`).innerText();

test('Wiesbaden: Twins are paid by a touch of the box, taken by the golden key, and not asked for again', async () => {
  await live('wiesbaden');
  await table.play('open; stake 1 anna 20; stake 1 anna 10 twins; stake 3 ben 50; stake 3 ben 10 twins; stake 3 chiara 20 twins; close');
  await table.card('TS 8D 6D 9H 8S');
  await shows('Take Twins on box 1: 10.00');
  assert.deepEqual(await framed(), ['box-1']);
  assert.equal(await page.locator('#prompt p').innerText(), 'Box 1: Card or Stand?');

  await tap(key('now'));
  await shows('Pay Twins on box 3: 330.00');
  assert.deepEqual(await framed(), ['box-1'], 'the keys of the calls act on box 1');
  assert.deepEqual(await marked(), ['box-3']);
  assert.equal(await named('now'), 'Box 3');
  assert.equal(await named('rest'), 'Box 1');

  await tap(box(3));
  await shows('Box 1: Card or Stand?');
  assert.deepEqual(await framed(), ['box-1']);
  assert.deepEqual(await marked(), []);
  assert.match(await onBox(3), /\+110\.00\s*Paid\s*chiara\s*\+220\.00\s*Paid/);
  assert.equal(await page.locator(box(3)).count(), 0, 'a second touch would do something');

  // A mistake is taken back, and paid again.
  await tap(key('undo'));
  await shows('Pay Twins on box 3: 330.00');
  await tap(key('now'));
  await shows('Box 1: Card or Stand?');

  await tap(key('rest'));
  await shows('Box 3: Card, Stand or Split?');
  await tap(key('rest'));
  await shows('Bank draws');
  await table.card('9C 3S');
  await shows('Pay and press Paid');
  assert.equal(await page.locator('#prompt p').innerText(), 'In all 20.00 EUR');
  assert.doesNotMatch(await page.locator('.settle').innerText(), /330/);
  await tap(box(1));
  await page.waitForFunction(() => document.querySelector('#box-1.settled'));
  await tap(box(3));
  await shows('Open the bets');

  // Two seconds later somebody complains: until bets open again the last payment can be taken back.
  assert.equal(await page.locator(key('undo')).getAttribute('aria-label') ?? await page.locator(key('undo')).innerText(), 'Take back: Taken');
  await tap(key('undo'));
  await shows('Pay and press Paid');
  assert.ok(await page.locator('#box-1.settled').count());
  assert.equal(await page.locator('#box-3.settled').count(), 0);
  await tap(box(3));
  await shows('Open the bets');
  await tap(key('open'));
  await page.waitForFunction(() => document.querySelector('#prompt h1')?.textContent !== 'Open the bets');
  assert.equal(await page.locator(key('undo')).count(), 0, 'bets are open, and the payment can be taken back');
  assert.deepEqual(complaints, []);
});

test('the bettors of a box are paid one by one, and another amount is told in figures and in chips', async () => {
  await live('wiesbaden');
  await table.play('open; stake 1 anna 20; stake 1 ben 30; stake 2 chiara 20; close');
  await table.card('TS TC 7D 9H 8H');
  for (const number of [1, 2]) {
    await page.waitForFunction((id) => document.querySelector('.box.active')?.id === id, `box-${number}`);
    await tap(key('rest'));
  }
  await page.waitForFunction((rest) => !document.querySelector(rest), key('rest'));
  await table.card('TD');
  await shows('Pay and press Paid');
  const sheet = (name) => `#sheet-each [data-key="${name}"]`;
  await tap(key('each'));
  assert.match(await page.locator('#sheet-each').innerText(), /Box 1\s*anna\s*\+20\.00[^]*1×20[^]*Box 1\s*ben\s*\+30\.00[^]*Box 2\s*chiara\s*\+20\.00/);
  await tap(sheet('paid-1-anna'));
  await page.waitForFunction(() => !document.querySelector('[data-key="paid-1-anna"]'));

  // One wrong amount: one more touch for the bettor, one for each figure, one for Paid.
  await tap(key('each'));
  await tap(sheet('other-paid-1-ben'));
  assert.match(await page.locator('#sheet-each .entry').innerText(), /Box 1, ben: 30\.00 is due\. What was paid\?\s*0\.00/);
  await padLies(page, '#sheet-each');
  await tap(sheet('pays-2'));
  await tap(sheet('pays-5'));
  await tap(sheet('pays-enter'));
  await page.waitForFunction(() => document.querySelector('#held.on'));
  assert.match(await page.locator('#table').innerText(), /On box 1, ben was paid 25\.00 EUR where 30\.00 EUR is due\./);
  await table.play('resolve accept by=s1');
  await shows('Pay and press Paid');

  // In chips, and it was right after all.
  await tap(key('each'));
  await tap(sheet('other-paid-2-chiara'));
  await tap(sheet('lay-1000'));
  await tap(sheet('lay-1000'));
  await tap(sheet('pays-enter'));
  await shows('Open the bets');
  assert.deepEqual(complaints, []);
});

test('Schaffhausen: surrender, three sevens and a bust, each moved at once', async () => {
  await live('schaffhausen');
  await table.play('open; stake 1 anna 20; stake 1 ben 10; stake 2 chiara 20; stake 3 dario 50; close');
  await table.card('9S 7D TS 6C 7C 7H 8D');
  await shows('Box 1: Card, Stay, Double or Surrender?');
  await tap(key('surrender'));
  await tap('#sheet-who-surrender [data-key="ben"]');
  await shows('Give back on box 1: 5.00');
  await tap(box(1));
  await shows('Box 1: Card, Stay, Double or Surrender?');
  await tap(key('rest'));
  await shows('Box 2: Card, Stay, Double, Split or Surrender?');
  await tap(key('card'));
  await shows('Card to box 2');
  await table.card('7S');
  await shows('Pay Three sevens on box 2: 20.00');
  await tap(box(2));
  await shows('Box 3: Card, Stay, Double or Surrender?');
  await tap(key('card'));
  await shows('Card to box 3');
  await table.card('KC');
  await shows('Take the stakes on box 3: 50.00');
  assert.equal(await page.locator('#prompt p').innerText(), 'Bank draws');
  await tap(box(3));
  await shows('Bank draws');
  await table.card('TH 2S');
  await shows('Pay and press Paid');

  // Box 3 has nothing left: two touches close the round.
  await tap(box(1));
  await page.waitForFunction(() => document.querySelector('#box-1.settled'));
  await tap(box(2));
  await shows('Open the bets');
  assert.deepEqual(complaints, []);
});

test('a dealer who goes on is asked no more, and has it in the payment', async () => {
  await live('mendrisio', 'it');
  await table.play('open; stake 1 anna 20; stake 2 anna 20; stake 2 anna 10 admiral-jack; close');
  await table.card('TS AS 6D 9H KD');
  await shows('Pagare Admiral Jack, casella 2: 190,00');
  await tap(key('rest'));
  await shows('Pagare Black Jack, casella 2: 30,00');
  await table.card('TH 2S');
  await shows('Pagare e premere «Pagato»');
  assert.match(await page.locator('#prompt p').innerText(), /240,00/);
  await tap(key('paid'));
  await shows('Aprire le puntate');
  assert.deepEqual(complaints, []);
});

for (const [house, cards] of [['wiesbaden', 'TS TC 7D 9H 6H'], ['schaffhausen', 'TS TC 7D 9H 6H']]) {
  test(`${house}: after a correction the box says what is still to be paid, and the header that alone`, async () => {
    const currency = (amount) => `${amount} ${{ wiesbaden: 'EUR', schaffhausen: 'CHF' }[house]}`;
    await live(house);
    await table.play('open; stake 1 anna 100; stake 2 ben 20; close');
    await table.card(cards);
    await table.play('rest; rest');
    await table.card('TD');
    await table.play('paid box 1 100; hold by=s1; correct stake 1 anna 150 by=s1; resolve continue by=s1');
    await page.waitForFunction(() => document.querySelector('#box-1 .foot')?.textContent.includes('paid already'));
    const words = async (selector) => (await page.locator(selector).innerText()).replace(/\s+/g, ' ');
    assert.match(await words('#box-1 .foot'), /^50(\.00)? ?more \(100\.00 paid already\)$/);
    const prompt = await words('#prompt');
    assert.ok(prompt.includes(`In all ${currency('50.00')}`), prompt);
    assert.ok(prompt.includes(`Box 1, anna: ${currency('50.00')} more (${currency('100.00')} paid already)`), prompt);
    const cut = await page.evaluate(() => [...document.querySelectorAll('#box-1 .foot, #prompt p')]
      .filter((one) => one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 2).map((one) => one.textContent));
    assert.deepEqual(cut, []);
    await tap(box(1));
    await page.waitForFunction(() => !document.querySelector('#prompt')?.textContent.includes('paid already'));
    assert.deepEqual(complaints, []);
  });
}

// through counts the points of a sheet at which a touch would meet something else.
const through = (sheet) => page.evaluate((selector) => {
  const part = document.querySelector(selector);
  const { left, right, top, bottom } = part.getBoundingClientRect();
  let count = 0;
  for (let x = left + 20; x < right - 20; x += 20) {
    for (let y = top + 20; y < bottom - 20; y += 20) {
      count += part.contains(document.elementFromPoint(x, y)) ? 0 : 1;
    }
  }
  return count;
}, sheet);

// seven boxes with two co-players each, all of whom have won.
async function sevenWith(house) {
  await live(house);
  const seven = [1, 2, 3, 4, 5, 6, 7];
  await table.play(`open; ${seven.map((n) => `stake ${n} ${n} 30; stake ${n} ${n}a 25; stake ${n} ${n}b 10`).join('; ')}; close`);
  await table.card('9S 9H 9D 9C 8S 8H 8D TS TC TD TH KS KH KD KC');
  await table.play(seven.map(() => 'rest').join('; '));
  await table.card('7C');
  await shows('Pay and press Paid');
}

for (const house of ['wiesbaden', 'schaffhausen']) {
  test(`${house}: seven boxes with two co-players each take one touch, and one wrong amount six more`, async () => {
    await sevenWith(house);
    const shares = await page.locator('button.share').evaluateAll((all) => all.map((one) => {
      const { x, y, width, height } = one.getBoundingClientRect();
      return { name: one.querySelector('span').textContent, text: one.textContent, width, height, cut: one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1 || y + height > innerHeight || x + width > innerWidth };
    }));
    assert.equal(shares.length, 21);
    assert.deepEqual(shares.filter((one) => one.cut || one.height < 44 || one.width < 44), []);
    assert.match(shares[1].text, /^1a\+25\.001×201×5$/);

    // One is paid alone on the box itself, and taken back.
    await tap('#box-3 [data-key="on-paid-3-3a"]');
    await page.waitForFunction(() => document.querySelectorAll('#box-3 button.share').length === 2);
    assert.match(await page.locator('#box-3 p.share').innerText(), /^✓\s*3a\s*\+25\.00$/);
    await tap(key('undo'));
    await page.waitForFunction(() => document.querySelectorAll('#box-3 button.share').length === 3);

    let touches = 0;
    const touch = async (selector) => {
      await tap(selector);
      touches += 1;
    };
    const sheet = (name) => `#sheet-each [data-key="${name}"]`;
    await touch(key('each'));
    assert.equal(await through('#sheet-each'), 0, 'what lies on the boxes comes through the sheet');
    await touch(sheet('other-paid-3-3a'));
    await touch(sheet('pays-2'));
    await touch(sheet('pays-0'));
    await touch(sheet('pays-enter'));
    await page.waitForFunction(() => document.querySelector('#held.on'));
    await touch('[data-key="accept"]:visible');
    await shows('Pay and press Paid');
    assert.equal(touches, 6);
    await touch(key('paid'));
    await shows('Open the bets');
    assert.equal(touches, 7);
    assert.deepEqual(complaints, []);
  });
}

// lines are what a box says of the chips on its line, and cut those that are not read whole.
const lines = (number) => page.locator(`#box-${number} > .on-line`).allInnerTexts();
const cut = (number) => page.evaluate((selector) => [...document.querySelectorAll(selector)]
  .filter((one) => one.scrollWidth > one.clientWidth + 1 || one.getBoundingClientRect().bottom > one.parentElement.getBoundingClientRect().bottom)
  .map((one) => one.textContent), `#box-${number} > .on-line`);

// tapNumber touches a box where none of its bettors is.
async function tapNumber(number) {
  await rested(page);
  await page.locator(box(number)).tap({ position: { x: 12, y: 12 } });
}

// halfAChip pays a Black Jack of 5.00 with 7.00 and half a chip, has that won in the next round, and laid and lost in those after.
async function halfAChip(house) {
  await live(house);
  const open = 'open; stake 1 anna 5; stake 1 ben 6; stake 2 chiara 10; close';
  const plain = (all) => all.map((text) => text.replace(/\u00a0/g, ' '));
  await table.play(open);
  await table.card('AS 9D 7D TH 9C');
  await page.waitForFunction(() => document.querySelector('#box-1 > .on-line'));
  assert.deepEqual(plain(await lines(1)), ['Lay 1.00 on line: ½ anna']);
  await table.play('rest');
  await table.card('TC');
  await shows('Pay and press Paid');
  assert.deepEqual(plain(await lines(1)), ['Lay 1.00 on line: ½ anna']);
  assert.deepEqual(await lines(2), []);
  assert.match(await page.locator('.settle').innerText(), /Box 1\s+Pay 16\.00\s+Lay 1\.00 on line: ½\sanna/);
  assert.deepEqual(await cut(1), []);
  await tapNumber(1);
  await page.waitForFunction(() => document.querySelector('#box-1.settled'));
  assert.deepEqual(plain(await lines(1)), ['1.00 on line: ½ anna'], 'it is laid, and is to be laid again');
  await tap(key('paid'));
  await shows('Open the bets');
  await tap(key('open'));
  await shows('Place your bets');
  assert.deepEqual(plain(await lines(1)), ['1.00 on line: ½ anna']);
  assert.deepEqual(await cut(1), []);

  // She wins: the chip is hers, and among what she is paid.
  await table.play(open.replace('open; ', ''));
  await table.card('TS 9D 7D TH 9C');
  await table.play('rest; rest');
  await table.card('TC');
  await shows('Pay and press Paid');
  assert.deepEqual(await lines(1), ['1.00 of it from line: anna']);
  await tapNumber(1);
  await page.waitForFunction(() => document.querySelector('#box-1.settled'));
  assert.deepEqual(await lines(1), []);
  await tap(key('paid'));
  await shows('Open the bets');

  // Another half is left, and lost in the round after.
  await table.play(open);
  await table.card('AS 9D 7D TH 9C');
  await table.play('rest');
  await table.card('TC');
  await table.play('paid');
  await table.play(open);
  await table.card('TS 9D 7D 6H 9C');
  await table.play('rest; rest');
  await table.card('TC');
  await shows('Pay and press Paid');
  assert.deepEqual(await lines(1), ['Take 1.00 from line: anna']);
  await tapNumber(1);
  await page.waitForFunction(() => document.querySelector('#box-1.settled'));
  assert.deepEqual(await lines(1), []);
  await tapNumber(2);
  await shows('Open the bets');
  assert.deepEqual(complaints, []);
}

test('Olympic: half a chip stays on the line, and the box says whose it is and what is done with it', () => halfAChip('olympic'));
soakTest('the same at Wiesbaden’s rules', () => halfAChip('half'));

test('a double for less: one key, and the amount', async () => {
  await live('keys');
  await table.play('open; stake 1 anna 50; close');
  await table.card('5S 6D 4H');
  await shows('Box 1: Card or Double?');
  await tap(key('less'));
  await tap('#sheet-less [data-pays="2"]');
  await tap('#sheet-less [data-pays="0"]');
  assert.equal(await page.locator('#sheet-less .entry b').innerText(), '20.00');
  await tap('#sheet-less .do');
  await shows('Card to box 1');
  await table.card('TC');
  await isFresh(page);
  assert.match(await onBox(1), /70\.00/);
  assert.deepEqual(complaints, []);
});
