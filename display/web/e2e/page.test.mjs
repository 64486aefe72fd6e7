import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { address } from '../../../internal/testkit/pages/address.mjs';
import { Table, buildServer, few, isFresh, openBrowser, overhear, placeOf, soakTest, stopClock, watchful } from './table.mjs';

const screen = { width: 1024, height: 600 };

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

beforeEach(async () => {
  table = await Table.start(program);
  page = await browser.newPage({ viewport: screen });
  complaints = [];
  wanted = [];
  overhear(page, complaints, { wanted });
});

afterEach(async () => {
  await page?.close();
  await table?.end();
  const foreign = wanted.filter((url) => new URL(url).host !== table.address);
  assert.deepEqual(foreign, [], 'requests to other hosts');
});

async function open(sample) {
  await table.show(sample);
  await page.goto(table.url, { waitUntil: 'domcontentloaded' });
}

async function promptReads(text) {
  await page.waitForFunction((want) => document.querySelector('#prompt h1')?.textContent === want, text);
}

// How many points of a shape have which colour. The table may send the shape anew at any moment, so the picture is of its
// place, not of the element.
async function painted(selector) {
  const shot = await page.screenshot({ clip: await placeOf(page.locator(selector)) });
  return page.evaluate(async (bytes) => {
    const picture = await createImageBitmap(new Blob([new Uint8Array(bytes)], { type: 'image/png' }));
    const canvas = new OffscreenCanvas(picture.width, picture.height);
    const paper = canvas.getContext('2d');
    paper.drawImage(picture, 0, 0);
    const { data } = paper.getImageData(0, 0, picture.width, picture.height);
    const seen = { white: 0, red: 0, black: 0 };
    for (let i = 0; i < data.length; i += 4) {
      const [r, g, b] = [data[i], data[i + 1], data[i + 2]];
      if (r > 240 && g > 240 && b > 230) seen.white += 1;
      if (r > 170 && g < 60 && b < 80) seen.red += 1;
      if (r < 40 && g < 40 && b < 45) seen.black += 1;
    }
    return seen;
  }, [...shot]);
}

test('the page follows the table without a reload', async () => {
  await open('bets');
  await isFresh(page); // at first it is sent all sections
  await promptReads('Place your bets');
  await page.evaluate(() => { window.sameDocument = true; });
  const status = await page.$('#status');

  await table.show('deal');
  await promptReads('Card to box 7');
  assert.equal(await page.locator('.box.active').getAttribute('id'), 'box-7');
  await table.show('split');
  await promptReads('Box 7, hand 3: Card, Stand or Double?');
  assert.equal(await page.locator('#box-7 .hand').count(), 4);
  assert.equal(await page.locator('#box-7 .hand.due').count(), 1);
  await table.show('payment');
  await promptReads('Pay and press Paid');
  assert.match(await page.locator('#box-3').innerText(), /ben\s+\+10\.00\s+Even money/);
  assert.match(await page.locator('#box-7 .foot').innerText(), /Pay 40\.00/);

  assert.equal(await page.evaluate(() => window.sameDocument), true, 'the page was reloaded');
  assert.equal(await status.evaluate((part) => part.isConnected), true, 'an unchanged section was sent');
  assert.deepEqual(complaints, []);
});

for (const missing of few(['display.css', 'correct.css', 'badge.js', 'display.js'], ['display.js'])) {
  test(`the page loads itself again when its ${missing} has not arrived`, async () => {
    let asked = 0;
    await page.route(`**/assets/${missing}?*`, (route) => {
      asked += 1;
      return asked < 3 ? route.abort() : route.continue();
    });
    await open('bets');
    await page.waitForFunction(() => performance.getEntriesByType('navigation')[0].type === 'reload');
    await promptReads('Place your bets');
    await table.show('deal');
    await promptReads('Card to box 7');
    assert.equal(await page.evaluate(() => getComputedStyle(document.body).overflow), 'hidden');
  });
}

test('cards are painted', async () => {
  await open('play');
  await promptReads('Box 4: Card or Stand?');
  const hearts = await painted('#box-3 .cards');
  assert.ok(hearts.white > 2000 && hearts.red > 200 && hearts.black > 200, JSON.stringify(hearts));
  const empty = await painted('#box-2');
  assert.ok(empty.white < 500, `an empty box is not empty: ${JSON.stringify(empty)}`);
  assert.deepEqual(complaints, []);
});

test('names are text', async () => {
  await open('long');
  await promptReads('Pay and press Paid');
  assert.match(await page.locator('#box-1').innerText(), /<script>alert/);
  assert.deepEqual(complaints, []);
});

