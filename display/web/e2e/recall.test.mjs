import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { padLies } from '../../../internal/testkit/pages/pad.mjs';
import {
  Table, asks, buildServer, few, isFresh, openBrowser, overhear, placeOf, ready, rested, soakTest, watchful,
} from './table.mjs';

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
  page = await browser.newPage({ viewport: { width: 1024, height: 600 }, hasTouch: true });
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

async function open(sample, path = '/') {
  await table.show(sample);
  await page.goto(new URL(path, table.url).href, { waitUntil: 'load' });
}

// Waits for the page with this title, whose script listens for keys.
const title = (words) => page.waitForFunction(
  (want) => document.querySelector('h1')?.textContent === want && document.readyState === 'complete',
  words,
);

test('only by touch, from a held table to a box of a past round and back', async () => {
  await open('held');
  await page.locator('#status a.past').tap();
  await title('PAST ROUNDS');
  await page.locator('.list a', { hasText: /^21$/ }).tap();
  await title('PAST ROUND 21');
  await page.locator('.tabs a', { hasText: /^3$/ }).tap();
  await page.waitForURL(/box=3$/);
  const places = await page.locator('#steps b').allTextContents();
  assert.ok(places.includes('Box 3') && places.includes('Bank') && !places.includes('Box 1'), String(places));
  await page.locator('#back').tap();
  await title('STOP – unread card');
  assert.deepEqual(complaints, []);
});

soakTest('the whole status leads to past rounds', async () => {
  await open('play');
  const at = await placeOf(page.locator('#status'));
  await page.touchscreen.tap(at.x + at.width / 2, at.y + at.height - 8);
  await title('PAST ROUNDS');
});

test('a phone: the number of the round is a key that a finger meets', async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  await open('play');
  await isFresh(page); // the felt is fitted after the first picture
  await page.locator('#status a.past').tap({ trial: true }); // once it stays where it is
  await rested(page); // a touch right after another one counts for nothing
  const at = await page.evaluate(() => {
    scrollTo(0, 0);
    const key = document.querySelector('#status a.past');
    const { left, top, width, height } = key.getBoundingClientRect();
    const [x, y] = [left + width / 2, top + height / 2];
    const beside = [[0, 0], [-22, 0], [22, 0], [0, -22], [0, 22]].map(([right, down]) => document.elementFromPoint(x + right, y + down));
    return { x, y, hits: beside.map((part) => (part === key ? 'the key' : part?.outerHTML.slice(0, 80))), framed: getComputedStyle(key).boxShadow !== 'none' };
  });
  assert.deepEqual(at.hits, Array(5).fill('the key'));
  assert.ok(at.framed, 'it has no frame of a key');
  await page.touchscreen.tap(at.x, at.y + 20);
  await title('PAST ROUNDS');
  assert.deepEqual(complaints, []);
});

soakTest('with only the keyboard', async () => {
  await open('play');
  await page.keyboard.press('p');
  await title('PAST ROUNDS');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await title('Round 23 so far');
  for (let round = 22; round >= 9; round--) {
    await page.keyboard.press('ArrowLeft');
    await title(`PAST ROUND ${round}`);
  }
  await page.keyboard.press('ArrowRight');
  await title('PAST ROUND 10');
  await page.keyboard.press('End');
  await page.waitForFunction(() => document.getElementById('steps')?.scrollTop > 0);
  await page.keyboard.press('l');
  await title('PAST ROUNDS');
  await page.keyboard.press('Escape');
  await title('Box 4: Card or Stand?');
});

test('what the table asks for meanwhile is shown, and that the connection is lost', async () => {
  await watchful(page);
  await open('play', '/recall/5');
  const says = (words) => page.waitForFunction((want) => document.querySelector('#now b')?.textContent === want, words);
  await says('Box 4: Card or Stand?');
  await table.show('held');
  await says('STOP – unread card');
  assert.match(await page.locator('#now').getAttribute('class'), /\bstop\b/);
  table.signal('SIGSTOP');
  await says('No connection to the table');
  table.signal('SIGCONT');
  await says('STOP – unread card');
  await title('PAST ROUND 5');
});

