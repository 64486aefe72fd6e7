// A past round card by card, and on paper.

import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { Table, buildServer, few, openBrowser, overhear, placeOf, rotated, soakTest, stopClock } from './table.mjs';

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

afterEach(async () => {
  await page?.close();
  await table?.end();
  assert.deepEqual(complaints, []);
});

async function open(path, { viewport = { width: 1024, height: 600 }, sample = 'play', ...more } = {}) {
  table = await Table.start(program, undefined, ...Object.entries(more).map(([name, to]) => `-${name}=${to}`));
  page = await browser.newPage({ viewport, hasTouch: true });
  complaints = [];
  overhear(page, complaints);
  await table.show(sample);
  await go(path);
}

const go = (path) => page.goto(new URL(path, table.url).href, { waitUntil: 'load' });
const title = (words) => page.waitForFunction((want) => document.querySelector('h1')?.textContent === want && document.readyState === 'complete', words);
const step = (n) => page.waitForFunction(
  (want) => document.querySelector('.when b')?.textContent.startsWith(`Step ${want} of`) && document.readyState === 'complete',
  n,
);
const told = () => page.locator('#happened .told').allTextContents();
const cards = (where) => page.locator(`${where} .cards[aria-label]`).evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')));

test('by touch: from the table to a STOP of a past round, card by card, and back', async () => {
  await open('/', { sample: 'held' });
  await page.locator('#status a.past').tap();
  await title('PAST ROUNDS');
  await page.locator('.list a', { hasText: /^21$/ }).tap();
  await title('PAST ROUND 21');
  await page.locator('#replay').tap();
  await step(1);
  assert.equal(await page.locator('header p').textContent(), 'Not the round on the table');
  await page.locator('#to-wrong-after').tap();
  await step(11);
  assert.match((await told()).join(), /STOP – unread card/);
  assert.match(await page.locator('#asked').textContent(), /STOP – unread card/);
  assert.deepEqual([await cards('#box-1'), await cards('#box-3'), await cards('#bank')], [['TS'], ['8C'], []]);
  await page.locator('#to-forward').tap();
  await step(12);
  await page.locator('#to-forward').tap();
  await step(13);
  assert.match((await told()).join(), /identify – by anna/);
  assert.deepEqual(await cards('#bank'), ['7D']);
  await page.locator('#to-backward').tap();
  await step(12);
  assert.deepEqual(await cards('#bank'), []);
  await page.locator('#to-last').tap();
  await step(32);
  await page.locator('#to-first').tap();
  await step(1);
  assert.equal(await page.locator('#now').getAttribute('class'), 'stop');
  await page.locator('#back').tap();
  await title('PAST ROUND 21');
});

soakTest('a line of the round leads to its moment, and what was taken back is struck out there', async () => {
  await open('/recall/21');
  await page.locator('#steps li.undone', { hasText: 'Call: Stand' }).first().tap();
  await page.waitForURL(/replay/);
  assert.deepEqual(await page.locator('.told s').allTextContents(), ['Call: Stand']);
  assert.match(await page.locator('#happened .back').textContent(), /Taken back at \d\d:\d\d:\d\d\.\d{3}/);
  await page.locator('#to-forward').tap();
  await page.waitForFunction(() => document.querySelector('#happened')?.textContent.includes('Taken back: Stand'));
});

soakTest('with only the keyboard, in Baden', async () => {
  await open('/recall/2', { night: 'baden' });
  await page.keyboard.press('r');
  await step(1);
  for (let n = 2; n <= 5; n++) {
    await page.keyboard.press('ArrowRight');
    await step(n);
  }
  await page.keyboard.press('ArrowLeft');
  await step(4);
  await page.keyboard.press('End');
  await page.waitForFunction(() => !document.getElementById('to-forward'));
  const hands = await cards('.box');
  assert.ok(hands.length >= 7, String(hands));
  await page.keyboard.press('Home');
  await step(1);
  await page.keyboard.press('s');
  await page.waitForURL(/sheet$/);
  await page.keyboard.press('Escape');
  await title('PAST ROUND 2');
  await page.keyboard.press('Escape');
  await page.waitForURL((url) => url.pathname === '/');
});

soakTest('it plays at the speed at which the round went, and quickly, and stands still when touched', async () => {
  await open('/');
  await stopClock(page);
  await go('/recall/21/replay');
  const wait = Number(await page.locator('#table').getAttribute('data-wait'));
  assert.ok(wait > 1000, String(wait));
  await page.locator('#play').tap();
  await page.clock.runFor(wait - 10);
  await step(1);
  await page.clock.runFor(20);
  await step(2);
  await page.locator('#quick').tap();
  for (let n = 3; n < 8; n++) {
    await page.clock.runFor(750);
    await step(n);
  }
  await page.locator('#quick').tap();
  await page.clock.runFor(5000);
  await step(7);
  await page.locator('#quick').tap();
  await page.locator('#to-backward').tap();
  await step(6);
  await page.clock.runFor(5000);
  await step(6);
});

