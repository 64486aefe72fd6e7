import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { Table, buildServer, few, openBrowser, overhear, rested, rotated, soakTest } from './table.mjs';

const small = { width: 800, height: 480 };
const PIN = '4711';

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
  for (const context of browser.contexts()) await context.close();
  await table?.end();
  table = undefined;
  assert.deepEqual(complaints, []);
});

async function screen(size = small) {
  const opened = await (await browser.newContext({ viewport: size, hasTouch: true })).newPage();
  overhear(opened, complaints);
  await opened.goto(table.url, { waitUntil: 'load' });
  return opened;
}

async function live(house, proof, ...lines) {
  table = await Table.live(program, { house }, '-proof', proof);
  for (const line of lines) await table.play(line);
  page = await screen();
}

const key = (name, on = page) => on.locator(`[data-key="${name}"]:visible`);

async function tap(name, on = page) {
  await rested(on);
  await key(name, on).tap();
}

/** Waits until the hand in the header says how the call stands, "" for no call. */
const stands = (want, on = page) => on.waitForFunction(
  (text) => (document.querySelector('#status .floor small')?.textContent ?? '') === text, want,
);
const closed = (on = page) => on.waitForFunction(() => document.getElementById('sheet-floor')?.hidden);

const dealings = [
  ['wiesbaden', 'TS 9D 9H 3C 7C'],
  ['baden', 'TS 9D 9H'],
];

for (const [house, dealt] of few(dealings, dealings.slice(1))) {
  test(`only by touch in ${house}: called, answered on a second screen, and done`, async () => {
    await live(house, 'pin', 'open; stake 1 anna 20; stake 4 ben 50; close', dealt);
    const pit = await screen({ width: 1024, height: 600 });
    await stands('');
    await tap('floor');
    await tap('floor-dispute');
    await closed();
    await stands('Floor called: Dispute');
    await stands('Floor called: Dispute', pit);
    assert.equal(await page.locator('#alarm > button').count(), 0, 'the hand says it, and no alarm besides');

    await tap('floor', pit);
    await tap('floor-coming', pit);
    await tap('name-anna', pit);
    for (const digit of PIN) await key(`digit-${digit}`, pit).tap();
    await tap('pin-enter', pit);
    await pit.waitForFunction(() => document.getElementById('sheet-pin')?.hidden ?? true);
    await stands('anna is coming', pit);
    await stands('anna is coming');

    await tap('floor');
    await tap('floor-done');
    await stands('');
    await stands('', pit);
  });
}

soakTest('it works between rounds, while bets are open, and while the round is held', async () => {
  await live('schaffhausen', 'none');
  for (const [line, reason, says] of [
    ['', 'break', 'Floor called: Break'],
    ['open; stake 1 anna 20; stake 4 ben 50', 'chips', 'Floor called: Chips'],
    ['close; TS 9D ??', 'none', 'Floor called'],
  ]) {
    if (line) await table.play(line);
    await tap('floor');
    await tap(`floor-${reason}`);
    await stands(says);
    await tap('floor');
    await tap('floor-done');
    await stands('');
  }
  assert.match(await page.textContent('#prompt h1'), /STOP/, 'it put nothing right');
});

soakTest('a call for something else has to be answered again', async () => {
  await live('st-moritz', 'none', 'open');
  await tap('floor');
  await tap('floor-guest');
  await stands('Floor called: Guest');
  await tap('floor');
  await tap('floor-coming');
  await stands('supervisor is coming');
  await tap('floor');
  await tap('floor-dispute');
  await stands('Floor called: Dispute');
});

test('an undo leaves the call, and takes back what it would have without it', async () => {
  await live('wiesbaden', 'none', 'open; stake 1 anna 20; stake 4 ben 50; close', 'TS 9D 9H 3C 7C');
  await tap('rest');
  await page.waitForFunction(() => /Box 4/.test(document.querySelector('#prompt h1')?.textContent));
  await tap('floor');
  await tap('floor-none');
  await stands('Floor called');
  await tap('undo');
  await page.waitForFunction(() => /Box 1/.test(document.querySelector('#prompt h1')?.textContent));
  await stands('Floor called');
});

test('its keys are large enough on the smallest screen, and none is cut', async () => {
  await live('schaffhausen', 'none', 'floor called dispute by=d7');
  const sizes = [small, { width: 1024, height: 600 }, { width: 600, height: 1024 }, { width: 390, height: 844 }];
  for (const [language, size] of rotated(['de', 'it', 'fr', 'en', 'zh'], sizes)) {
    await page.setViewportSize(size);
    await page.goto(`${table.url}?lang=${language}`, { waitUntil: 'load' });
    await page.locator('.key.floor').tap();
    const wrong = await page.evaluate(() => [...document.querySelectorAll('#sheet-floor .key, #status .key')].filter((one) => {
      const { width, height, right, bottom } = one.getBoundingClientRect();
      return width < 44 || height < 44 || right > innerWidth || one.closest('.floor-sheet') && one.scrollWidth > one.clientWidth + 1 || bottom > innerHeight && !one.closest('.floor-sheet');
    }).map((one) => one.textContent));
    assert.deepEqual(wrong, [], `${size.width}×${size.height} in ${language}`);
  }
});
