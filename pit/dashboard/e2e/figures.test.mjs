// The pages of figures in a real browser: every page in every language on every screen, dark and bright, has room and can be
// read; pictures say what their tables say; every number leads to its rounds; and what is wrong is seen first.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { Table, buildServer, few, openBrowser, overhear, rotated, soak, soakTest } from '../../../display/web/e2e/table.mjs';

const tools = createRequire(new URL('../../../display/web/e2e/table.mjs', import.meta.url));
const axe = readFileSync(tools.resolve('axe-core/axe.min.js'), 'utf8');
const screens = [[390, 844], [820, 1180], [1280, 800], [1920, 1080]];
const languages = ['en', 'de', 'fr', 'it', 'zh'];
const wager = 'wager?house=schaffhausen&wager=perfect-pairs';
const pages = ['', '?nights=7', 'report', 'report?shift=2', 'report?nights=7', 'rounds?code=unread-card', wager, `${wager}&nights=7`, 'wager?house=baden&wager=main', '?night=2020-01-01', 'close', 'slips', 'close?table=bj-2'];

let server;
let url;
let browser;

before(async () => {
  server = await Table.run(buildServer('figures'), []);
  url = server.url;
  browser = await openBrowser();
});

after(async () => {
  await browser?.close();
  await server?.kill();
});

const at = (page) => `${url}figures${page === '' || page.startsWith('?') ? '' : '/'}${page}`;

async function screen([width, height], { light = 'dark', language = 'en', ...options } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, ...options });
  await context.addCookies([{ name: 'sabot-language', value: language, url }]);
  await context.addInitScript((to) => localStorage.setItem('sabot-light', to), light);
  return context.newPage();
}

// What does not fit: the page scrolls down, never to the side, and nothing leaves its panel.
function tooWide() {
  const faults = [];
  const root = document.documentElement;
  if (root.scrollWidth > innerWidth) {
    faults.push(`the page is ${root.scrollWidth - innerWidth} too wide`);
  }
  for (const panel of document.querySelectorAll('.panel, .tiles li, article')) {
    const { right } = panel.getBoundingClientRect();
    for (const one of panel.querySelectorAll('th, td, p, b, a')) {
      const box = one.getBoundingClientRect();
      if (box.width > 1 && box.right > right + 1 && one.closest('.scroll, details:not([open])') === null && getComputedStyle(one.closest('thead') ?? one).position !== 'absolute') {
        faults.push(`${one.tagName} "${one.textContent.trim().slice(0, 30)}" leaves its panel by ${Math.round(box.right - right)}`);
      }
    }
  }
  for (const one of document.querySelectorAll('.head a, .head select, .do, .foot a, .foot button')) {
    const box = one.getBoundingClientRect();
    if (box.width > 0 && (box.height < 43.5 || box.width < 38)) {
      faults.push(`"${one.textContent.trim()}" is ${Math.round(box.width)} by ${Math.round(box.height)}, too small to touch`);
    }
  }
  return faults;
}

// Two frames: the page hears of a new size in the first, and its pictures are drawn for it in the second.
const settled = () => new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(done)); });

for (const [nth, language] of few(languages, ['de']).entries()) {
  test(`every page has room on every screen in ${language}`, async () => {
    const page = await screen(screens[0], { language });
    const complaints = [];
    const wanted = [];
    overhear(page, complaints, { wanted });
    for (const one of pages.filter((_, i) => soak || i % languages.length === nth)) {
      await page.goto(at(one));
      assert.equal(await page.getAttribute('html', 'lang').then((tag) => tag.slice(0, 2)), language);
      for (const [width, height] of screens) {
        await page.setViewportSize({ width, height });
        await page.evaluate(settled);
        assert.deepEqual(await page.evaluate(tooWide), [], `${one} at ${width}×${height}`);
      }
    }
    await page.context().close();
    assert.deepEqual(complaints, []);
    assert.deepEqual(wanted.filter((address) => !address.startsWith(url)), [], 'another server was asked');
  });
}

test('a pit boss signs the report of a shift, and it says so', async () => {
  const page = await screen(screens[2]);
  await page.context().addCookies([{ name: 'who', value: 'anna', url }]);
  await page.goto(at('report'));
  await page.click('.shifts a:has-text("Night")');
  await page.click('.sign button');
  await page.waitForSelector('.signed li');
  assert.match(await page.textContent('.signed li'), /^anna \(Supervisor\), .* ✓ unchanged since$/);
  assert.equal(await page.locator('main a[href^="/figures/wager"]').count(), 0);
  await page.emulateMedia({ media: 'print' });
  assert.equal(await page.locator('.sign').isVisible(), false);
  assert.ok(await page.locator('.signed li').isVisible());
  await page.context().close();
});

