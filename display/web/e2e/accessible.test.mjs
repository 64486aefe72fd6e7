// Can every dealer read and touch the page: axe's rules, the size of touch targets, and
// contrast, on every sample, in the light and the dark page.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';
import { Table, buildServer, few, isFresh, openBrowser, soak, soakTest } from './table.mjs';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const samples = ['idle', 'bets', 'insurance', 'full', 'payment-full', 'held-both', 'rejected', 'forecast', 'jackpot'];

let program;
let browser;
let table;
let page;

before(async () => {
  browser = await openBrowser();
  program = buildServer();
  table = await Table.start(program);
  // The page allows no foreign script: axe is injected through the browser itself.
  page = await browser.newPage({ viewport: { width: 1024, height: 600 }, bypassCSP: true });
  await table.show('idle');
  await page.goto(table.url, { waitUntil: 'domcontentloaded' });
  await page.addScriptTag({ content: axe });
});

after(async () => {
  await browser?.close();
  await table?.end();
});

async function show(sample) {
  await table.show(sample);
  await isFresh(page);
}

const light = (to) => page.evaluate((value) => { document.documentElement.dataset.light = value; }, to);

for (const [nth, to] of ['dark', 'bright'].entries()) {
  test(`axe finds nothing serious when it is ${to}`, async () => {
    await light(to);
    for (const sample of samples.filter((_, i) => soak || i % 2 === nth)) {
      await show(sample);
      const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
      const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join('; ')}`);
      assert.deepEqual(serious, [], sample);
    }
  });

  test(`text to be read at arm's length has a contrast of 7 to 1 when it is ${to}`, async () => {
    await light(to);
    for (const sample of samples) {
      await show(sample);
      const { read, faint } = await page.evaluate(contrasts);
      assert.ok(read > 5, `${sample}: ${read} texts were read`);
      assert.deepEqual(faint, [], sample);
    }
  });
}

for (const to of few(['dark', 'bright'], ['dark'])) {
  test(`the tray of a box has a contrast of 7 to 1 when it is ${to}`, async () => {
    const live = await Table.live(program, { house: 'schaffhausen' });
    const context = await browser.newContext({ viewport: { width: 1024, height: 600 }, hasTouch: true });
    try {
      await live.play('open; stake 3 anna 50; stake 3 anna 10 perfect-pairs');
      const tray = await context.newPage();
      await tray.goto(live.url, { waitUntil: 'domcontentloaded' });
      await tray.evaluate((value) => { document.documentElement.dataset.light = value; }, to);
      await tray.tap('#box-3 .whole');
      await tray.waitForSelector('#box-3 .tray:not([hidden]) .wager.chosen');
      const { read, faint } = await tray.evaluate(contrasts);
      assert.ok(read > 20, `${read} texts were read`);
      assert.deepEqual(faint, []);
    } finally {
      await context.close();
      await live.end();
    }
  });
}

// contrasts measures each text against its background: the colour behind it or, where that
// is the table itself, the felt's colour that is nearest to the text.
function contrasts() {
  const brush = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  const light = (colour) => {
    brush.fillStyle = colour;
    brush.fillRect(0, 0, 1, 1);
    const [r, g, b] = [...brush.getImageData(0, 0, 1, 1).data].map((v) => {
      const c = v / 255;
      return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const felt = getComputedStyle(document.documentElement).getPropertyValue('--felt');
  const ground = (part) => {
    for (let at = part; at && at !== document.body; at = at.parentElement) {
      const colour = getComputedStyle(at).backgroundColor;
      if (colour !== 'rgba(0, 0, 0, 0)') return colour;
    }
    return felt;
  };
  const texts = [...document.querySelectorAll('#table *')].filter((part) => part.checkVisibility()
    && !part.closest('.chip') // black on the white that the chip is drawn with
    && [...part.childNodes].some((child) => child.nodeType === Node.TEXT_NODE && child.data.trim()));
  const faint = [];
  for (const part of texts) {
    const [a, b] = [light(getComputedStyle(part).color), light(ground(part))].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < 7) faint.push(`${part.className || part.tagName} ${part.textContent}: ${ratio.toFixed(1)}`);
  }
  return { read: texts.length, faint };
}

// 14 mm on a screen of 7 inches and 1024 by 600 are 94 px. What one bettor gets stands on the box, where three of them
// have no such room: it may be as low as 44 px, since the same key is on the sheet behind "One by one", in full size.
const REACH = 94;
const BESIDE = 44;

/** The keys that are seen within a part of the page, and their sizes. */
const keysIn = (part) => page.evaluate((within) => [...document.querySelectorAll(`${within} :is(button, a)`)]
  .filter((key) => key.checkVisibility()).map((key) => {
    const at = key.getBoundingClientRect();
    const after = getComputedStyle(key, '::after'); // may reach beyond its words
    const wide = Math.max(at.width, parseFloat(after.width) || 0);
    const high = Math.max(at.height, parseFloat(after.height) || 0);
    return { key: key.dataset.key ?? key.className, wide: Math.round(wide), high: Math.round(high) };
  }), part);

const below = (least, keys) => keys.filter(({ wide, high }) => wide < REACH || high < least);

test('a touch anywhere on a box is one of the box, however little room it has', async () => {
  await show('payment-full');
  assert.notEqual(await page.locator('.tight .whole').count(), 0, 'no box has so little room that its cards are beside its number');
  const narrow = await page.locator('.whole').evaluateAll((all) => all.filter((key) => {
    const { clientWidth, clientHeight } = key.closest('.box');
    return key.offsetWidth < clientWidth || key.offsetHeight < clientHeight;
  }).map((key) => key.dataset.key));
  assert.deepEqual(narrow, []);
});

soakTest('touch targets are at least 14 mm wide and high', async () => {
  await light('dark');
  for (const sample of samples) {
    await show(sample);
    const keys = await keysIn('body');
    const isShare = ({ key }) => key.startsWith('on-paid-');
    assert.deepEqual(below(REACH, keys.filter((key) => !isShare(key))), [], sample);
    const shares = keys.filter(isShare);
    assert.deepEqual(below(BESIDE, shares), [], sample);
    if (shares.length > 0) {
      await page.locator('[data-key="each"]').click();
      const full = await keysIn('#sheet-each');
      assert.deepEqual(below(REACH, full), [], `${sample}, one by one`);
      const twins = new Set(full.map(({ key }) => `on-${key}`));
      assert.deepEqual(shares.filter(({ key }) => !twins.has(key)), [], `${sample}: on no sheet`);
      await page.locator('#sheet-each [data-closes]').click();
    }
  }
});
