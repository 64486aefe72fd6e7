// The page of trays: what is asked for, who may approve it, and what each tray must hold.

import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { axe, faults, few, languages, ready, sampleFloor, screens, soak, toast } from './pit.mjs';

const { complaints, forgive, screen, start } = sampleFloor();
let pit;

afterEach(() => assert.deepEqual(complaints, []));

const slip = (page, id) => page.locator(`#slip-${id}`);

test('a fill is asked for, approved by somebody else, and said to be sent; every screen sees it', async () => {
  pit = await start('-people');
  const anna = await screen('/trays', { who: 'anna:supervisor' });
  const bert = await screen('/trays', { who: 'bert:supervisor', size: screens.phone });
  await anna.tap('#tray-bj-2 [data-wants="fill"]');
  assert.match(await anna.textContent('#chips-ask h2'), /bj-2: Ask for a fill/);
  await anna.tap('#chips-ask [type="submit"]');
  assert.match(await anna.textContent('#chips-ask .answer'), /how many pieces/);
  await anna.fill('#chips-ask [data-value="10000"]', '30');
  await anna.fill('#chips-ask [data-value="500"]', '40');
  assert.match(await anna.textContent('#chips-ask .total'), /3,200\.00/);
  await anna.tap('#chips-ask [type="submit"]');
  await toast(anna, 'bj-2 has done it');
  await slip(anna, 'bj-2-900').waitFor();
  assert.match(await slip(anna, 'bj-2-900').textContent(), /30 × 100\.00.*40 × 5\.00.*You have asked for it/s);
  assert.equal(await anna.locator('#slip-bj-2-900 [data-slips="approve"]').count(), 0, 'anna could approve it herself');
  await slip(bert, 'bj-2-900').locator('[data-slips="approve"]').tap();
  await bert.tap('#slip-step [type="submit"]');
  await anna.waitForFunction(() => /Approved: bert/.test(document.getElementById('slip-bj-2-900')?.textContent));
  assert.match(await slip(anna, 'bj-2-900').textContent(), /Waits for the cage/);
  await slip(anna, 'bj-2-900').locator('[data-slips="sent"]').tap();
  await anna.tap('#slip-step [type="submit"]');
  await bert.waitForFunction(() => /Waits for the dealer/.test(document.getElementById('slip-bj-2-900')?.textContent));
});

test('who asked is refused by the pit, too, and a refusal needs a reason', async () => {
  pit = await start('-people');
  const anna = await screen('/trays', { who: 'Anna:supervisor', expected: [/409/] });
  const said = await anna.evaluate(async () => {
    const answer = await fetch('/table/kursaal/bj-4/command/approve', {
      method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ kind: 'fill', slip: '83' }),
    });
    return `${answer.status} ${await answer.text()}`;
  });
  assert.match(said, /409 You have asked for it/);
  forgive(/409/);
  await slip(anna, 'bj-4-83').locator('[data-slips="refuse"]').tap();
  await anna.tap('#slip-step [type="submit"]');
  assert.ok(await anna.locator('#slip-step[open]').count(), 'it was refused without a reason');
  await anna.fill('#slip-step textarea', 'there are enough');
  await anna.tap('#slip-step [type="submit"]');
  await slip(anna, 'bj-4-83').waitFor({ state: 'detached' });
});

test('each tray says what must be in it, and the floor what all of them hold', async () => {
  pit = await start();
  const page = await screen('/trays', { size: screens.desk });
  assert.match(await page.textContent('#tray-bj-4'), /40,915\.00.*43,795\.00.*agreed.*50 rounds since.*Drop box 1,850\.00/s);
  assert.match(await page.textContent('#tray-bj-9'), /Never counted/);
  assert.match(await page.textContent('#float'), /7 of 10 trays known300,725\.00 CHF/);
  await pit.show('store away');
  await page.waitForFunction(() => /cannot be read/.test(document.getElementById('float')?.textContent));
  await pit.show('store back');
  await page.waitForSelector('#tray-bj-4');
});

test('each role has its own pages and keys', async () => {
  pit = await start('-people');
  const viewer = await screen('/trays', { who: 'vera:viewer', expected: [/403/] });
  assert.equal(await viewer.locator('#trays').count(), 0);
  forgive(/403/);
  const cage = await screen('/trays', { who: 'cora:cashier' });
  const keys = await cage.evaluate(() => [...document.querySelectorAll('[data-slips], [data-wants]')].map((one) => one.dataset.slips ?? one.dataset.wants));
  assert.deepEqual([...new Set(keys)].sort(), ['received', 'sent']);
});

test('who may act on a slip sees on every page how many wait, and the number follows', async () => {
  pit = await start('-people');
  const way = (page) => page.locator('#top nav a[href="/trays"]');
  const count = (page, n) => page.waitForFunction((want) => (document.querySelector('#top nav a[href="/trays"] .waits')?.textContent ?? '') === want, n);
  const bert = await screen('/', { who: 'bert:supervisor', size: screens.desk });
  const cora = await screen('/alerts', { who: 'cora:cashier', size: screens.phone });
  const anna = await screen('/table/kursaal/bj-4/', { who: 'Anna:supervisor' });
  await Promise.all([count(bert, '1'), count(cora, '2')]);
  assert.equal(await way(bert).getAttribute('aria-label'), 'Trays 1: waits for you');
  assert.equal(await way(anna).textContent(), 'Trays', 'Anna has asked for it herself');
  await way(bert).tap();
  await ready(bert, '#slip-bj-4-83 [data-slips="approve"]');
  await slip(bert, 'bj-4-83').locator('[data-slips="approve"]').tap();
  await bert.tap('#slip-step [type="submit"]');
  await Promise.all([count(bert, ''), count(cora, '3')]);
  await bert.goBack();
  await count(bert, '');
});

for (const language of few(languages, ['de'])) {
  test(`all of it fits every screen, in ${language}`, async () => {
    pit = await start();
    const page = await screen(`/trays?lang=${language}`, { size: screens.phone });
    await page.evaluate(axe);
    const wrong = [];
    for (const size of soak ? Object.values(screens) : [screens.phone, screens.tablet, screens.desk]) {
      await page.setViewportSize(size);
      const got = await page.evaluate(faults, { names: ['Kursaal'], scrolls: [], key: 44 });
      wrong.push(...got.faults.map((fault) => `${size.width}: ${fault}`));
      for (const open of ['#tray-bj-4 [data-wants="credit"]', '#slip-bj-4-83 [data-slips="refuse"]']) {
        await page.tap(open);
        const dialog = page.locator('dialog[open]');
        const cut = await dialog.evaluate((one) => [...one.querySelectorAll('*')].filter((part) => part.scrollWidth > part.clientWidth + 1 && getComputedStyle(part).display !== 'inline').map((part) => part.outerHTML.slice(0, 80)));
        wrong.push(...cut.map((part) => `${size.width}: cut: ${part}`));
        const { violations } = await page.evaluate(() => window.axe.run(document.querySelector('dialog[open]')));
        wrong.push(...violations.map((v) => `${size.width}: ${v.id}: ${v.nodes[0].html}`));
        await dialog.locator('[data-closes]').tap();
      }
    }
    assert.deepEqual(wrong, []);
  });
}