soakTest('axe finds nothing serious, in the dark and in the bright', async () => {
  const page = await screen(screens[0], { bypassCSP: true });
  for (const [one, [width, height], light] of rotated(pages.filter((name) => !name.includes('nights')), [screens[0], screens[2]], ['dark', 'bright'])) {
    await page.setViewportSize({ width, height });
    await page.goto(at(one));
    await page.addScriptTag({ content: axe });
    await page.evaluate((to) => { document.documentElement.dataset.light = to; }, light);
    await page.evaluate(settled);
    const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
    const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(({ target }) => target.join(' ')).join('; ')}`);
    assert.deepEqual(serious, [], `${one} at ${width}×${height}, ${light}`);
  }
  await page.context().close();
});

soakTest('what luck hardly explains comes first, and its dot lies where its numbers say', async () => {
  const page = await screen(screens[3]);
  await page.goto(at(''));
  const rows = await page.$$eval('.lucks tbody tr', (list) => list.map((row) => {
    const number = (nth) => Number(row.children[nth].innerText.split('…').at(-1).replace(/[^\d−.]/g, '').replace('−', '-'));
    const low = Number(row.children[5].innerText.split('…')[0].replace(/[^\d−.]/g, '').replace('−', '-'));
    const box = (of) => row.querySelector(of)?.getBoundingClientRect();
    const luck = box('rect.luck');
    const dot = box('path.won');
    return { class: row.className, name: row.children[0].innerText, low, high: number(5), won: number(3), luck: luck && [luck.left, luck.right], dot: dot && (dot.left + dot.right) / 2, text: row.children[2].innerText };
  }));
  assert.ok(rows.length >= 20, `${rows.length} wagers`);
  assert.equal(rows[0].class, 'hardly');
  assert.match(rows[0].name, /Perfect Pairs/);
  assert.match(rows[0].text, /too little/);
  assert.ok(rows.slice(3).every((row) => row.class === 'within' || row.class === 'few'));
  for (const row of rows.filter(({ dot }) => dot !== undefined)) {
    const inside = row.dot >= row.luck[0] - 1 && row.dot <= row.luck[1] + 1;
    assert.equal(inside, row.won >= row.low - 1 && row.won <= row.high + 1, `${row.name}: ${row.won} in ${row.low} to ${row.high}`);
  }
  const edges = rows.filter(({ luck }) => luck).map(({ luck }) => Math.round(luck[0]));
  assert.equal(new Set(edges).size, 1, 'the bands lie in one column');
  await page.context().close();
});

test('a picture over time is drawn as high as its table says, says what is under the finger, and leads to its rounds', async () => {
  const page = await screen(screens[2], { language: 'de' });
  await page.goto(at(''));
  const { tops, places, legend } = await page.evaluate(() => {
    const { plot } = document.querySelector('.chart .room');
    const { canvas } = plot.ctx;
    const ink = getComputedStyle(document.documentElement).getPropertyValue('--bar').trim();
    const wanted = [1, 3, 5].map((i) => Number.parseInt(ink.slice(i, i + 2), 16));
    const places = plot.data[0].map((i) => Math.round(plot.valToPos(i, 'x', true)));
    const tops = places.map((x) => {
      const { data } = plot.ctx.getImageData(x, 0, 1, canvas.height);
      let high = 0;
      for (let y = 0; y < canvas.height; y++) {
        high += wanted.every((part, k) => Math.abs(data[4 * y + k] - part) < 4);
      }
      return high;
    });
    return { tops, places: places.map((x) => (x - plot.bbox.left) / devicePixelRatio), legend: document.querySelector('.chart .u-legend').innerText };
  });
  await page.click('summary');
  const rows = await page.$$eval('details tbody tr', (list) => list.map((row) => ({ hour: row.children[0].innerText, pace: row.children[2].innerText })));
  assert.equal(tops.length, rows.length);
  const values = rows.map(({ pace }) => Number(pace.replace(',', '.')));
  const scale = tops[0] / values[0];
  assert.ok(tops[0] > 100, `the first column is ${tops[0]} high`);
  values.forEach((value, i) => assert.ok(Math.abs(tops[i] - value * scale) < 3, `column ${i} is ${tops[i]} high for ${value}`));
  const says = async ({ hour, pace }) => {
    const said = await page.innerText('.chart .u-legend');
    assert.ok(said.includes(hour) && said.includes(pace), `${said} for ${hour}: ${pace}`);
  };
  assert.ok(legend.includes(rows.at(-1).hour), `${legend} says the last hour at first`);
  const over = page.locator('.chart .u-over');
  await over.hover({ position: { x: places[1], y: 60 } });
  await says(rows[1]);
  await page.mouse.move(1, 1);
  await says(rows.at(-1));
  await over.click({ position: { x: places[1], y: 60 } });
  await page.waitForURL(/\/figures\/rounds\?.*hour=/);
  await page.context().close();
});

soakTest('the course of a wager is drawn in its band, in the light that is chosen', async () => {
  const page = await screen(screens[1], { language: 'fr' });
  await page.goto(at(`${wager}&nights=7`));
  const drawn = () => page.evaluate(() => {
    const { plot } = document.querySelector('.chart .room');
    const at = (series, i) => {
      const [x, y] = [plot.valToPos(i, 'x', true), plot.valToPos(plot.data[series][i], 'y', true)];
      return [...plot.ctx.getImageData(Math.round(x), Math.round(y), 1, 1).data.slice(0, 3)];
    };
    const colour = (name) => {
      const text = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
      return [1, 3, 5].map((i) => Number.parseInt(text.slice(i, i + 2), 16));
    };
    const middle = Math.floor(plot.data[0].length / 2);
    return { won: at(4, middle), gold: colour('--gold'), values: plot.data[4].slice(1), first: plot.data.map((series) => series[0]) };
  });
  const near = (is, wanted) => is.every((part, i) => Math.abs(part - wanted[i]) < 40);
  const dark = await drawn();
  assert.ok(near(dark.won, dark.gold), `${dark.won} where the course is ${dark.gold}`);
  assert.deepEqual(dark.first, [0, 0, 0, 0, 0]);
  await page.click('[data-to="bright"]');
  const bright = await drawn();
  assert.notDeepEqual(bright.gold, dark.gold);
  assert.ok(near(bright.won, bright.gold), `${bright.won} where the course is ${bright.gold} in the light`);
  const texts = await page.$$eval('details tbody tr', (list) => list.map((row) => row.children[1].textContent));
  const read = texts.map((text) => Number(text.replace('\u2212', '-').replace(/[^\d-]/g, '')));
  read.forEach((value, i) => assert.ok(Math.abs(value - bright.values[i]) <= 0.5, `${texts[i]} is drawn at ${bright.values[i]}`));
  await page.context().close();
});

test('the library that draws is the one that is pinned', () => {
  for (const [ours, theirs] of [['uPlot.js', 'uPlot.iife.min.js'], ['uPlot.css', 'uPlot.min.css']]) {
    const kept = new URL(`../../figures/assets/${ours}`, import.meta.url);
    const released = join(dirname(tools.resolve('uplot')), theirs);
    assert.ok(readFileSync(kept).equals(readFileSync(released)), `pit/figures/assets/${ours} is not ${theirs} of the pinned uplot`);
  }
});

test('from the floor to the figures, to a wager, to its rounds, to one round, by keyboard', async () => {
  const page = await screen(screens[2]);
  await page.goto(url);
  await page.focus('a[href="/figures"]');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/figures$/);
  await page.focus('.lucks tbody th a');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/figures\/wager/);
  const rounds = await page.innerText('.sums a');
  await page.focus('.sums a');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/figures\/rounds/);
  assert.match(await page.innerText('#rounds'), new RegExp(`of ${rounds} rounds`));
  assert.match(await page.getAttribute('.rounds tbody th a', 'href'), /^\/table\/casino\/bj-\d+\/recall\/\d+$/);
  await page.context().close();
});

soakTest('a table and a dealer are chosen, and the choice stays while nights change', async () => {
  const page = await screen(screens[2]);
  await page.goto(at(''));
  const all = await page.innerText('.tiles .note');
  await page.selectOption('select[name="table"]', 'bj-2');
  await page.waitForURL(/table=bj-2/);
  assert.notEqual(await page.innerText('.tiles .note'), all);
  assert.equal(await page.locator('.paces').first().locator('tbody tr').count(), 1);
  await page.click('.step >> nth=0');
  await page.waitForURL(/night=2026-03-27/);
  assert.equal(await page.inputValue('select[name="table"]'), 'bj-2');
  await page.context().close();
});

soakTest('the light is kept for all pages', async () => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  await page.goto(at(''));
  assert.equal(await page.getAttribute('html', 'data-light'), 'dark');
  await page.click('[data-to="bright"]');
  await page.goto(at('report'));
  assert.equal(await page.getAttribute('html', 'data-light'), 'bright');
  await context.close();
});

soakTest('without scripts everything is there but the light and the printer', async () => {
  const page = await screen(screens[2], { javaScriptEnabled: false });
  await page.goto(at(''));
  assert.ok(await page.locator('.lucks tbody tr').count() >= 20);
  await page.selectOption('.filter [name=table]', 'bj-2');
  await page.click('.filter button');
  assert.match(page.url(), /[?&]table=bj-2/, 'the policy lets the form be sent');
  await page.context().close();
});

test('a shift report fits on its paper', async () => {
  const page = await screen([703, 1000], { language: 'de' });
  await page.goto(at('report'));
  await page.emulateMedia({ media: 'print' });
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  assert.ok(!await page.isVisible('.head'));
  const pdf = await page.pdf({ preferCSSPageSize: true });
  assert.equal((pdf.toString('latin1').match(/\/Type \/Page\b/g) ?? []).length, 3);
  await page.context().close();
});
