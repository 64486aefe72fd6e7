// Help at the table: by touch, by search, in every house and language.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, afterEach, before, test } from 'node:test';
import { Table, buildServer, few, isFresh, openBrowser, overhear, rested, soak, soakTest } from './table.mjs';

const houses = ['schaffhausen', 'wiesbaden', 'st-moritz', 'st-moritz-65', 'mendrisio', 'baden'];
const languages = ['de', 'it', 'fr', 'en', 'zh'];

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

async function open(setup, { path = '/', viewport = { width: 1024, height: 600 }, language = 'en' } = {}) {
  table = await Table.live(program, setup, '-language', language);
  page = await browser.newPage({ viewport, hasTouch: true });
  complaints = [];
  overhear(page, complaints);
  await page.addInitScript(() => document.addEventListener('table', () => { window.follows = true; }));
  await page.goto(new URL(path, table.url).href, { waitUntil: 'load' });
  if (path === '/') {
    // A page that is left before its stream is answered is answered in the next one's language, and loads itself again.
    await page.waitForFunction(() => window.follows);
  }
}

const go = (path) => page.goto(new URL(path, table.url).href, { waitUntil: 'load' });
const loaded = (path) => page.waitForFunction((want) => location.pathname === want && document.readyState === 'complete', path);
// The menu, and from it the help: a second touch is not the first one's bounce.
async function throughTheMenu() {
  await isFresh(page);
  await page.locator('[data-opens="menu"]').tap();
  await rested(page);
  await page.locator('a.help').tap();
  await loaded('/help');
}
const now = (words) => page.waitForFunction((want) => document.querySelector('#now b')?.textContent === want, words);
const titles = () => page.locator('#steps section:visible h2').allTextContents();
const shown = () => page.locator('#steps .part:visible').allTextContents();

test('by touch in Wiesbaden: a bet’s paytable, and who holds a box, while the round goes on', async () => {
  await open({ house: 'wiesbaden' });
  await table.play('open; stake 3 anna 20; stake 3 ben 10; stake 5 carla 20');
  await throughTheMenu();
  await now('Place your bets');
  await page.locator('.subjects a', { hasText: /^Twins$/ }).tap();
  await page.waitForURL(/of=twins/);
  assert.deepEqual(await titles(), ['Twins']);
  const twins = (await shown()).join('\n');
  for (const words of ['200:1', '11:1', 'two cards of one rank', 'Every guest may bet', 'at most 100.00', '10.00 wins 2,000.00']) {
    assert.ok(twins.includes(words), `${words} in ${twins}`);
  }
  const chips = await page.locator('.line .example').first().locator('li').allTextContents();
  assert.deepEqual(chips.map((one) => one.replaceAll(/\s/g, '')), ['4×500']);
  await page.locator('.subjects a', { hasText: /^Boxes$/ }).tap();
  await page.waitForURL(/of=boxes/);
  assert.deepEqual(await page.locator('.box-now').allTextContents(), ['3★ anna, ben', '5★ carla']);
  await table.play('close');
  await now('Card to box 3');
  await page.locator('#back').tap();
  await page.waitForFunction(() => document.querySelector('#prompt h1')?.textContent === 'Card to box 3');
});

soakTest('by keyboard in Baden: ? opens it, a word searches it, Esc leads back', async () => {
  await open({ house: 'baden' });
  await page.keyboard.press('?');
  await loaded('/help');
  const all = (await shown()).length;
  await page.keyboard.press('/');
  await page.keyboard.type('five-card');
  await page.waitForFunction((n) => document.querySelectorAll('#steps .part:not([hidden])').length < n, all);
  assert.deepEqual(await titles(), ['What the main game pays']);
  assert.match((await shown()).join(), /Five-Card-Trick.*20\.00 wins 30\.00/);
  await page.keyboard.type(' nowhere');
  await page.locator('#nothing').waitFor();
  await page.keyboard.press('Escape');
  await page.waitForFunction((n) => document.querySelectorAll('#steps .part:not([hidden])').length === n, all);
  await page.keyboard.press('Escape');
  await loaded('/');
  await page.keyboard.press('F1');
  await loaded('/help');
});

