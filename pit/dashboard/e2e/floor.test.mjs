// What the floor's pages do: two screens at once, alerts that are taken up, tiles that are put into place, and what is said
// when the pit, the broker or the database is away.

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { address } from '../../../internal/testkit/pages/address.mjs';
import { placeOf, sampleFloor, screens, soakTest, stopClock, toast } from './pit.mjs';

const { complaints, screen, start } = sampleFloor();
let pit;

beforeEach(async () => {
  pit = await start();
});

const tile = (n) => `#tile-kursaal-bj-${n}`;

soakTest('a touch counts whose key is drawn anew while it is pressed', async () => {
  const page = await screen('/alerts');
  await stopClock(page); // the time for which a finger keeps the picture back does not run out meanwhile
  await page.reload();
  await pit.show('alarm 3');
  const key = page.locator('#open .alert:has-text("bj-3") [data-does="coming"]');
  const { x, y, width, height } = await placeOf(key);
  await page.evaluate(() => {
    window.told = 0;
    const get = Object.getOwnPropertyDescriptor(MessageEvent.prototype, 'data').get;
    Object.defineProperty(MessageEvent.prototype, 'data', { get() { window.told += 1; return get.call(this); } });
  });
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.down();
  const told = await page.evaluate(() => window.told);
  await pit.show('alarm 5');
  await page.waitForFunction((before) => window.told > before, told);
  assert.equal(await page.locator('#open .alert:has-text("bj-5")').count(), 0, 'the picture changed under the finger');
  await page.mouse.up();
  await page.waitForSelector('#ask[open]');
  await page.waitForSelector('#open .alert:has-text("bj-5")');
});

test('an alarm is on two screens at once, and so is who takes it up, and with which note', async () => {
  const one = await screen('/');
  const two = await screen('/alerts', { size: screens.phone });
  await one.waitForSelector('#strip .calm');
  await pit.show('alarm 3');
  await one.waitForSelector(`${tile(3)}.alarm`);
  await one.waitForSelector('#strip .alert.stands');
  await two.waitForSelector('#open .alert.stands');

  await two.tap('#open [data-does="coming"]');
  await two.fill('#ask [name="by"]', 'Frau Sommer');
  await two.tap('#ask [type="submit"]');
  await one.waitForSelector(`${tile(3)}.coming`);
  assert.match(await one.textContent('#strip .alert'), /Frau Sommer is coming/);

  await pit.show('right 3');
  await one.waitForSelector(`${tile(3)}.latched`);
  assert.match(await one.textContent('#strip .alert'), /Identify, by Herr Keller/);
  await one.tap('#strip [data-does="seen"]');
  await one.tap('#ask [type="submit"]');
  await one.waitForFunction(() => /Say who/.test(document.getElementById('ask-wrong')?.textContent));
  await one.fill('#ask [name="by"]', 'Herr Winter');
  await one.fill('#ask [name="note"]', 'card was bent');
  await one.tap('#ask [type="submit"]');
  await one.waitForSelector('#strip .calm');
  await two.waitForFunction(() => /card was bent/.test(document.querySelector('#over li:nth-child(1)')?.textContent));
  await two.tap('#over li:nth-child(1) summary');
  assert.match(await two.textContent('#over li:nth-child(1) details'), /Herr Winter/);

  // The next time the screen knows who stands before it.
  await pit.show('alarm 4');
  await one.waitForSelector('#strip .alert.stands');
  await one.tap('#strip [data-does="seen"]');
  assert.equal(await one.inputValue('#ask [name="by"]'), 'Herr Winter');
  await one.tap('#ask [data-closes]');

  // Alerts that were put right are seen all at once, with one note; one that stands is not.
  for (const what of ['alarm 5', 'alarm 6', 'right 5', 'right 6']) {
    await pit.show(what);
  }
  await two.tap('#open [data-does="all-seen"]');
  assert.equal(await two.textContent('#ask-about'), 'All 2 that were put right: seen');
  await two.fill('#ask [name="note"]', 'both bent');
  await two.tap('#ask [type="submit"]');
  await two.waitForSelector('#open:not(:has([data-does="all-seen"])):not(:has(.right)):has(.stands)');
  await two.waitForFunction(() => [...document.querySelectorAll('#over details > q')].filter((q) => q.textContent === 'both bent').length === 2);
  assert.deepEqual(complaints.filter((c) => !/400/.test(c)), []);
});