test('an irregularity is a stop, in words and in symbols', async () => {
  await open('held');
  await promptReads('STOP – unread card');
  assert.ok(await page.locator('#prompt .sign').isVisible());
  assert.ok(await page.locator('#prompt .cards').isVisible());
  assert.ok(await page.locator('#held').isVisible());
  await table.show('play');
  await promptReads('Box 4: Card or Stand?');
  assert.ok(await page.locator('#held').isHidden());
});

test('the page shows what is special to each house', async () => {
  await open('twins-joker');
  await promptReads('Take Crazy Twins on boxes 3, 6: 20.00');
  assert.match(await page.locator('#box-1').innerText(), /Twins\s+anna\s+\+110\.00\s+petra\s+\+220\.00\s+Crazy Twins\s+petra\s+10\.00/);
  assert.match(await page.locator('#box-4').innerText(), /Twins\s+quentin\s+−100\.00/, 'a guest without a stake');
  assert.match(await page.locator('#box-6').innerText(), /Crazy Twins\s+−10\.00/);
  assert.doesNotMatch(await page.locator('#status').innerText(), /left/, 'cards go back into a shuffler');

  await table.show('jackpot');
  await promptReads('Take Progressive on boxes 1, 4, 7: 15.00');
  assert.equal(await page.locator('#prompt p').innerText(), 'Insurance or Even money?');
  assert.match(await page.locator('#status').innerText(), /301 left/);

  await table.show('wide-strip');
  await promptReads('Pay and press Paid');
  assert.match(await page.locator('#bank .jackpot').innerText(), /Jackpot\s+10,259\.50 EUR/);

  await table.show('cut-card');
  await promptReads('Shuffle and load the shoe');
  assert.match(await page.locator('#status').innerText(), /308 left\s+▬ Cut card/);

  await table.show('forecast-paid');
  await promptReads('Pay and press Paid');
  assert.match(await page.locator('#bank .hand').innerText(), /3\s*points\s*Stop/);
  assert.equal(await page.locator('#bank .turned use').count(), 1, 'the card of the wrong forecast');

  await table.show('marks-paid');
  await isFresh(page);
  assert.match(await page.locator('#box-2').innerText(), /chiara\s+\+1:1\s+−●\s+ben\s+\+1:1 ×2\s+−●/);
  assert.match(await page.locator('#box-3').innerText(), /dario\s+←½ ●/);
  assert.match(await page.locator('#box-5 .foot').innerText(), /Pay by odds/);
  assert.deepEqual(complaints, []);
});

soakTest('a box with more hands than fit shows the one that is due', async () => {
  await open('many');
  await table.show('twelve');
  await promptReads('Box 2, hand 12: Card or Stand?');
  await page.waitForFunction(() => {
    const box = document.getElementById('box-2').getBoundingClientRect();
    const due = document.querySelector('#box-2 .due').getBoundingClientRect();
    return due.height > 0 && due.top >= box.top - 1 && due.bottom <= box.bottom + 1;
  });
  assert.equal(await page.locator('#box-2 .hand').count(), 12);
});

// Notes when the page last heard from the table, and when it said that the connection is lost.
function noteSilence() {
  window.EventSource = class extends EventSource {
    constructor(...from) {
      super(...from);
      for (const kind of ['message', 'beat']) this.addEventListener(kind, () => { window.heardAt = Date.now(); });
    }
  };
  document.addEventListener('DOMContentLoaded', () => {
    const lost = document.getElementById('lost');
    new MutationObserver(() => { if (!lost.hidden) window.lostAt ??= Date.now(); }).observe(lost, { attributes: true });
  });
}

for (const [way, signal] of [['killed', 'SIGKILL'], ['hanging', 'SIGSTOP']]) {
  test(`a ${way} daemon is noticed within two seconds, and the page comes back on its own`, async () => {
    await table.end();
    table = await Table.start(program, address()); // where it finds room again
    await stopClock(page);
    await watchful(page);
    await page.addInitScript(noteSilence);
    await open('play');
    await promptReads('Box 4: Card or Stand?');
    await page.waitForFunction(() => window.heardAt);
    assert.ok(await page.locator('#lost').isHidden());
    await page.evaluate(() => { window.sameDocument = true; });

    table.signal(signal);
    for (let waited = 0; !await page.evaluate(() => window.lostAt); waited += 100) {
      assert.ok(waited < 10_000, 'the page says nothing');
      await page.clock.runFor(100);
    }
    const took = await page.evaluate(() => window.lostAt - window.heardAt);
    assert.ok(took < 2000, `it took ${took} ms`);

    await page.clock.resume();
    const listen = table.address;
    await table.kill();
    table = await Table.start(program, listen);
    await table.show('payment');
    await promptReads('Pay and press Paid');
    await page.locator('#lost').waitFor({ state: 'hidden' });
    assert.equal(await page.evaluate(() => window.sameDocument), true, 'the page was reloaded');
  });
}
