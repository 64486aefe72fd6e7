import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { Table, buildServer, few, openBrowser, overhear, placeOf, soakTest } from './table.mjs';

// How a screen enters a table on a network, in a real browser: its cookies, its
// policies, and what happens when the session ends.

let program;
let browser;
let table;
let context;
let page;
let complaints;
let wanted;

before(async () => {
  program = buildServer('entry');
  browser = await openBrowser();
});

after(() => browser?.close());

beforeEach(async () => {
  table = await Table.start(program);
  await table.show('play');
  context = await browser.newContext({ viewport: { width: 1024, height: 600 }, ignoreHTTPSErrors: true });
  page = await context.newPage();
  complaints = [];
  wanted = [];
  overhear(page, complaints, { wanted });
});

afterEach(async () => {
  await context?.close();
  await table?.kill();
  const foreign = wanted.filter((url) => new URL(url).host !== table.address);
  assert.deepEqual(foreign, [], 'requests to other hosts');
});

/** Writes a line to the server and returns its answer. */
function say(line) {
  table.process.stdin.write(`${line}\n`);
  return table.answer();
}

const said = (text) => page.waitForFunction((want) => document.getElementById('said')?.textContent.includes(want), text);

async function enterBy(role) {
  await page.goto(`${table.url}enter#${await say(`key ${role}`)}`);
  await page.waitForSelector('#prompt');
}

test('a screen enters by its address, which is gone at once', async () => {
  const key = await say('key dealer');
  await enterBy('dealer');
  assert.equal(page.url(), table.url);
  assert.equal(await page.getAttribute('html', 'data-role'), 'dealer');
  assert.deepEqual(wanted.filter((url) => url.includes(key)), [], 'the key was in an address that was requested');

  const [cookie, ...more] = await context.cookies();
  assert.deepEqual(more, []);
  assert.deepEqual(
    [cookie.name, cookie.path, cookie.secure, cookie.httpOnly, cookie.sameSite],
    ['__Host-sabot', '/', true, true, 'Strict'],
  );

  const before = await page.textContent('#prompt h1');
  await table.show('payment');
  await page.waitForFunction((old) => document.querySelector('#prompt h1').textContent !== old, before);
  assert.deepEqual(complaints, []);
});

test('a screen enters by its key, typed', async () => {
  await page.goto(table.url);
  assert.equal(page.url(), `${table.url}enter`);
  assert.equal(await page.evaluate(() => document.activeElement.id), 'key');
  await page.keyboard.type('sesame');
  await page.keyboard.press('Enter');
  await said('no key of a screen');
  await page.fill('#key', (await say('key view')).toUpperCase().replaceAll('-', ' '));
  await page.click('button');
  await page.waitForSelector('#prompt');
  assert.equal(await page.getAttribute('html', 'data-role'), 'view');
  await page.goto(`${table.url}recall`);
  assert.equal(page.url(), table.url, 'a screen that only views is redirected');
});

test('after too many wrong keys it says so, and accepts the right one', async () => {
  await page.goto(`${table.url}enter`);
  for (let wrong = 0; wrong < 5; wrong++) {
    const answer = page.waitForResponse((response) => response.url().endsWith('/enter') && response.request().method() === 'POST');
    await page.fill('#key', `wrong ${wrong}`);
    await page.click('button');
    await answer;
  }
  await said('Too many wrong keys');
  await page.fill('#key', await say('key dealer'));
  await page.click('button');
  await page.waitForSelector('#prompt');
});

soakTest('two screens of one browser have one session', async () => {
  await enterBy('dealer');
  const second = await context.newPage();
  await second.goto(table.url);
  await second.waitForSelector('#prompt');
  await second.close();
});

for (const path of few(['', 'recall', 'recall/1'], ['recall/1'])) {
  test(`a screen at /${path} whose session ends leaves the page automatically`, async () => {
    await enterBy('dealer');
    await page.goto(`${table.url}${path}`);
    const led = page.waitForURL(`${table.url}enter`);
    assert.equal(await say('revoke'), 'revoked');
    await led;
    assert.match(await page.textContent('h1'), /does not know this screen/);
    assert.doesNotMatch(await page.content(), /wiesbaden/i);
  });
}

test('a page of another origin reaches nothing', async () => {
  await enterBy('dealer');
  const elsewhere = createServer((_, answer) => answer.setHeader('Content-Type', 'text/html').end('<p>elsewhere</p>'));
  await once(elsewhere.listen(0, '127.0.0.1'), 'listening');
  try {
    const foreign = await context.newPage();
    await foreign.goto(`http://127.0.0.1:${elsewhere.address().port}/`);
    const got = await foreign.evaluate(async (url) => {
      const tried = async (path, options) => {
        try {
          return (await fetch(url + path, options)).status;
        } catch {
          return 'refused';
        }
      };
      return [
        await tried('view.json', { credentials: 'include' }),
        await tried('input', { method: 'POST', mode: 'no-cors', credentials: 'include', body: '{"in":"open"}' }),
      ];
    }, table.url);
    assert.deepEqual(got, ['refused', 'refused']);
    await foreign.close();
  } finally {
    elsewhere.closeAllConnections();
    elsewhere.close();
  }
});

soakTest('touch targets are large enough, and fit', async () => {
  for (const size of [{ width: 800, height: 480 }, { width: 1024, height: 600 }, { width: 1280, height: 800 }, { width: 600, height: 1024 }, { width: 390, height: 844 }]) {
    await page.setViewportSize(size);
    await page.goto(`${table.url}enter`);
    for (const touched of ['#key', 'button']) {
      const { height, width } = await placeOf(page.locator(touched));
      assert.ok(height >= 60 && width >= 120, `${touched} is ${width} by ${height} at ${size.width} by ${size.height}`);
    }
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth && document.documentElement.scrollHeight <= innerHeight));
  }
  assert.deepEqual(complaints, []);
});