test('tiles are put into place with the pointer, for all screens and for good', async () => {
  const one = await screen('/');
  const two = await screen('/');
  await one.tap('#arrange');
  const from = await placeOf(one.locator(tile(1)));
  const to = await placeOf(one.locator(tile(7)));
  await one.mouse.move(from.x + 30, from.y + 30);
  await one.mouse.down();
  await one.mouse.move(to.x + 20, to.y + 20, { steps: 5 });
  await one.mouse.move(to.x + 30, to.y + 30);
  await one.mouse.up();
  for (const page of [one, two]) {
    await page.waitForSelector(`${tile(1)}[data-x="3"][data-y="2"]`);
    await page.waitForSelector(`${tile(7)}[data-x="1"][data-y="1"]`);
  }
  await two.reload();
  await two.waitForSelector(`${tile(1)}[data-x="3"][data-y="2"]`);
  assert.equal(new URL(one.url()).pathname, '/');
  assert.deepEqual(complaints, []);
});

soakTest('tiles are put into place with the arrow keys, and reached with them', async () => {
  const page = await screen('/');
  await page.focus(`${tile(6)} a`);
  await page.keyboard.press('ArrowRight');
  assert.equal(await page.evaluate(() => document.activeElement.closest('.tile').id), 'tile-kursaal-bj-7');
  await page.keyboard.press('ArrowUp');
  assert.equal(await page.evaluate(() => document.activeElement.closest('.tile').id), 'tile-kursaal-bj-3');
  await page.click('#arrange');
  await page.focus(`${tile(3)} a`);
  await page.keyboard.press('ArrowDown');
  await page.waitForSelector(`${tile(3)}[data-x="3"][data-y="2"]`);
  assert.equal(await page.evaluate(() => document.activeElement.closest('.tile')?.id), 'tile-kursaal-bj-3', 'keeps the focus');
  await page.keyboard.press('ArrowLeft');
  await page.waitForSelector(`${tile(3)}[data-x="2"][data-y="2"]`);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Enter');
  await page.waitForURL(/table\/kursaal\/bj-3\/$/);
  assert.deepEqual(complaints, []);
});

soakTest('a room that cannot be kept is not shown as if it were', async () => {
  const page = await screen('/');
  await stopClock(page); // what the page says stays
  await page.reload();
  await pit.show('rooms fail');
  await page.click('#arrange');
  await page.focus(`${tile(1)} a`);
  await page.keyboard.press('ArrowRight');
  await toast(page, 'cannot be kept');
  assert.ok(await page.isVisible('#toast'));
  assert.equal(await page.getAttribute(tile(1), 'data-x'), '1');
});

soakTest('what has the focus keeps it when its tile changes', async () => {
  const page = await screen('/');
  await page.focus(`${tile(5)} a`);
  await pit.show('deal 5 payment');
  await page.waitForFunction(() => /Round 236/.test(document.querySelector('#tile-kursaal-bj-5')?.textContent));
  assert.equal(await page.evaluate(() => document.activeElement.closest('.tile')?.id), 'tile-kursaal-bj-5');
});

test('a page says that the pit is away, and since when, until it is back', async () => {
  const listen = address(); // where it finds room again
  await pit.end();
  pit = await start('-listen', listen);
  for (const path of ['/', '/table/kursaal/bj-3/recall']) {
    const page = await screen(path, { expected: [/ERR_|Failed to load/] });
    await page.waitForSelector('#lost', { state: 'hidden' });
    await pit.end();
    await page.waitForSelector('#lost:not([hidden])');
    assert.match(await page.textContent('#lost'), /No connection to the pit.*\d\d:\d\d:\d\d/);
    pit = await start('-listen', listen);
    await page.waitForSelector('#lost', { state: 'hidden' });
    await page.close();
  }
});

