import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { Table, buildServer, few, openBrowser, overhear, soak, soakTest } from '../../../../display/web/e2e/table.mjs';

// How people enter the pit, in a real browser: passwords, pauses, roles, the provider of
// identities, and every page in every language on every screen.

const password = 'correct horse battery staple';
const shots = process.env.SHOTS; // a folder for pictures of every page
const axe = readFileSync(createRequire(new URL('../../../../display/web/e2e/table.mjs', import.meta.url)).resolve('axe-core'), 'utf8');

let program;
let browser;
let pit;
let page;
let contexts;
let complaints;
let wanted;

before(async () => {
  program = buildServer('login');
  browser = await openBrowser();
});

after(() => browser?.close());

beforeEach(async () => {
  pit = await Table.start(program);
  contexts = [];
  complaints = [];
  wanted = [];
  page = await screen();
});

afterEach(async () => {
  await Promise.all(contexts.map((context) => context.close()));
  await pit?.kill();
  assert.deepEqual(complaints, []);
});

/** A browser of its own. What is refused is complained of by the browser, and expected. */
async function screen(viewport = { width: 1280, height: 800 }) {
  const context = await browser.newContext({ viewport, ignoreHTTPSErrors: true });
  contexts.push(context);
  const one = await context.newPage();
  overhear(one, complaints, { wanted, expected: [/the server responded with a status of 4\d\d/, /net::ERR_INCOMPLETE_CHUNKED_ENCODING/] });
  return one;
}

async function fill(on, name, secret) {
  await on.fill('#name', name);
  await on.fill('#password', secret);
  await on.click('button.first');
}

/** Enters, and waits for the site. */
async function enter(on, name, secret = password, path = '') {
  await on.goto(pit.url + path);
  await fill(on, name, secret);
  await on.waitForURL(pit.url + path);
}

const said = (on, text) => on.waitForFunction((want) => [...document.querySelectorAll('.said')].some((one) => one.textContent.includes(want)), text);

test('somebody enters by keyboard, and comes to the page that was asked for', async () => {
  await page.goto(`${pit.url}table?x=1`);
  assert.equal(page.url(), `${pit.url}enter?then=%2Ftable%3Fx%3D1`);
  assert.equal(await page.evaluate(() => document.activeElement.id), 'name');
  await page.keyboard.type('supervisor');
  await page.keyboard.press('Tab');
  await page.keyboard.type(password);
  await page.keyboard.press('Enter');
  await page.waitForURL(`${pit.url}table?x=1`);
  assert.equal(await page.textContent('#who'), 'supervisor, supervisor');
  assert.deepEqual(wanted.filter((url) => url.includes('staple') || new URL(url).host !== pit.address), []);
  const cookies = await page.context().cookies();
  assert.deepEqual(cookies.map((one) => [one.name, one.secure, one.httpOnly, one.sameSite, one.path]).sort(), [
    ['__Host-sabot-pit', true, true, 'Lax', '/'],
    ['__Host-sabot-pit-known', true, true, 'Lax', '/'],
  ]);
});

test('a wrong password is said, too many make a pause, and another browser still enters', async () => {
  const known = await screen();
  await enter(known, 'manager');
  await known.context().clearCookies({ name: '__Host-sabot-pit' });

  await page.goto(pit.url);
  for (let i = 0; i < 4; i++) {
    await fill(page, 'manager', 'guess');
    await said(page, 'Name or password is wrong.');
    await page.waitForSelector('button.first:enabled');
  }
  await fill(page, 'manager', 'guess');
  await said(page, 'Try again in 900 seconds.');
  await page.waitForSelector('button.first:enabled');
  await fill(page, 'manager', password);
  await said(page, 'Too many wrong tries.');

  await enter(known, 'manager');
  assert.equal(await known.textContent('#who'), 'manager, manager');
  assert.equal(await pit.say('let-in manager'), 'done');
  await enter(page, 'manager');
});

soakTest('a new person chooses a password, and enters with it', async () => {
  const start = await pit.say('add zoe supervisor');
  await page.goto(pit.url);
  await fill(page, 'zoe', start);
  await page.waitForURL(`${pit.url}password`);
  await page.fill('#had', start);
  await page.fill('#new', 'four words are good');
  await page.fill('#again', 'four words are god');
  await page.click('button.first');
  await said(page, 'The two new passwords differ.');
  await page.fill('#again', 'four words are good');
  await page.click('button.first');
  await page.waitForURL(pit.url);
  assert.equal(await page.textContent('#who'), 'zoe, supervisor');
  await enter(await screen(), 'zoe', 'four words are good');
});

test('a person with another role is out on both screens at once', async () => {
  const other = await screen();
  for (const on of [page, other]) {
    await enter(on, 'supervisor');
    await on.evaluate(() => {
      window.ended = fetch('/stream').then((reply) => reply.text()).catch(() => {}).then(() => true);
    });
  }
  const wall = await screen();
  await enter(wall, 'viewer');
  assert.equal(await pit.say('role supervisor technician'), 'done');
  for (const on of [page, other]) {
    assert.equal(await on.evaluate(() => window.ended), true);
    await on.reload();
    assert.match(on.url(), /\/enter\?/);
  }
  await wall.reload();
  assert.equal(await wall.textContent('#who'), 'viewer, viewer');
  await enter(page, 'supervisor');
  assert.equal(await page.textContent('#who'), 'supervisor, technician');
});