// What is cut, lies over something else or outside of the screen, or is too small to touch.
function outOfPlace() {
  const bad = [];
  const at = (part) => part.getBoundingClientRect();
  const scrolls = matchMedia('(max-width: 30rem), (orientation: portrait)').matches;
  for (const part of document.querySelectorAll('header *, #happened p, #asked *, #ways *, footer *, #bank .hand *')) {
    const it = at(part);
    const inline = getComputedStyle(part).display === 'inline';
    if (it.width && (it.left < -1 || it.right > innerWidth + 1 || (!inline && !part.closest('svg') && part.scrollWidth > part.clientWidth + 1))) {
      bad.push(`cut: ${part.tagName} ${part.textContent}`);
    }
  }
  const apart = ['header h1', 'header p', '#sheet', '#back', '#happened', '#asked', '#bank .hand', '#bank dl', '#ways', 'footer', ...(scrolls ? [] : ['.boxes'])];
  const places = apart.map((one) => [one, document.querySelector(one)]).filter(([, part]) => part && at(part).width).map(([name, part]) => [name, at(part)]);
  for (const [i, [name, one]] of places.entries()) {
    for (const [other, two] of places.slice(i + 1)) {
      const wide = Math.min(one.right, two.right) - Math.max(one.left, two.left);
      const high = Math.min(one.bottom, two.bottom) - Math.max(one.top, two.top);
      if (wide > 1 && high > 1 && !(scrolls && [name, other].some((part) => /ways|bank/.test(part)))) {
        bad.push(`${name} lies on ${other}`);
      }
    }
  }
  for (const key of document.querySelectorAll('.button, #steps li:not(.line, .heading)')) {
    const it = at(key);
    if (it.width && (it.width < 43.9 || it.height < 43.9)) {
      bad.push(`${key.textContent} is ${it.width} by ${it.height}`);
    }
  }
  return bad;
}

const nights = [['mendrisio', 'it'], ['schaffhausen', 'de'], ['', 'fr'], ['baden', 'zh']];

for (const [night, language] of few(nights, nights.slice(3))) {
  test(`nothing is cut or covered, in ${language} at ${night || 'a table where much goes wrong'}`, async () => {
    const round = night ? 2 : 21;
    await open('/', { ...(night ? { night } : {}), language });
    await go(`/recall/${round}`);
    const there = await page.locator('#steps time a').evaluateAll((all) => all.map((one) => one.getAttribute('href')));
    const steps = (night ? [0, 0.5, 1] : [0, 0.3, 0.35, 0.6, 1]).map((part) => there[Math.floor(part * (there.length - 1))]);
    for (const [path, [width, height]] of rotated([`/recall/${round}`, ...steps], [[800, 480], [1024, 600], [1280, 800], [600, 1024], [390, 844]])) {
      await page.setViewportSize({ width, height });
      await go(path);
      const bad = await page.evaluate(outOfPlace);
      assert.deepEqual(steps.includes(path) ? bad : bad.filter((one) => !/^cut/.test(one)), [], `${path} at ${width} by ${height}`);
    }
  });
}

for (const [night, language, pages] of few([['', 'it', 1], ['mendrisio', 'de', 2]], [['', 'it', 1]])) {
  test(`on paper, in ${language}: A4 in black on white, nothing cut`, async () => {
    const round = night ? 2 : 21;
    await open(`/recall/${round}`, { ...(night ? { night } : {}), language });
    await page.locator('#sheet').tap();
    await page.waitForURL(/sheet$/);
    for (const key of await page.locator('.button').all()) {
      const { width, height } = await placeOf(key);
      assert.ok(width >= 43.9 && height >= 43.9, `${await key.textContent()} is ${width} by ${height}`);
    }
    await page.evaluate(() => { window.print = () => { window.printed = true; }; });
    await page.locator('#print').tap();
    assert.equal(await page.evaluate(() => window.printed), true);

    const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
    const made = pdf.match(/\/Type\s*\/Page\b(?!s)/g).length;
    assert.ok(made >= 1 && made <= pages, `${made} pages`);
    assert.match(pdf, /\/MediaBox\s*\[0 0 59[45]\.?\d* 84[12]\.?\d*\]/);

    // The width that A4 has within its margins, of 12 mm.
    await page.setViewportSize({ width: Math.floor((210 - 24) / 25.4 * 96), height: 1000 });
    await page.emulateMedia({ media: 'print' });
    const bad = await page.evaluate(() => {
      const wrong = [];
      for (const part of document.querySelectorAll('article, article *')) {
        const at = part.getBoundingClientRect();
        const style = getComputedStyle(part);
        if (at.right > innerWidth + 1 || at.left < -1 || (style.overflow !== 'visible' && part.scrollWidth > part.clientWidth + 1)) {
          wrong.push(`cut: ${part.tagName} ${part.textContent.slice(0, 40)}`);
        }
        for (const colour of [style.color, style.backgroundColor]) {
          const [r, g, b, a] = colour.match(/[\d.]+/g).map(Number);
          if (a !== 0 && (r !== g || g !== b)) {
            wrong.push(`${colour}: ${part.tagName} ${part.textContent.slice(0, 40)}`);
          }
        }
      }
      const page = (297 - 28) / 25.4 * 96; // A4 without its margins
      if (document.querySelector('.signs').getBoundingClientRect().bottom > page) {
        wrong.push('the signatures are not on the first page');
      }
      for (const part of document.querySelectorAll('header, footer')) {
        if (part.getBoundingClientRect().height) {
          wrong.push(`${part.tagName} is printed`);
        }
      }
      return wrong;
    });
    assert.deepEqual(bad, []);
    const rows = await page.locator('.signs div').count();
    assert.equal(rows, 3);
  });
}