test('a page says that the broker is away, and how old what it shows is', async () => {
  const page = await screen('/');
  await pit.show('broker');
  await page.waitForSelector('#strip .away');
  assert.match(await page.textContent('#strip .away'), /The broker is away.*1 min.*\d\d:\d\d/);
  assert.equal(await page.locator('.tile.unknown').count(), 12);
  await pit.show('calm');
  await page.waitForSelector('#strip .calm');
  assert.equal(await page.locator('.away:visible').count(), 0);
});

soakTest('while the database is away the live pages go on', async () => {
  const page = await screen('/table/kursaal/bj-3/', { expected: [/503/] });
  await pit.show('store away');
  await pit.show('store');
  await page.waitForSelector('#strip .away');
  assert.match(await page.textContent('#told'), /The record cannot be read/);
  await pit.show('deal 3 payment');
  await page.waitForFunction(() => /Round 222/.test(document.getElementById('who')?.textContent));
  assert.ok(await page.locator('#table .box').count() >= 7);
});

test("a table's page is the dealer's, and follows it", async () => {
  const page = await screen('/table/kursaal/bj-3/', { size: screens.desk });
  await pit.show('deal 3 payment');
  await page.waitForFunction(() => /Round 222/.test(document.getElementById('who')?.textContent));
  assert.ok(await page.locator('#table .foot').count() > 0);
  await pit.show('alarm 3');
  await page.waitForSelector('#wrong .alert.stands');
  const felt = await placeOf(page.locator('#table .felt'));
  const live = await placeOf(page.locator('#live'));
  assert.ok(Math.abs(felt.width - live.width) < 4, `${felt.width} of ${live.width}`);
  assert.deepEqual(complaints, []);
});

test('a past round is found, replayed, printed, and left again', async () => {
  const page = await screen('/table/kursaal/bj-3/', { size: screens.desk });
  await page.click('#who a[href$="recall"]');
  await page.selectOption('#search [name="code"]', 'lost-cards');
  await page.click('#search [type="submit"]');
  await page.waitForURL(/code=lost-cards/);
  assert.equal(await page.locator('#found tbody tr').count(), 1);
  assert.match(await page.textContent('#found .went'), /Cards lost None drawn, by anna/);
  await page.click('#found tbody th a');
  await page.waitForFunction(() => document.querySelector('h1')?.textContent === 'PAST ROUND 21');
  await page.click('#replay');
  await page.waitForURL(/recall\/21\/replay/);
  await page.keyboard.press('End');
  await page.waitForURL(/record=\d+/);
  await page.click('#sheet');
  await page.waitForURL(/recall\/21\/sheet/);
  await page.click('#back');
  await page.waitForURL(/recall\/21$/);
  await page.click('#list');
  await page.waitForURL(/bj-3\/recall$/);
  assert.deepEqual(complaints, []);
});

soakTest('what is typed into a search stays there, whatever a screen is sent', async () => {
  const page = await screen('/table/kursaal/bj-3/');
  await page.addInitScript(() => {
    const Source = window.EventSource;
    window.EventSource = class extends Source {
      constructor(...args) {
        super(...args);
        window.source = this;
      }
    };
  });
  await page.goto(pit.at('/table/kursaal/bj-3/recall'), { waitUntil: 'load' });
  const search = async () => page.evaluate(() => [...new FormData(document.getElementById('search')).values(), document.activeElement.name]);
  await page.selectOption('#search [name="code"]', 'lost-cards');
  await page.locator('#search [name="dealer"]').pressSequentially('an');
  await page.locator('#search').evaluate((form) => { form.same = true; });
  const again = () => page.evaluate(() => window.source.onerror()); // all of the page is sent again
  await pit.show('alarm 5');
  await page.locator('#strip:has-text("bj-5")').waitFor();
  await again();
  await pit.show('alarm 3');
  await page.locator('#strip:has-text("bj-3")').waitFor();
  assert.ok(await page.locator('#search').evaluate((form) => form.same), 'the search was drawn anew');
  await page.keyboard.type('n');
  assert.deepEqual(await search(), ['ann', 'lost-cards', 'dealer']);
  await pit.show('store away');
  await again();
  await page.locator('main .wrong[role="alert"]').waitFor(); // which the page did not have
  assert.ok(!await page.locator('#search').evaluate((form) => form.same), 'the page was not drawn anew');
  await page.keyboard.type('a');
  assert.deepEqual(await search(), ['anna', 'lost-cards', 'dealer']);
  assert.deepEqual(complaints, []);
});