// adjust goes by touch from a past round to the end of its adjustment.
async function adjust(round = 21) {
  await page.setViewportSize({ width: 800, height: 480 });
  await page.goto(new URL(`/recall/${round}`, table.url).href, { waitUntil: 'load' });
  await page.locator('#adjust').tap();
  await ready(page, '.wagers');
  await page.locator('.wagers button').filter({ hasNotText: /[<&"]/ }).first().tap();
  const rows = await page.locator('[data-step="amount"] .digits button').evaluateAll((all) => Object.values(Object.groupBy(all, (one) => one.offsetTop))
    .map((row) => row.sort((a, b) => a.offsetLeft - b.offsetLeft).map((one) => one.dataset.figure).join(' ')));
  assert.deepEqual(rows.sort(), ['. 0 back', '1 2 3', '4 5 6', '7 8 9']); // as every pad of the table
  await padLies(page, '[data-step="amount"]');
  for (const figure of ['1', '2', '.', '5']) await page.locator(`[data-figure="${figure}"]`).tap();
  await page.locator('[data-way="-1"]').tap();
  for (const reason of await page.locator('[data-reason]').all()) {
    const at = await placeOf(reason);
    assert.ok(at.y + at.height <= 480 && at.x + at.width <= 800, 'a reason is out of sight');
  }
  await page.locator('[data-reason="too-much"]').tap();
}

test('a supervisor adjusts a past round by touch, at 800 by 480', async () => {
  await open('play');
  const posted = page.waitForRequest((request) => request.url().endsWith('/touch'));
  await adjust();
  const sent = (await posted).postDataJSON();
  assert.equal(sent.put.length, 1);
  const { in: kind, round, amount, reason, bettor, wager } = sent.put[0];
  assert.deepEqual({ kind, round, amount, reason }, { kind: 'adjust', round: 21, amount: -1250, reason: 'too-much' });
  assert.ok(bettor && wager, JSON.stringify(sent));
  await title('PAST ROUND 21');
  assert.deepEqual(complaints, []);
});

test('an adjustment asks for a PIN, and says why it is refused', async () => {
  await table.end();
  table = await Table.live(program, { house: 'wiesbaden' }, '-proof', 'pin');
  complaints = [];
  await adjust();
  await page.locator('[data-step="pin"]:not([hidden])').waitFor();
  await page.locator('[data-name="anna"]').tap();
  await padLies(page, '[data-step="pin"]');
  for (const digit of '4712') await page.locator(`[data-pin="${digit}"]`).tap();
  await page.locator('[data-enter]').tap();
  await page.waitForFunction(() => document.querySelector('.said').textContent.startsWith('✕'));
  for (const digit of '4711') await page.locator(`[data-pin="${digit}"]`).tap();
  await page.locator('[data-enter]').tap();
  await page.waitForFunction(() => document.querySelector('.said').textContent === 'there is no such round to adjust');
});

test('Schaffhausen: the last payment is taken back, and the round adjusted, by touch, at 800 by 480', async () => {
  await table.end();
  table = await Table.live(program, { house: 'schaffhausen', keys_apart: -1 }, '-proof', 'pin', '-night', 'own');
  await page.setViewportSize({ width: 800, height: 480 });
  await page.goto(table.url, { waitUntil: 'load' });
  complaints = [];
  await table.play('open; stake 1 anna 20; stake 2 ben 20; close');
  await table.card('TS TC 7D 9H 6H');
  await table.play('rest; rest');
  await table.card('TD');
  const touch = async (selector) => {
    await rested(page);
    await page.locator(selector).tap();
  };
  const says = (headline) => asks(page, headline);
  await says('Pay and press Paid');
  await touch('#box-1 .whole');
  await page.waitForFunction(() => document.querySelector('#box-1.settled'));
  await touch('#box-2 .whole');
  await says('Open the bets');
  await touch('#keys [data-key="undo"]');
  await says('Pay and press Paid');
  await touch('#box-2 .whole');
  await says('Open the bets');
  await adjust(1);
  await page.locator('[data-step="pin"]:not([hidden])').waitFor();
  await page.locator('[data-name="anna"]').tap();
  for (const digit of '4711') await page.locator(`[data-pin="${digit}"]`).tap();
  await page.locator('[data-enter]').tap();
  await title('PAST ROUND 1');
  const told = await page.locator('#steps').innerText();
  assert.match(told, /Taken back: Taken/);
  assert.match(told, /12\.50/);
  assert.deepEqual(complaints, []);
});

// The text must be readable: nothing outside its place, and nothing out of reach.
function outOfPlace() {
  const bad = [];
  for (const part of document.querySelectorAll('header *, nav a, aside p, aside li, ol li > *, .list section > *, footer *')) {
    const at = part.getBoundingClientRect();
    if (at.width && (at.left < -1 || at.right > innerWidth + 1 || part.scrollWidth > part.clientWidth + 1 && getComputedStyle(part).display !== 'inline')) {
      bad.push(`${part.tagName} ${part.textContent}`);
    }
  }
  return bad;
}

const screens = [{ width: 800, height: 480 }, { width: 1024, height: 600 }, { width: 1280, height: 800 }, { width: 390, height: 844 }];

for (const [nth, screen] of few(screens, screens.slice(0, 2)).entries()) {
  test(`nothing is cut at ${screen.width} by ${screen.height}`, async () => {
    await page.setViewportSize(screen);
    const paths = ['/recall', '/recall/5', '/recall/21', '/recall/21?box=3', '/recall/22', '/recall/23'];
    for (const path of few(paths, paths.filter((_, i) => i % screens.length === nth))) {
      await open('held', path);
      assert.deepEqual(await page.evaluate(outOfPlace), [], path);
    }
    assert.deepEqual(complaints, []);
  });
}

soakTest('the text has a contrast of 7 to 1', async () => {
  for (const path of ['/recall', '/recall/21']) {
    await open('play', path);
    const faint = await page.evaluate(() => {
      const light = (rgb) => {
        const [r, g, b] = rgb.match(/[\d.]+/g).slice(0, 3).map((v) => {
          const c = v / 255;
          return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const ground = (part) => {
        let at = part;
        while (getComputedStyle(at).backgroundColor === 'rgba(0, 0, 0, 0)') at = at.parentElement;
        return getComputedStyle(at).backgroundColor;
      };
      const bad = [];
      for (const part of document.querySelectorAll('h1, h2, p, b, small, span, time, a, s, li')) {
        if (!part.textContent.trim()) continue;
        const [a, b] = [light(getComputedStyle(part).color), light(ground(part))].sort((x, y) => y - x);
        const ratio = (a + 0.05) / (b + 0.05);
        if (ratio < 7) bad.push(`${part.tagName} ${part.textContent}: ${ratio.toFixed(1)}`);
      }
      return bad;
    });
    assert.deepEqual(faint, [], path);
  }
});
