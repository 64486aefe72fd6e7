// What tables are told from the pages: what is asked, what is shown of the answer, and who has a key for what.

import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { axe, few, languages, sampleFloor, screens, soak, soakTest, stopClock, toast } from './pit.mjs';

const { complaints, forgive, screen, start } = sampleFloor();
let pit;

afterEach(() => assert.deepEqual(complaints, []));

const bj2 = '/table/kursaal/bj-2/';

test('limits are asked for, sent in the name of whoever entered, and seen on every screen', async () => {
  pit = await start('-people');
  const one = await screen(bj2, { who: 'anna:supervisor' });
  const two = await screen(bj2, { who: 'bruno:viewer', size: screens.phone });
  await one.tap('[data-order="limits"]');
  assert.equal(await one.inputValue('#order-limits [name="min"]'), '25.00');
  assert.equal(await one.inputValue('#order-limits [name="box_max"]'), '2,000.00');
  assert.equal(await one.locator('#order-limits [name="by"]').count(), 0);
  assert.match(await one.textContent('#order-limits h2'), /bj-2/);
  assert.match(await one.textContent('#order-limits p'), /The pit waits for the end of this round/);
  await pit.show('deal 2 idle');
  await one.fill('#order-limits [name="min"]', '50');
  await one.tap('#order-limits [type="submit"]');
  await toast(one, 'bj-2 has done it');
  assert.equal(await one.locator('#order-limits[open]').count(), 0);
  await two.waitForFunction(() => /50.00 – 2,000.00/.test(document.getElementById('facts')?.textContent));
});

test('a table that refuses says why, one that is silent is waited for, and both may be told again', async () => {
  pit = await start('-people');
  const page = await screen(bj2, { who: 'anna:manager' });
  await stopClock(page); // the seconds that it counts are those that this test lets pass
  await page.reload();
  await pit.show('deal 2 idle');
  await pit.show('answer table-closed');
  await page.tap('[data-order="close"]');
  await page.tap('#order-close [type="submit"]');
  await page.waitForFunction(() => document.querySelector('#order-close .answer')?.textContent === '✕ bj-2 refuses: the table is closed');

  // It counts from when the command was sent: the end of a round shows when that is.
  const answer = (what) => page.waitForFunction(
    (w) => document.querySelector('#order-close .answer')?.textContent.startsWith(w), what,
  );
  await pit.show('answer silent');
  await pit.show('deal 2 play');
  await page.tap('#order-close [type="submit"]');
  await answer('bj-2: waiting for the end of the round … 0 s');
  await pit.show('deal 2 idle');
  await answer('Waiting for bj-2 … 0 s');
  await page.clock.runFor(1000);
  await answer('Waiting for bj-2 … 1 s');
  assert.ok(await page.isDisabled('#order-close [type="submit"]'), 'it could be sent twice');
  await pit.show('give up');
  await answer('? No answer from bj-2 after 3600 s');

  await pit.show('answer away');
  await page.tap('#order-close [type="submit"]');
  await page.waitForFunction(() => document.querySelector('#order-close .answer')?.textContent === '✕ Not sent: the broker is away');

  await pit.show('answer done');
  await page.tap('#order-close [type="submit"]');
  await toast(page, 'bj-2 has done it');
  assert.ok(await page.isVisible('#toast'));
  await page.waitForSelector('[data-order="open"]');
  assert.equal(await page.locator('[data-order="close"]').count(), 0);
});

soakTest('who closes the dialog while the table is silent hears of it all the same', async () => {
  pit = await start('-people');
  const page = await screen(bj2, { who: 'anna:supervisor' });
  await pit.show('deal 2 idle');
  await pit.show('answer silent');
  await page.tap('[data-order="close"]');
  await page.tap('#order-close [type="submit"]');
  await page.tap('#order-close [data-closes]');
  await pit.show('give up');
  await toast(page, 'No answer from bj-2');
});

soakTest('what is for between rounds waits for the end of the round, and may be given up until then', async () => {
  pit = await start('-people');
  const page = await screen(bj2, { who: 'anna:supervisor' });
  const says = (what) => page.waitForFunction((w) => document.querySelector('#order-close .answer')?.textContent.startsWith(w), what);
  await page.tap('[data-order="close"]');
  await page.tap('#order-close [type="submit"]');
  await says('bj-2: waiting for the end of the round …');
  await page.tap('#order-close [data-closes]');
  await pit.show('deal 2 idle');
  await pit.show('deal 2 play');
  await page.waitForSelector('[data-order="close"]');

  await page.tap('[data-order="close"]');
  await page.tap('#order-close [type="submit"]');
  await says('bj-2: waiting for the end of the round …');
  await pit.show('deal 2 payment');
  await says('bj-2: waiting for the end of the round …');
  await pit.show('deal 2 idle');
  await toast(page, 'bj-2 has done it');
  await page.waitForSelector('[data-order="open"]');
});