test('an alarm is heard and notified once it was allowed, and again only when it is called further', async () => {
  const page = await screen('/', { permissions: ['notifications'] });
  await page.evaluate(() => {
    window.told = [];
    window.Notification = class {
      static permission = 'granted';
      static async requestPermission() { return 'granted'; }
      constructor(title) { window.told.push(title); }
    };
    ServiceWorkerRegistration.prototype.showNotification = async (title) => { window.told.push(title); };
  });
  await page.click('[data-opens="menu"]');
  await page.click('[data-set="pit-sound"][data-to="on"]');
  await page.click('[data-set="pit-notify"][data-to="on"]');
  await page.click('#menu [data-closes]');
  assert.equal(await page.evaluate(() => document.documentElement.dataset.sounded ?? '0'), '0', 'a calm floor is quiet');
  await pit.show('alarm 3');
  await page.waitForFunction(() => Number(document.documentElement.dataset.sounded) > 0 && window.told.length > 0);
  assert.deepEqual(await page.evaluate(() => window.told), ['bj-3 Unread card']);
  await pit.show('deal 5 payment');
  await page.waitForFunction(() => /Round 236/.test(document.querySelector('#tile-kursaal-bj-5')?.textContent));
  assert.equal(await page.evaluate(() => window.told.length), 1);
  assert.deepEqual(complaints, []);
});

soakTest('a browser that notifies nobody says so', async () => {
  const page = await screen('/');
  await page.evaluate(() => {
    window.Notification = class { static async requestPermission() { return 'denied'; } };
  });
  await page.click('[data-opens="menu"]');
  await page.click('[data-set="pit-notify"][data-to="on"]');
  await page.waitForSelector('#unheard:not([hidden])');
  assert.equal(await page.getAttribute('[data-set="pit-notify"][data-to="off"]', 'aria-pressed'), 'true');
});

soakTest('the light and the language are kept', async () => {
  const page = await screen('/');
  await page.click('[data-opens="menu"]');
  await page.click('[data-set="light"][data-to="bright"]');
  await page.click('#menu a[lang^="zh"]');
  await page.waitForFunction(() => document.documentElement.lang.startsWith('zh'));
  await page.goto(pit.at('/alerts'));
  assert.equal(await page.getAttribute('html', 'data-light'), 'bright');
  assert.match(await page.getAttribute('html', 'lang'), /^zh/);
});

for (const role of ['viewer', 'technician', 'supervisor', 'manager']) {
  test(`a ${role} has the keys for what they may do`, async () => {
    await pit.end();
    pit = await start('-people', '-sample', 'bad');
    const cookies = [['who', `anna:${role}`]];
    const may = role === 'supervisor' || role === 'manager';
    const page = await screen('/', { cookies });
    assert.equal(await page.locator('#arrange').count(), may ? 1 : 0);
    assert.equal((await page.locator('[data-does]').count()) > 0, may);
    await page.goto(pit.at('/table/kursaal/bj-3/'));
    assert.equal(await page.locator('a[href$="recall"]').count(), may ? 1 : 0);
    assert.equal((await page.locator('#health dd').count()) > 0, role !== 'viewer');
    if (may) {
      // Who has entered is not asked for a name.
      await page.click('#wrong [data-does="coming"]');
      await page.waitForFunction(() => /anna is coming/.test(document.getElementById('wrong')?.textContent));
    }
    assert.deepEqual(complaints, []);
  });
}

test('a stranger is led to where people enter', async () => {
  await pit.end();
  pit = await start('-people');
  const page = await screen('/table/kursaal/bj-3/');
  assert.equal(new URL(page.url()).pathname, '/enter');
});
