// Whom the pit tells something: tables, by commands that are signed with a person's own key, and people, by push. The keys
// are those that sabot key command makes, and the push service decrypts what it is sent as a browser does.

import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { House, buildHouse, openBrowser, overhear, soakTest, table, until } from './house.mjs';

const one = table(1);
const two = table(2);

let house;
let browser;
let pages = [];
let complaints = [];

before(async () => {
  const program = buildHouse();
  [browser, house] = await Promise.all([openBrowser({ notifies: true }), House.open(program)]);
  await house.tell('play 1 dealer marta; open; stake 1 ann 20; close; TS 7D KH; rest; TH; paid');
  await house.tell('key manager 1');
});

after(async () => {
  await browser?.close();
  await house?.end();
});

afterEach(async () => {
  await Promise.all(pages.map((page) => page.context().close()));
  pages = [];
  assert.deepEqual(complaints.splice(0), []);
});

async function screen(role, path, options) {
  const page = await house.screen(browser, role, options);
  pages.push(page);
  overhear(page, complaints);
  await page.goto(house.at(path));
  return page;
}

const told = (page, what) => page.waitForFunction((w) => new RegExp(w).test(document.getElementById('told')?.textContent), what);
const done = (page) => page.waitForFunction(() => /bj-1 has done it/.test(document.getElementById('toast')?.textContent));

test('a manager with a key closes and opens a table, which says who it was, and so does the log', async () => {
  const page = await screen('manager', one);
  const wall = await screen('viewer', '/');
  await page.click('[data-order="close"]');
  assert.equal(await page.locator('#order-close [name="by"]').count(), 0, 'the pit knows who it is');
  await page.click('#order-close [type="submit"]');
  await done(page);
  await page.waitForSelector('[data-order="open"]');
  await wall.waitForSelector('#tile-kursaal-bj-1.closed');
  await told(page, 'manager');
  await assert.rejects(house.tell('play 1 open'), /refused/, 'a closed table deals no round');

  await page.click('[data-order="open"]');
  await page.click('#order-open [type="submit"]');
  await page.waitForSelector('[data-order="close"]');
  await wall.waitForSelector('#tile-kursaal-bj-1.open');
  await house.tell('play 1 open; stake 1 ann 20; close; TS 7D KH; rest; TH; paid');

  await page.goto(house.at('/log'));
  const rows = await page.$$eval('.log tbody tr', (list) => list.map((row) => row.innerText));
  for (const what of ['Close the table', 'Open the table']) {
    const row = rows.find((text) => /bj-1/.test(text) && text.includes(what));
    assert.ok(row, `the log has no ${what}: ${rows.join(' | ')}`);
    assert.match(row, /manager/);
  }
  await house.tell('compare');
});

soakTest('a message of the manager stands at the table, and a table that lists no key is told nothing', async () => {
  const page = await screen('manager', one);
  await page.click('[data-order="message"]');
  await page.fill('#order-message [name="text"]', 'Bitte „Limits“ <b>20</b>');
  await page.click('#order-message [type="submit"]');
  await done(page);
  await page.waitForFunction(() => /Bitte „Limits“ <b>20<\/b>/.test(document.querySelector('#orders .told')?.textContent ?? ''));
  await page.goto(house.at(two));
  await page.waitForSelector('#orders .calm');
  assert.equal(await page.locator('[data-order]').count(), 0);
});

test('a supervisor without a key tells the table nothing, on the page or past it', async () => {
  const page = await screen('supervisor', one);
  await page.waitForSelector('#orders .calm');
  assert.equal(await page.locator('[data-order]').count(), 0);
  const answer = await page.context().request.post(house.at(`${one}command/close`), { headers: { Origin: house.url.slice(0, -1) }, data: {} });
  assert.doesNotMatch(await answer.text(), /"state":"done"/);
  await house.tell('play 1 open; stake 1 ann 20; close; TS 7D KH; rest; TH; paid');
});

soakTest('an alert is pushed to whoever asked for it, and the worker shows what the push service was sent', async () => {
  const known = await house.ask('browser keller');
  const page = await screen('supervisor', '/', { permissions: ['notifications'] });
  // Only this is not the browser's own: a browser without a network registers with no push service.
  await page.addInitScript(({ Endpoint, P256dh, Auth }) => {
    const one = { endpoint: Endpoint, options: {}, toJSON: () => ({ endpoint: Endpoint, keys: { p256dh: P256dh, auth: Auth } }), unsubscribe: async () => true };
    PushManager.prototype.subscribe = async () => one;
  }, known);
  await page.goto(house.at('/'), { waitUntil: 'load' });
  const cdp = await page.context().newCDPSession(page);
  const registered = new Promise((resolve) => {
    cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const there = registrations.find((r) => !r.isDeleted);
      if (there) {
        resolve(there.registrationId);
      }
    });
  });
  await cdp.send('ServiceWorker.enable');
  await page.click('[data-opens="menu"]');
  await page.click('[data-push="on"]');
  await page.waitForSelector('[data-push="on"][aria-pressed="true"]');
  const registrationId = await registered;

  await house.tell('play 1 open; stake 1 ann 20; close; TS ??');
  const call = await house.ask('pushed keller unread-card');
  assert.match(call.Title, /^bj-1: /);
  assert.equal(call.Where, one);
  assert.equal(call.Key, await page.getAttribute('#push', 'data-key'), 'signed with the key that the page asks with');
  const data = JSON.stringify({ title: call.Title, body: call.Body, tag: call.Tag, where: call.Where, silent: call.Silent });
  await cdp.send('ServiceWorker.deliverPushMessage', { origin: new URL(house.url).origin, registrationId, data });
  await until(page, async (tag) => {
    const all = await (await navigator.serviceWorker.ready).getNotifications();
    return all.some((n) => n.tag === tag);
  }, call.Tag);
  await house.tell('play 1 resolve identify 7D by=keller; KH; rest; TH; paid');
});
