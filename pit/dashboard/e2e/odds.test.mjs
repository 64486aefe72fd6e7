// The page of odds in a real browser: it shows what is there and then the rest by itself; the chart can be read without telling colours
// apart, by touch, by keyboard and by mouse; it has room on every screen, in every language, in the dark and in the bright.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Table, buildServer, soakTest } from '../../../display/web/e2e/table.mjs';
import { axe, faults, few, languages, openBrowser, overhear, rotated, soak } from './pit.mjs';

const sizes = [[390, 844], [1024, 768], [1280, 800]];
let browser;
let nights;
const rules = {}; // fingerprints by house

before(async () => {
  browser = await openBrowser();
  nights = await Table.run(buildServer('figures'), []);
});

after(async () => {
  await browser?.close();
  await nights?.kill();
});

const at = (house) => new URL(house === undefined ? 'figures/odds' : `figures/odds?rules=${rules[house]}`, nights.url).href;

async function screen([width, height], { light = 'dark', language = 'en', ...options } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, ...options });
  await context.addCookies([{ name: 'sabot-language', value: language, url: nights.url }]);
  await context.addInitScript((to) => localStorage.setItem('sabot-light', to), light);
  return context.newPage();
}

const there = (page) => page.waitForSelector('.plays', { timeout: 240_000 });
const said = (page) => page.locator('.said').innerText().then((text) => text.replace(/\s+/g, ' '));
const cell = (page, hand, bank) => page.locator('.hard tbody tr', { has: page.locator(`th:text-is("${hand}")`) }).locator('td').nth(bank - 2);

test('wagers are there at once, the best play once it is worked out, and the page loads itself no second time', async () => {
  const page = await screen(sizes[2]);
  const complaints = [];
  const wanted = [];
  overhear(page, complaints, { wanted });
  await page.goto(nights.url);
  await page.click('a[href="/figures"]');
  await page.click('a[href^="/figures/odds"]');
  await page.waitForURL(/\/figures\/odds/);
  for (const { value, text } of await page.$$eval('[name=rules] option', (all) => all.map((one) => ({ value: one.value, text: one.textContent })))) {
    rules[text.split(' ·')[0]] = value;
  }
  assert.equal(Object.keys(rules).length, 6, 'the houses that are played');
  await page.selectOption('[name=rules]', rules.Schaffhausen);
  await page.waitForURL((url) => url.searchParams.get('rules') === rules.Schaffhausen);
  assert.match(await page.innerText('.worths'), /Perfect Pairs\s+House’s edge\s+6\.109/);
  await page.evaluate(() => { window.same = true; });
  await there(page);
  assert.ok(await page.evaluate(() => window.same), 'the page was loaded again');
  assert.equal(await page.locator('.working').innerText(), '');
  assert.equal(await page.locator('.calls tbody tr').count(), await page.locator('[data-row]').count());
  assert.deepEqual(complaints, []);
  assert.deepEqual(wanted.filter((address) => !address.startsWith(nights.url)), [], 'another server was asked');
  await page.context().close();
});

test('a finger on a cell says what each call is worth, and what a mistake costs', async () => {
  const page = await screen(sizes[0], { hasTouch: true });
  await page.goto(at('Schaffhausen'));
  await there(page);
  await cell(page, '16', 10).tap();
  assert.match(await said(page), /^16 against 10 .*Stand −0\.\d{4} costs [\d.]+ ?% .*Surrender −0\.5000 best$/);
  const box = await page.locator('.said').boundingBox();
  assert.ok(box.y >= 0 && box.y + box.height <= 844, 'it is on the screen');
  await page.context().close();
});

soakTest('the keyboard goes through the chart, which is one stop of it, wherever the mouse rests', async () => {
  const page = await screen(sizes[2]);
  await page.goto(at('Schaffhausen'));
  await there(page);
  await cell(page, '12', 4).hover();
  assert.equal(await page.locator('.plays [tabindex="0"]').count(), 1);
  await page.focus('.plays [tabindex="0"]');
  assert.match(await said(page), /^5 against 2 /);
  for (const [key, wanted] of [['ArrowRight', '5 against 3'], ['ArrowDown', '6 against 3'], ['ArrowLeft', '6 against 2'], ['ArrowLeft', '6 against 2'], ['ArrowUp', '5 against 2'], ['ArrowUp', '5 against 2']]) {
    await page.keyboard.press(key);
    assert.ok((await said(page)).startsWith(`${wanted} `), `${key} leads to ${await said(page)}`);
  }
  for (let i = 0; i < 15; i++) {
    await page.keyboard.press('ArrowDown');
  }
  assert.match(await said(page), /^A‑2 against 2 /, 'down from the last hard hand is the first soft one');
  const [focused, over, head] = await page.evaluate(() => [document.activeElement, document.querySelector('.said'), document.querySelector('.head')].map((one) => one.getBoundingClientRect().toJSON()));
  assert.ok(focused.bottom <= over.top && focused.top >= head.bottom, `something lies on the cell: ${focused.top} to ${focused.bottom}, between ${head.bottom} and ${over.top}`);
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement.closest('.plays')), null, 'Tab leaves the chart');
  const box = await page.locator('.said').boundingBox();
  assert.ok(box.height > 20, 'what was said stays');
  await page.context().close();
});

