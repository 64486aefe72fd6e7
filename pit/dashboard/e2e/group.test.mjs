// The page of a group: its houses, the line to each, and what their tables have come to, each currency by itself.

import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { axe, faults, few, languages, sampleFloor, screens, soak } from './pit.mjs';

const { complaints, forgive, screen, start } = sampleFloor();

afterEach(() => assert.deepEqual(complaints, []));

test('each house is there with its line, its tables and its amounts, and leads to its own floor', async () => {
  await start('-group');
  const page = await screen('/group');
  const own = await page.textContent('#site-kursaal');
  assert.match(own, /Line is up.*All records are here.*tables open/s);
  assert.match(own, /51 rounds.*3,000 CHF.*\+100 CHF.*236 rounds.*26,000 EUR.*-?−?125 EUR/s);
  const away = await page.textContent('#site-wiesbaden');
  assert.match(away, /No line.*1204 records behind/s);
  assert.doesNotMatch(away, /tables open/);
  assert.equal(await page.getAttribute('#site-kursaal .keys a:nth-of-type(2)', 'href'), 'https://pit.kursaal.example');
  await page.tap('#site-kursaal .keys a');
  await page.waitForSelector('#room li');
  assert.match(await page.textContent('#room li .name'), /^kursaal\/bj-1$/);
  await page.goto(page.url().replace('kursaal', 'wiesbaden'), { waitUntil: 'load' });
  assert.equal(await page.locator('#room li').count(), 0);
});

test('who may not know what was won sees the lines alone', async () => {
  await start('-group', '-people');
  const vera = await screen('/group', { who: 'vera:viewer' });
  assert.match(await vera.textContent('#site-kursaal'), /Line is up/);
  assert.equal(await vera.locator('#sites dl').count(), 0);
});

for (const language of few(languages, ['de'])) {
  test(`all of it fits every screen, in ${language}`, async () => {
    await start('-group', '-sample', 'bad');
    const page = await screen(`/group?lang=${language}`, { size: screens.phone });
    await page.evaluate(axe);
    const wrong = [];
    for (const size of soak ? Object.values(screens) : [screens.phone, screens.tablet, screens.desk]) {
      await page.setViewportSize(size);
      const got = await page.evaluate(faults, { names: ['Kursaal'], scrolls: [], key: 44 });
      wrong.push(...got.faults.map((fault) => `${size.width}: ${fault}`));
    }
    assert.deepEqual(wrong, []);
  });
}
