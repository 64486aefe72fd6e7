// The page of jackpots that several tables play for: what is in one, who has won it, and what has changed it.

import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { axe, faults, few, languages, sampleFloor, screens, soak } from './pit.mjs';

const { complaints, forgive, screen, start } = sampleFloor();

afterEach(() => assert.deepEqual(complaints, []));

test('the meter, who has won it, every entry and the file of them are there', async () => {
  await start();
  const page = await screen('/jackpots');
  assert.match(await page.textContent('#jackpot-ticino h2'), /ticino 10,007\.00 EUR/);
  assert.match(await page.textContent('#jackpot-ticino dl'), /10,000\.00 EUR.*14\.00 EUR.*20,000\.00 EUR.*10,007\.00 EUR/s);
  assert.match(await page.textContent('#jackpot-ticino ol'), /bj-4 round 12 given to winners.*5,005\.25 EUR/s);
  await page.tap('#entries-ticino summary');
  assert.equal(await page.locator('#entries-ticino li').count(), 7);
  const file = await page.evaluate(async () => (await fetch(document.querySelector('#entries-ticino a.key').href)).text());
  const lines = file.trim().split('\n');
  assert.equal(lines[0], 'jackpot,entry,at,kind,amount,after,site,table,journal,round,record,decision');
  assert.equal(lines[1], 'ticino,7,2026-03-28T21:10:00Z,fed,3.50,10007.00,kursaal,bj-2,00ff,18,617,0');
  assert.equal(lines.length, 8);
});

test('who may not see it does not, and a database that is away is said', async () => {
  const pit = await start('-people');
  const viewer = await screen('/jackpots', { who: 'vera:viewer', expected: [/403/] });
  assert.equal(await viewer.locator('#jackpots').count(), 0);
  forgive(/403/);
  const anna = await screen('/jackpots', { who: 'anna:supervisor' });
  await anna.waitForSelector('#jackpot-ticino');
  await pit.show('store away');
  await anna.goto(pit.at('/jackpots'), { waitUntil: 'load' });
  assert.match(await anna.textContent('#jackpots'), /database is away/);
});

for (const language of few(languages, ['de'])) {
  test(`all of it fits every screen, in ${language}`, async () => {
    await start();
    const page = await screen(`/jackpots?lang=${language}`, { size: screens.phone });
    await page.evaluate(axe);
    await page.tap('#entries-ticino summary');
    const wrong = [];
    for (const size of soak ? Object.values(screens) : [screens.phone, screens.tablet, screens.desk]) {
      await page.setViewportSize(size);
      const got = await page.evaluate(faults, { names: ['Kursaal'], scrolls: [], key: 44 });
      wrong.push(...got.faults.map((fault) => `${size.width}: ${fault}`));
    }
    assert.deepEqual(wrong, []);
  });
}