test('a message stands at the table until its dealer has seen it', async () => {
  pit = await start();
  const page = await screen(bj2, { expected: [/400/] });
  await page.tap('[data-order="message"]');
  assert.equal(await page.evaluate(() => document.activeElement.name), 'by');
  await page.fill('#order-message [name="by"]', 'Frau Sommer');
  await page.fill('#order-message [name="text"]', 'a\u202eb');
  await page.tap('#order-message [type="submit"]');
  await page.waitForFunction(() => /120 characters/.test(document.querySelector('#order-message .answer')?.textContent));
  await page.fill('#order-message [name="text"]', 'Bitte „Limits“ <b>20</b>');
  await page.tap('#order-message [type="submit"]');
  await page.waitForFunction(() => /Bitte „Limits“ <b>20<\/b>/.test(document.querySelector('#orders .told')?.textContent ?? ''));
  await page.tap('[data-order="message"]');
  assert.equal(await page.inputValue('#order-message [name="by"]'), 'Frau Sommer');
  assert.equal(await page.inputValue('#order-message [name="text"]'), '');
  forgive(/400/);
});

soakTest('who takes up an alert is told to the table, and what the table says is shown', async () => {
  pit = await start('-people', '-sample', 'bad');
  const page = await screen('/table/kursaal/bj-1/', { who: 'anna:supervisor' });
  await page.tap('#wrong [data-does="coming"]');
  await toast(page, '✓ bj-1 has done it');
  await page.waitForFunction(() => /anna is coming/.test(document.getElementById('wrong')?.textContent));
  await pit.show('answer not-held');
  await page.tap('#wrong [data-does="seen"]');
  await page.waitForSelector('#ask-tells:not([hidden])');
  await page.tap('#ask [type="submit"]');
  await toast(page, '✕ bj-1 refuses: the round is not held');
  await page.waitForFunction(() => /Seen by anna|seen by anna/i.test(document.getElementById('wrong')?.textContent));
});

test('each role has its own keys', async () => {
  pit = await start('-people');
  const keys = async (who, path = bj2) => (await screen(path, { who })).evaluate(() => [...document.querySelectorAll('[data-order]')].map((one) => one.dataset.order));
  assert.deepEqual(await keys('anna:viewer'), []);
  assert.deepEqual(await keys('anna:technician'), ['resend']);
  assert.deepEqual(await keys('anna:supervisor'), ['close', 'limits', 'message']);
  assert.deepEqual(await keys('anna:manager'), ['close', 'limits', 'message', 'resend']);
  assert.deepEqual(await keys('anna:manager', '/table/kursaal/bj-12/'), []);
});

for (const [nth, language] of few(languages, ['de']).entries()) {
  test(`every dialog fits every screen, in ${language}`, async () => {
    pit = await start();
    const page = await screen(`${bj2}?lang=${language}`, { size: screens.phone });
    await page.evaluate(axe);
    for (const [i, what] of ['close', 'limits', 'message', 'resend'].entries()) {
      for (const [j, size] of [screens.phone, screens.upright, screens.desk].entries()) {
        if (!soak && (3 * i + j) % languages.length !== nth) {
          continue;
        }
        await page.setViewportSize(size);
        await page.tap(`[data-order="${what}"]`);
        const cut = await page.evaluate((id) => {
          const dialog = document.getElementById(id);
          const around = dialog.getBoundingClientRect();
          return [...dialog.querySelectorAll('*')].filter((one) => {
            const box = one.getBoundingClientRect();
            return box.width > 0 && (box.right > around.right || box.left < around.left || one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).display !== 'inline');
          }).map((one) => `${one.tagName} ${one.textContent.slice(0, 40)}`).concat(around.bottom > innerHeight ? ['the dialog'] : []);
        }, `order-${what}`);
        assert.deepEqual(cut, [], `${what} at ${size.width}`);
        // What axe looks at depends on the language and the size each, not on both.
        if (!soak || size === screens.phone || language === 'en') {
          const { violations } = await page.evaluate((id) => window.axe.run(document.getElementById(id)), `order-${what}`);
          assert.deepEqual(violations.map((v) => `${v.id}: ${v.nodes[0].html}`), [], `${what} at ${size.width}`);
        }
        await page.tap(`#order-${what} [data-closes]`);
      }
    }
  });
}
