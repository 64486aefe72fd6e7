// Two screens at once, and what they say while the pit, the broker or the database is away: PostgreSQL here.

import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { House, buildHouse, openBrowser, overhear, soakTest, table } from './house.mjs';

const tile = (n) => `#tile-kursaal-bj-${n}`;
const one = table(1);

let house;
let browser;
let pages = [];
let complaints = [];

before(async () => {
  const program = buildHouse();
  [browser, house] = await Promise.all([openBrowser(), House.open(program, 'postgres')]);
  await house.tell('play 1 dealer marta; open; stake 1 ann 20; close; TS 7D KH; rest; TH; paid');
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

async function screen(role, path, expected = []) {
  const page = await house.screen(browser, role);
  pages.push(page);
  overhear(page, complaints, { expected });
  await page.goto(house.at(path));
  return page;
}

const calm = (page) => page.waitForSelector('#strip .calm');

/** A dealer's mistake at table 1, which a supervisor puts right. */
const alarm = () => house.tell('play 1 open; stake 1 ann 20; close; TS ??');
const right = () => house.tell('play 1 resolve identify 7D by=keller; KH; rest; TH; paid');

soakTest('an alarm is on two screens at once, and so is who comes, who has seen it, and with which note', async () => {
  const floor = await screen('supervisor', '/');
  const alerts = await screen('manager', '/alerts');
  const wall = await screen('viewer', '/');
  await calm(floor);
  await alarm();
  await floor.waitForSelector(`${tile(1)}.alarm`);
  await wall.waitForSelector(`${tile(1)}.alarm`);
  await alerts.click('#open .alert.stands [data-does="coming"]');
  await floor.waitForSelector(`${tile(1)}.coming`);
  await wall.waitForFunction(() => /manager is coming/.test(document.querySelector('#strip .alert')?.textContent));
  await right();
  await floor.waitForSelector(`${tile(1)}.latched`);
  await floor.click('#strip [data-does="seen"]');
  await floor.fill('#ask [name="note"]', 'the card was bent');
  await floor.click('#ask [type="submit"]');
  await calm(wall);
  await alerts.waitForSelector('#open .calm');
  await alerts.click('#over li:nth-child(1) summary');
  const over = await alerts.textContent('#over li:nth-child(1)');
  assert.match(over, /the card was bent/);
  assert.match(over, /Seen by supervisor/);
});

soakTest('what happens at a table is told on its page, in sentences, as it happens', async () => {
  const page = await screen('supervisor', one);
  await page.waitForSelector('#told li');
  await house.tell('play 1 open; stake 5 zora 30; close');
  await page.waitForFunction(() => /zora: Main 30\.00/.test(document.getElementById('told')?.textContent));
  await house.tell('play 1 TS 7D KH');
  await page.waitForFunction(() => /K♥\s+counts 20/.test(document.getElementById('told')?.textContent));
  await house.tell('play 1 rest; TH; paid');
  await page.waitForFunction(() => /Round closed/.test(document.querySelector('#told li:nth-child(2)').textContent));
});

soakTest('who leaves is out on all pages of this browser, and on no other', async () => {
  const leaves = await screen('supervisor', '/');
  const beside = await leaves.context().newPage();
  await beside.goto(house.at('/alerts'));
  const other = await screen('supervisor', '/');
  await leaves.click('[data-opens="menu"]');
  await leaves.click('[data-posts="/leave"]');
  for (const page of [leaves, beside]) {
    await page.waitForSelector('#name');
    assert.match(page.url(), /\/enter\?then=/);
  }
  await alarm();
  await other.waitForSelector(`${tile(1)}.alarm`);
  await right();
  await other.click('#strip [data-does="seen"]');
  await other.click('#ask [type="submit"]');
  await calm(other);
});

soakTest('a session that somebody ends leads to where one enters, and back', async () => {
  await house.tell('add zoe supervisor');
  const page = await screen('zoe', '/alerts');
  await house.tell('role zoe viewer');
  await page.waitForSelector('#name');
  assert.match(page.url(), /\/enter\?then=%2Falerts$/);
  await page.fill('#name', 'zoe');
  await page.fill('#password', 'correct horse battery staple');
  await page.click('button.first');
  await page.waitForURL(house.at('/alerts'));
  assert.equal(await page.locator('[data-does]').count(), 0);
});

soakTest('a page says that the pit is away, and comes back by itself, with all alerts that ever were', async () => {
  const floor = await screen('supervisor', '/', [/ERR_|Failed to load/]);
  const alerts = await screen('supervisor', '/alerts', [/ERR_|Failed to load/]);
  await floor.waitForSelector(`${tile(1)}.open`);
  const over = await alerts.$$eval('#over > ol > li', (list) => list.map((one) => one.textContent));
  assert.ok(over.length > 0);
  await house.tell('kill pit');
  for (const page of [floor, alerts]) {
    await page.waitForSelector('#lost:not([hidden])');
    assert.match(await page.textContent('#lost'), /No connection to the pit.*\d\d:\d\d:\d\d/);
  }
  await house.tell('play 1 open; stake 6 ann 40; close; TS 7D KH; rest; TH; paid'); // meanwhile
  await house.tell('start pit');
  for (const page of [floor, alerts]) {
    await page.waitForSelector('#lost', { state: 'hidden' });
  }
  await floor.waitForSelector(`${tile(1)}.open`);
  await alerts.waitForFunction((were) => JSON.stringify([...document.querySelectorAll('#over > ol > li')].map((one) => one.textContent)) === were, JSON.stringify(over));
  await house.tell('compare');
  await floor.goto(house.at(`${one}recall?amount=40`));
  assert.equal(await floor.locator('#found tbody tr').count(), 1);
});

soakTest('a page says that the broker is away: nobody is heard, and no tile says more than it knows', async () => {
  const page = await screen('supervisor', '/');
  await page.waitForSelector(`${tile(1)}.open`);
  await house.tell('kill broker');
  await page.waitForSelector('#strip .away');
  assert.match(await page.textContent('#strip .away'), /broker/i);
  await page.waitForFunction(() => document.querySelectorAll('.tile.unknown').length === 3);
  await house.tell('play 1 open; stake 6 ann 60; close; TS 7D KH; rest; TH; paid'); // meanwhile
  await house.tell('start broker');
  await page.waitForFunction(() => document.querySelectorAll('.tile.open').length === 3 && !document.querySelector('.away'));
  await house.tell('compare');
});

test('a page says that the database is away, goes on, and nothing is lost when it is back', async () => {
  const expected = [/50\d|401|ERR_|Failed to load/];
  const floor = await screen('supervisor', '/', expected);
  const page = await screen('supervisor', one, expected);
  await page.addInitScript(() => {
    const Source = window.EventSource;
    window.streams = [];
    window.EventSource = class extends Source {
      constructor(...args) {
        super(...args);
        window.streams.push(this);
      }
    };
  });
  await page.reload();
  await page.waitForSelector('#told li');
  await house.tell('kill database');
  await house.tell('play 1 open; stake 2 ann 80; close; TS 7D');
  await floor.waitForFunction(() => /database/i.test(document.getElementById('strip')?.textContent));
  // A screen that loses its stream now has it back half a second later: it is looked at before that.
  assert.ok(await page.evaluate(() => {
    window.streams.at(-1).dispatchEvent(new Event('error'));
    return !document.getElementById('lost').hidden;
  }), 'it does not say that it has lost its stream');
  await page.waitForSelector('#lost', { state: 'hidden' });
  await page.waitForFunction(() => document.querySelectorAll('#table .box use, #table .box .card').length > 0);
  await page.waitForFunction(() => document.querySelector('#told .none') !== null);
  await house.tell('play 1 KH; rest; TH; paid');
  await house.tell('start database');
  await house.tell('compare');
  await page.waitForFunction(() => document.querySelector('#told .none') === null);
  await page.goto(house.at(`${one}recall?amount=80`));
  assert.equal(await page.locator('#found tbody tr').count(), 1);
  await floor.goto(house.at('/alerts'));
  await floor.locator('#open .alert.right', { hasText: 'Database away' }).locator('[data-does="seen"]').click();
  await floor.click('#ask [type="submit"]');
  await floor.locator('#over summary', { hasText: 'Database away' }).waitFor();
});
