// Takes the pictures of the documentation: a real table behind the real page is led to
// the moments that tell something, always with the same cards.
//
//   node take.mjs FOLDER

import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Table, buildServer, openBrowser, rested } from '../../display/web/e2e/table.mjs';
import { houses, moments, recalled } from './scenes.mjs';
import { packed } from './png.mjs';

const [folder] = process.argv.slice(2);
assert.ok(folder, 'usage: node take.mjs FOLDER');

const program = buildServer();
const browser = await openBrowser();
try {
  for (const scene of [...moments, ...recalled]) {
    await take(scene, folder);
  }
  mkdirSync(join(folder, 'houses'), { recursive: true });
  for (const scene of houses) {
    await take(scene, join(folder, 'houses'));
  }
} finally {
  await browser.close();
}

// take leads a table to a moment, waits until the page says so, and keeps what it shows.
async function take({ picture, setup, proof = 'none', speaks = 'en', lines, says, touches = [], language = 'en', path = '', in: place = '#prompt h1', size = { width: 1024, height: 600 } }, where) {
  const table = await Table.live(program, setup, '-proof', proof, '-language', speaks);
  try {
    for (const line of lines) {
      await table.play(line);
    }
    const context = await browser.newContext({ viewport: size, hasTouch: true });
    const page = await context.newPage();
    const address = new URL(path, table.url);
    address.searchParams.set('lang', language);
    await page.goto(address.href, { waitUntil: 'domcontentloaded' });
    await page.waitForFunction(([source, from]) => new RegExp(source).test(document.querySelector(from)?.textContent ?? ''), [says.source, place], { timeout: 10_000 })
      .catch(async () => assert.fail(`${picture}: the page says ${await page.textContent(place)}`));
    for (const what of touches) {
      await rested(page);
      await page.locator(what).first().tap();
    }
    writeFileSync(join(where, picture), packed(await page.screenshot()));
    await context.close();
    console.log(picture);
  } finally {
    await table.kill();
  }
}