soakTest('the mouse says it too, and what is said is what the numbers say', async () => {
  const page = await screen(sizes[2], { language: 'de' });
  await page.goto(at('Schaffhausen'));
  await there(page);
  await cell(page, '11', 6).hover();
  const text = await said(page);
  await page.click('details.each summary');
  const row = (await page.locator('.calls tbody tr', { hasText: '11 gegen 6' }).first().innerText()).replace(/\s+/g, ' ');
  for (const number of text.match(/[−]?\d,\d{4}/g)) {
    assert.ok(row.includes(number), `${number} of ${text} is not in ${row}`);
  }
  assert.match(text, /^11 gegen 6 .*Verdoppeln 0,\d{4} am besten/);
  await page.context().close();
});

soakTest('each call has a letter of its own, and another look without any colour', async () => {
  for (const light of ['dark', 'bright']) {
    const page = await screen(sizes[2], { light });
    await page.goto(at('Schaffhausen'));
    await there(page);
    const marks = await page.$$eval('.legend b', (all) => all.map((one) => {
      const { backgroundColor, backgroundImage } = getComputedStyle(one);
      const [r, g, b] = backgroundColor.match(/[\d.]+/g).map(Number);
      return { letter: one.textContent, grey: 0.2126 * r + 0.7152 * g + 0.0722 * b, pattern: backgroundImage.split('(')[0] };
    }));
    assert.deepEqual(marks.map(({ letter }) => letter), ['R', 'C', 'D', 'S', 'X']);
    for (const a of marks) {
      for (const b of marks.filter((one) => one !== a)) {
        assert.ok(a.pattern !== b.pattern || Math.abs(a.grey - b.grey) > 25, `${a.letter} and ${b.letter} look the same without colours, ${light}`);
      }
    }
    const wrong = await page.$$eval('[data-row]', (all) => all.filter((one) => ({ rest: 'R', card: 'C', double: 'D', split: 'S', surrender: 'X' })[one.className] !== one.querySelector('b').textContent[0]).length);
    assert.equal(wrong, 0, 'cells whose letter and look differ');
    await page.context().close();
  }
});

test('it has room on every screen, in every language, and can be read', async () => {
  for (const [nth, [house, language]] of rotated(few(['Schaffhausen', 'Baden', 'Mendrisio'], ['Schaffhausen']), few(languages, ['de'])).entries()) {
    const light = language === 'de' ? 'bright' : 'dark';
    const page = await screen(sizes[0], { language, light, bypassCSP: true });
    await page.goto(at(house));
    await there(page);
    assert.equal((await page.getAttribute('html', 'lang')).slice(0, 2), language);
    for (const [width, height] of few(sizes, [sizes[nth]])) {
      await page.setViewportSize({ width, height });
      await page.evaluate(() => new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(done)); }));
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${house} in ${language} at ${width}: too wide`);
      assert.deepEqual((await page.evaluate(faults, { scrolls: ['.scroll'], slides: ['.scroll'] })).faults, [], `${house} in ${language} at ${width}`);
    }
    if (!soak) {
      await page.context().close();
      continue;
    }
    await page.locator('[data-row]').first().click();
    await page.addScriptTag({ content: axe });
    const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
    const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(({ target }) => target.join(' ')).join('; ')}`);
    assert.deepEqual(serious, [], `${house} in ${language}`);
    await page.context().close();
  }
});

soakTest('without scripts the page asks again by itself, and the numbers are in their table', async () => {
  const page = await screen(sizes[2], { javaScriptEnabled: false });
  await page.goto(at(few('St. Moritz', 'Schaffhausen')));
  await there(page);
  await page.click('details.each summary');
  assert.ok(await page.locator('.calls tbody tr').first().isVisible());
  await page.selectOption('[name=rules]', rules.Baden);
  await page.click('.filter button');
  assert.match(page.url(), new RegExp(`rules=${rules.Baden}`));
  await page.context().close();
});
