// Takes the pictures of the pit's pages, from the sample floor and the sample nights of their tests.
//
//   node pit.mjs FOLDER

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Table, buildServer, openBrowser } from '../../display/web/e2e/table.mjs';
import { Pit, buildPit } from '../../pit/dashboard/e2e/pit.mjs';
import { packed } from './png.mjs';

const [folder] = process.argv.slice(2);
assert.ok(folder, 'usage: node pit.mjs FOLDER');

const browser = await openBrowser();
try {
  const pit = await Pit.start(buildPit());
  try {
    await take('pit-floor.png', pit.at('/'), { width: 1024, height: 768 });
    await pit.show('bad');
    await take('pit-alert.png', pit.at('/'), { width: 1024, height: 768 });
    await pit.show('calm');
    await pit.show('deal 3 payment');
    await take('pit-table.png', pit.at('/table/kursaal/bj-3/'), { width: 900, height: 590 });
  } finally {
    await pit.end();
  }
  const nights = await Table.run(buildServer('figures'), []);
  try {
    await take('pit-figures.png', new URL('figures', nights.url).href, { width: 1024, height: 768 });
    await take('pit-odds.png', new URL('figures/odds', nights.url).href, { width: 1280, height: 1000 }, async (page) => {
      await page.waitForSelector('.plays', { timeout: 240_000 });
      await page.locator('.hard tr', { has: page.locator('th:text-is("16")') }).locator('td').nth(8).click();
      await page.evaluate(() => scrollTo(0, document.querySelector('#best').getBoundingClientRect().top + scrollY - 80));
    });
  } finally {
    await nights.kill();
  }
} finally {
  await browser.close();
}

// take keeps what a page shows once it is drawn.
async function take(picture, address, size, prepare = async () => {}) {
  const page = await browser.newPage({ viewport: size });
  await page.goto(address, { waitUntil: 'load' });
  await prepare(page);
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  await page.waitForTimeout(500); // what is drawn in the browser
  writeFileSync(join(folder, picture), packed(await page.screenshot()));
  await page.close();
  console.log(picture);
}
