// The tray at the dealer's page: counting it, filling it, selling from it, each touch counted.

import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { faults } from './faults.mjs';
import { padLies } from '../../../internal/testkit/pages/pad.mjs';
import { Table, buildServer, isFresh, openBrowser, overhear, rested } from './table.mjs';

const small = { width: 800, height: 480 };
const PIN = '4711';

let program;
let browser;
let table;
let page;
let complaints;
let touches;

before(async () => {
  program = buildServer();
  browser = await openBrowser();
});

after(() => browser?.close());

afterEach(async () => {
  for (const context of browser.contexts()) await context.close();
  await table?.end();
  table = undefined;
});

/** A table with a supervisor's PIN at which d7 deals. */
async function live(size = small, language = 'en', proof = 'pin') {
  complaints = [];
  touches = 0;
  table = await Table.live(program, { house: 'wiesbaden' }, '-proof', proof);
  page = await browser.newPage({ viewport: size, hasTouch: true });
  overhear(page, complaints);
  await page.goto(`${table.url}?lang=${language}`, { waitUntil: 'load' });
  await page.evaluate(() => fetch('/dealer', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"name":"d7"}' }));
  await page.waitForFunction(() => document.querySelector('[data-key="dealer"]')?.textContent.includes('d7'));
}

const key = (name) => page.locator(`[data-key="${name}"]:visible`);

async function tap(name) {
  await rested(page);
  await key(name).tap();
  touches += 1;
}

async function open() {
  await rested(page);
  await page.locator('[data-opens="menu"]').tap();
  touches += 1;
  await tap('float');
}

async function pin(name = 'anna') {
  await tap(`name-${name}`);
  for (const digit of PIN) await key(`digit-${digit}`).tap();
  await tap('pin-enter');
}

const recorded = async (kind) => (await table.say('transcript')).split('\t').filter((line) => line.includes(`"in":"${kind}"`)).map((line) => JSON.parse(line));

/** Waits until so many inputs of a kind are on record, and returns them. */
async function until(kind, count) {
  for (;;) {
    const all = await recorded(kind);
    if (all.length >= count) return all;
  }
}

const tubes = [['1', '2'], ['2', '0'], ['3', '1'], ['4', '0'], ['6', '0'], ['8', '0'], ['2', '5'], ['0', '0']];
const counted = ['100000x12', '50000x20', '10000x31', '5000x40', '2000x60', '1000x80', '500x25', '200x0'];

/** Counts the tray: two figures a value, and the last with none. */
async function count() {
  for (const figures of tubes.slice(0, -1)) {
    for (const one of figures) await tap(`pieces-${one}`);
  }
  await tap('float-next');
}

test('an opening count of eight values takes two touches each, and two names', async () => {
  await live();
  await open();
  await tap('tray-opening');
  await padLies(page, '#sheet-float .beside');
  touches = 0;
  assert.ok(await key('float-do').isDisabled(), 'nothing is counted yet');
  await count();
  assert.ok(touches <= 2 * tubes.length, `${touches} touches for ${tubes.length} values`);
  assert.equal(await page.locator('[data-sum]').textContent(), '29,225.00');
  await tap('float-do');
  assert.match(await page.locator('#sheet-pin .enter').textContent(), /Opening count: 29,225.00/);
  await pin();
  const [one] = await until('count', 1);
  assert.deepEqual({ ...one }, { in: 'count', event: 'opening', chips: counted, dealer: 'd7', by: 'anna' });
  await page.waitForFunction(() => !document.querySelector('[data-key="tray-opening"]'));
  assert.deepEqual(complaints, []);
});

test('a count stays entered while somebody else is fetched, and a wrong figure is taken back', async () => {
  await live();
  await open();
  await tap('tray-opening');
  for (const one of ['more', '2', '0', 'back', '5']) await tap(`pieces-${one}`);
  const pieces = (value) => page.locator(`[data-row="${value}"] .pieces`).textContent();
  assert.equal(await pieces(100_000), '125 ×');
  await tap('row-100000');
  for (const one of ['1', '2']) await tap(`pieces-${one}`);
  assert.equal(await pieces(100_000), '12 ×');
  for (const figures of tubes.slice(1, -1)) {
    for (const one of figures) await tap(`pieces-${one}`);
  }
  await tap('float-next');
  await tap('float-do');
  await page.locator('#sheet-pin [data-closes]').tap();
  await open();
  assert.equal(await page.locator('[data-sum]').textContent(), '29,225.00');
  await tap('float-do');
  await pin();
  assert.equal((await until('count', 1))[0].chips.length, 8);
});

test('a closing count closes the table, and no other way leads out of it', async () => {
  await live();
  await table.play('count opening 5x20 100x50 dealer=d7 by=anna');
  await open();
  await tap('tray-closing');
  await count();
  await tap('float-do');
  await pin();
  await page.waitForFunction(() => document.querySelector('#prompt h1')?.textContent === 'The table is closed');
  assert.deepEqual((await recorded('count')).map((one) => one.event), ['opening', 'closing']);
  assert.deepEqual(await recorded('table'), [], 'one input does both');
});

test('what the last count came to is said, and by how much it differs while the key is turned alone', async () => {
  await live(small, 'en', 'pin-or-key');
  await open();
  await tap('tray-opening');
  await count();
  await tap('float-do');
  await pin();
  await until('count', 1);
  await table.play('tips 5 by=d7');
  await open();
  await tap('tray-interim');
  await count();
  await tap('float-do');
  await pin();
  await key('told-show').waitFor(); // a sheet that the answer opens: what is opened before gives way to it
  await page.locator('#sheet-told [data-closes]').tap();
  await open();
  const said = page.locator('#sheet-float [data-last]');
  assert.equal(await said.textContent(), 'Last count: 29,225.00');
  await table.say('key on');
  await page.waitForFunction(() => /Counted 29,225.00, differs by −5.00/.test(document.querySelector('#sheet-float [data-last]')?.textContent));
});

test('who has proven it by PIN alone may see by how much a count differs, and nobody after', async () => {
  await live();
  await table.play('count opening 100x50 dealer=d7 by=anna');
  await open();
  await tap('tray-interim');
  await count();
  await tap('float-do');
  await pin();
  await key('told-show').waitFor();
  await isFresh(page);
  const all = () => page.evaluate(() => document.body.textContent);
  assert.doesNotMatch(await all(), /differs by [+−]/, 'the dealer stands beside');
  await tap('told-show');
  assert.match(await page.locator('[data-told]').textContent(), /^Counted 29,225.00, differs by \+24,225.00$/);
  await page.locator('#sheet-told [data-closes]').tap();
  assert.doesNotMatch(await all(), /differs by [+−]/);
  await open();
  assert.equal(await page.locator('#sheet-float [data-last]').textContent(), 'Last count: 29,225.00');
  assert.deepEqual(complaints, []);
});

test('a fill is asked for at the table, approved, and said to be on its way', async () => {
  await live();
  await table.play('count opening 5x20 100x50 dealer=d7 by=anna');
  await isFresh(page);
  await open();
  await tap('tray-fill');
  await tap('row-10000');
  for (const one of ['2', '0']) await tap(`pieces-${one}`);
  await tap('row-500');
  for (const one of ['4', '0']) await tap(`pieces-${one}`);
  await tap('float-do');
  const [asked] = await until('fill', 1);
  assert.deepEqual(asked.chips, ['10000x20', '500x40']);
  await table.play('fill approved 1 by=anna');
  await page.waitForFunction(() => document.querySelector('[data-key="tray-fill-sent-1"]'));
  await open();
  await tap('tray-fill-sent-1');
  await until('fill', 3);
  await key('due-fill').waitFor();
  assert.match(await key('due-fill').textContent(), /Fill 1 is here: count it/);
  assert.deepEqual(complaints, []);
});

test('a fill that is here is counted in four touches, however many values it has', async () => {
  await live();
  const chips = '1000x2 100x20 50x20 20x20 5x40';
  await table.play(`count opening 5x20 100x50 dealer=d7 by=anna; fill asked ${chips} by=d7; fill approved 1 by=anna; fill sent 1 ${chips} by=cage`);
  await key('due-fill').waitFor();
  touches = 0;
  await tap('due-fill');
  assert.ok(await key('float-do').isDisabled(), 'nothing is counted yet');
  await tap('row-5000');
  assert.ok(await key('float-do').isDisabled(), 'two values are not counted');
  await tap('row-500');
  await tap('float-do');
  assert.ok(touches <= 4, `${touches} touches`);
  const steps = await until('fill', 4);
  assert.deepEqual(steps.map((one) => one.event), ['asked', 'approved', 'sent', 'received']);
  await page.waitForFunction(() => !document.querySelector('[data-key="due-fill"]'));
  assert.deepEqual(complaints, []);
});

test('a value of a fill that was touched by mistake is counted anew, with those after it', async () => {
  await live();
  await table.play('count opening 5x20 100x50 dealer=d7 by=anna; fill asked 100x2 50x2 5x4 by=d7; fill approved 1 by=anna; fill sent 1 100x2 50x2 5x4 by=cage');
  await tap('due-fill');
  await tap('row-500');
  assert.ok(await key('float-do').isEnabled());
  await tap('row-5000');
  const ticks = () => page.$$eval('#sheet-float [data-row]:not([hidden])', (rows) => rows.map((row) => row.classList.contains('counted')));
  assert.deepEqual(await ticks(), [true, false, false]);
  assert.ok(await key('float-do').isDisabled());
});

test('a credit that is to be given out leads to its key', async () => {
  await live();
  await table.play('count opening 5x20 100x50 dealer=d7 by=anna; credit asked 100x2 by=d7; credit approved 1 by=anna');
  await tap('due-credit');
  await tap('tray-credit-sent-1');
  assert.deepEqual((await until('credit', 3)).map((one) => one.event), ['asked', 'approved', 'sent']);
});

test('chips are sold, changed, tips are laid in, a supervisor takes back, and the drop box is taken off', async () => {
  await live();
  await open();
  await tap('tray-buy-in');
  await padLies(page, '#sheet-float .beside');
  for (const one of ['1', '0', '0']) await tap(`pieces-${one}`);
  await tap('float-do');
  assert.equal((await until('buy-in', 1))[0].amount, 10_000);
  await open();
  await tap('tray-change');
  await tap('row-1000');
  for (const one of ['1', '0']) await tap(`pieces-${one}`);
  await tap('float-next');
  await tap('row-10000');
  await tap('pieces-2');
  assert.ok(await key('float-do').isDisabled(), 'they are not worth the same');
  await tap('pieces-back');
  await tap('pieces-1');
  await tap('float-do');
  const [change] = await until('change', 1);
  assert.deepEqual([change.chips, change.for], [['1000x10'], ['10000x1']]);
  await open();
  await tap('tray-tips');
  await tap('pieces-5');
  await tap('float-do');
  assert.equal((await until('tips', 1))[0].amount, 500);
  await open();
  await tap('tray-buy-in-back');
  for (const one of ['2', '0']) await tap(`pieces-${one}`);
  await tap('float-do');
  assert.match(await page.locator('#sheet-pin .enter').textContent(), /Take back chips sold: 20.00/);
  await pin();
  const back = (await until('buy-in', 2))[1];
  assert.deepEqual([back.amount, back.by], [-2000, 'anna']);
  await open();
  await tap('tray-drop');
  await pin('bruno');
  assert.equal((await until('drop', 1))[0].by, 'bruno');
  assert.deepEqual(complaints, []);
});

test('after a round without amounts the supervisor reads that nobody can say by how much a count differs', async () => {
  await live();
  await table.play('count opening 100x50 dealer=d7 by=anna; open; stake 1 a -; close; TS 7D 9H; rest; TD; paid');
  await open();
  await tap('tray-interim');
  await count();
  await tap('float-do');
  await pin();
  await tap('told-show');
  assert.equal(await page.locator('[data-told]').textContent(), 'Counted 29,225.00, difference unknown');
  assert.deepEqual(complaints, []);
});