soakTest('somebody enters by the provider of identities', async () => {
  assert.equal(await pit.say('vouch dora pit'), 'done');
  await page.goto(`${pit.url}table`);
  await page.click('text=Log in with House ID');
  await page.waitForURL(`${pit.url}table`);
  assert.equal(await page.textContent('#who'), 'dora, supervisor');
  await page.reload();
  assert.equal(await page.textContent('#who'), 'dora, supervisor');

  assert.equal(await pit.say('vouch eve guests'), 'done');
  const other = await screen();
  await other.goto(pit.url);
  await other.click('text=Log in with House ID');
  await said(other, 'None of your groups has a role in the pit.');
});

test('a manager adds, changes, removes and restores a person, and reads it in the log', async () => {
  await enter(page, 'manager', password, 'people');
  await page.fill('#added', 'Zoë <b>');
  await page.check('.add input[value=supervisor]');
  await page.click('.add button.first');
  await said(page, 'This is not a name');
  await page.fill('#added', 'Zoë O’Hara');
  await page.click('.add button.first');
  await page.waitForSelector('#start[open]');
  assert.match(await page.textContent('#start-password'), /^([0-9a-z]{4}-){3}[0-9a-z]{4}$/);
  await page.click('#start button');
  const zoe = page.locator('[data-person="Zoë O’Hara"]');
  await zoe.waitFor();
  assert.match(await zoe.textContent(), /starting password, good until/);

  const opened = () => zoe.locator('summary').click();
  await opened();
  await zoe.locator('select').selectOption('technician');
  await zoe.locator('form:has(select) button').click();
  await zoe.locator('.role', { hasText: 'Technician' }).waitFor();

  await opened();
  await zoe.locator('.stop').click();
  await page.click('#sure button[value=""]');
  assert.equal(await page.locator('.gone').count(), 0);
  await zoe.locator('.stop').click();
  await page.click('#sure button[value=yes]');
  await page.waitForSelector('.gone');
  await zoe.locator('form button').click();
  await page.waitForSelector('#start[open]');
  await page.click('#start button');
  await page.waitForSelector('.gone', { state: 'detached' });

  await opened();
  await zoe.locator('a').click();
  await page.waitForSelector('.log');
  assert.deepEqual(await page.locator('.what').allTextContents(), ['let a person in again', 'removed a person', 'changed the role', 'added a person']);
  await page.click('#top form button');
  await page.waitForURL(`${pit.url}enter`);
});

test('who may not is told so', async () => {
  await enter(page, 'supervisor');
  await page.goto(`${pit.url}people`);
  await said(page, 'Your role may not do this.');
});

const screens = { phone: [390, 844], tablet: [820, 1180], desk: [1280, 800], wall: [1920, 1080] };

// Two frames: the page hears of a new size in the first, and is laid out for it in the second.
const drawn = () => new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(done)); });
const turn = (light) => { document.documentElement.dataset.light = light; };

const lights = ['dark', 'bright'];

for (const [nth, lang] of few(['en', 'de', 'fr', 'it', 'zh'], ['de']).entries()) {
  test(`every page fits every screen, dark and bright, in ${lang}`, async () => {
    const start = await pit.say('add zoe supervisor');
    await pit.say('add 陈美玲 technician');
    await pit.say('remove 陈美玲');
    const [fresh, manager] = [await screen(), await screen()];
    await fresh.goto(pit.url);
    await fill(fresh, 'zoe', start);
    await fresh.waitForURL(`${pit.url}password`);
    await enter(manager, 'manager');
    const pages = [[page, 'enter'], [manager, 'people'], [manager, 'log'], [fresh, 'password'], [manager, 'password']];
    for (const [on, path] of soak ? pages : [pages[nth]]) {
      await on.goto(`${pit.url}${path}?lang=${lang}`);
      if (on === page) {
        await fill(on, 'manager', 'guess');
        await on.waitForSelector('.said:not(:empty)');
      }
      await on.evaluate(() => document.querySelector('details')?.setAttribute('open', ''));
      assert.equal(await on.getAttribute('html', 'lang'), lang === 'zh' ? 'zh-Hans' : lang, path);
      for (const [i, [name, [width, height]]] of Object.entries(screens).entries()) {
        await on.setViewportSize({ width, height });
        for (const light of soak ? lights : [lights[(i + nth) % lights.length]]) {
          const what = `${path} on the ${name}, ${light}`;
          await on.evaluate(turn, light);
          await on.evaluate(drawn);
          const wide = await on.evaluate(() => document.documentElement.scrollWidth - innerWidth);
          assert.ok(wide <= 0, `${what} is ${wide} px too wide`);
          const small = await on.evaluate(() => [...document.querySelectorAll('a, button, select, input:not([type=hidden]):not([type=radio])')]
            .filter((one) => one.checkVisibility() && one.getBoundingClientRect().height < 44).map((one) => one.outerHTML));
          assert.deepEqual(small, [], `${what} has what a finger misses`);
          if (shots) {
            await on.screenshot({ path: join(shots, `${path}-${on === fresh ? 'start-' : ''}${name}-${light}-${lang}.png`), fullPage: true });
          }
          // A narrow page and a wide one have all that any of them has.
          if ((lang === 'en' || !soak) && (name === 'phone' || (soak && name === 'wall'))) {
            await on.evaluate(axe);
            const { violations } = await on.evaluate(() => window.axe.run());
            assert.deepEqual(violations.map((one) => [one.id, one.nodes.map((node) => node.html)]), [], what);
          }
        }
      }
    }
  });
}

soakTest('the light that a screen keeps is that of every page', async () => {
  await page.goto(`${pit.url}enter`);
  await page.evaluate(() => localStorage.setItem('sabot-light', 'bright'));
  await page.reload();
  assert.equal(await page.getAttribute('html', 'data-light'), 'bright');
  await enter(page, 'manager');
  for (const path of ['password', 'people', 'log']) {
    await page.goto(`${pit.url}${path}`);
    assert.equal(await page.getAttribute('html', 'data-light'), 'bright', path);
  }
});