soakTest('it is there while the round is held, and the STOP stays in sight', async () => {
  await open({ house: 'mendrisio' });
  await table.play('open; stake 3 anna 20; stake 4 ben 20; close; ??');
  await throughTheMenu();
  await now('STOP – unread card');
  await page.locator('.subjects a', { hasText: /^STOP$/ }).tap();
  await page.waitForURL(/of=stops/);
  assert.match((await shown()).join('\n'), /STOP – unread card.*identify \(supervisor\).*Name it as it lies/);
  await table.play('resolve identify 9S');
  await now('Card to box 4');
});

// What is cut, covered, or too small for a finger.
function outOfPlace() {
  const bad = [];
  for (const part of document.querySelectorAll('header *, nav a, main h2, main p, main small, main li, main b, main .cards, footer *')) {
    const at = part.getBoundingClientRect();
    const across = part.closest('.subjects') && matchMedia('(max-width: 30rem)').matches; // these scroll
    const inline = getComputedStyle(part).display === 'inline';
    if (at.width && !across && (at.left < -1 || at.right > innerWidth + 1 || (!inline && !part.closest('svg') && part.scrollWidth > part.clientWidth + 1))) {
      bad.push(`cut: ${part.tagName} ${part.textContent}`);
    }
  }
  for (const rule of document.querySelectorAll('.rule')) {
    const parts = [...rule.children].map((part) => [part, part.getBoundingClientRect()]);
    for (const [i, [one, a]] of parts.entries()) {
      for (const [other, b] of parts.slice(i + 1)) {
        if (Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1) {
          bad.push(`${one.textContent} lies on ${other.textContent}`);
        }
      }
    }
  }
  for (const key of document.querySelectorAll('.button, #search')) {
    const { width, height } = key.getBoundingClientRect();
    if (width < 43.9 || height < 43.9) {
      bad.push(`${key.textContent || key.id} is ${width} by ${height}`);
    }
  }
  const main = document.querySelector('main').getBoundingClientRect();
  if (main.height < innerHeight / 3) {
    bad.push(`only ${main.height} are left for the help`);
  }
  return bad;
}

soakTest('axe finds nothing serious on the pages beside the table', async () => {
  const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  await open({ house: 'mendrisio' });
  await page.close();
  page = await browser.newPage({ viewport: { width: 1024, height: 600 }, bypassCSP: true }); // the pages allow no foreign script
  await go('/recall/21');
  const replay = await page.getAttribute('a[href*="/replay?record="]', 'href');
  for (const path of ['/help', '/recall/21', replay, '/recall/21/sheet']) {
    assert.equal((await go(path)).status(), 200, path);
    await page.addScriptTag({ content: axe });
    const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
    const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join('; ')}`);
    assert.deepEqual(serious, [], path);
  }
});

for (const [nth, house] of few(houses, houses.slice(0, 1)).entries()) {
  test(`nothing is cut in ${house}, in each language`, async () => {
    await open({ house });
    await table.play('open; stake 3 anna 20; stake 4 ben 20');
    const sizes = [[800, 480], [1024, 600], [1280, 800], [600, 1024], [390, 844]];
    for (const [n, language] of languages.entries()) {
      if (!soak && n !== nth % languages.length) {
        continue;
      }
      await go(`/help?lang=${language}`);
      for (const [width, height] of [sizes[0], sizes[(n + nth) % sizes.length]]) { // over the houses, all with all
        await page.setViewportSize({ width, height });
        assert.deepEqual(await page.evaluate(outOfPlace), [], `${house} in ${language} at ${width} by ${height}`);
      }
      const examples = await page.locator('.example').count();
      assert.ok(examples >= 3, `${house} in ${language} has ${examples} examples at ${page.url()}: ${await page.locator('body').innerText()}`);
    }
  });
}
