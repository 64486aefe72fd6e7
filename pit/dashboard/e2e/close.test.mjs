// The close of a gaming day: a drop box is counted, and corrected with a reason; the close and its slips are printed.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Table, buildServer, openBrowser, overhear } from '../../../display/web/e2e/table.mjs';

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

async function screen(path, complaints) {
  const context = await browser.newContext({ viewport: { width: 1024, height: 768 } });
  const page = await context.newPage();
  overhear(page, complaints, { expected: [/409/] });
  await page.goto(`${url}figures/${path}`, { waitUntil: 'load' });
  return page;
}

test('what was in a drop box is entered once, and corrected with a reason; all of it stays on the page', async () => {
  const complaints = [];
  const page = await screen('close', complaints);
  const other = await screen('close', complaints);
  const box = (one) => one.locator('.boxes tbody tr', { hasText: 'bj-1' }).first();
  for (const one of [page, other]) {
    await box(one).locator('summary').click();
    await box(one).locator('[name="by"]').fill('Frau Zähler');
  }
  await box(page).locator('[name="amount"]').fill('1,650.00');
  await box(page).locator('button').click();
  await page.waitForFunction(() => /1,650\.00, Frau Zähler/.test(document.querySelector('.boxes')?.textContent));
  assert.match(await page.textContent('.differences'), /In the drop box were 1,650\.00; 1,700\.00 had to be there/);
  // Another screen still shows it as not counted: it is not written over.
  await box(other).locator('[name="amount"]').fill('1,700.00');
  await box(other).locator('button').click();
  await other.waitForFunction(() => /counted already/.test(document.querySelector('.boxes')?.textContent));
  await other.reload();
  await box(other).locator('summary').click();
  await box(other).locator('[name="by"]').fill('Herr Keller');
  await box(other).locator('[name="amount"]').fill('1,700.00');
  await box(other).locator('[name="reason"]').fill('a note stuck in the lid');
  await box(other).locator('button').click();
  await other.waitForFunction(() => /a note stuck in the lid/.test(document.querySelector('.boxes')?.textContent));
  assert.match(await box(other).textContent(), /1,650\.00, Frau Zähler.*1,700\.00, Herr Keller.*a note stuck in the lid/s);
  assert.deepEqual(complaints.filter((c) => !/409/.test(c)), []);
});

const sheets = (pdf) => [...pdf.toString('latin1').matchAll(/\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/g)].map(([, width, height]) => (Number(width) > Number(height) ? 'across' : 'upright'));

test('the close is printed across, and slips two on an upright sheet', async () => {
  const complaints = [];
  const page = await screen('slips?table=bj-4', complaints);
  assert.deepEqual(sheets(await page.pdf({ preferCSSPageSize: true })), ['upright', 'upright']);
  assert.equal(await page.locator('.slip').count(), 4);
  await page.click('.slip h2 a');
  await page.waitForSelector('.copy');
  assert.equal(await page.locator('.slip').count(), 2);
  assert.deepEqual(sheets(await page.pdf({ preferCSSPageSize: true })), ['upright']);
  await page.goto(`${url}figures/close`, { waitUntil: 'load' });
  const pages = sheets(await page.pdf({ preferCSSPageSize: true }));
  assert.ok(pages.length <= 2 && pages.every((one) => one === 'across'), pages.join(' '));
  assert.deepEqual(complaints, []);
});
