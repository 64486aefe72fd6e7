// The first start, from no configuration to a dealt round, and settings that are changed later: the real sabotd, a
// simulated shoe, and only touches on the screen.

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, afterEach, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openBrowser, overhear } from '../../../display/web/e2e/table.mjs';
import { dealOpened, put } from './deal.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const shots = process.env.SHOTS; // a folder for pictures, if somebody wants to look
const sizes = [{ width: 800, height: 480 }, { width: 1024, height: 600 }, { width: 1280, height: 800 }];
const languages = ['en', 'de', 'fr', 'it', 'zh'];

let bin;
let browser;
let running = [];
const complaints = [];

/** A program whose lines can be read one after the other. */
class Program {
  constructor(name, ...args) {
    this.process = spawn(join(bin, name), args, { stdio: ['pipe', 'pipe', 'pipe'] });
    this.ended = new Promise((resolve) => this.process.once('exit', resolve));
    this.lines = createInterface({ input: this.process.stdout })[Symbol.asyncIterator]();
    this.log = '';
    this.process.stderr.on('data', (text) => { this.log += text; });
    running.push(this);
  }

  async line() {
    const { value, done } = await this.lines.next();
    assert.ok(!done, `it ended: ${this.log}`);
    return value;
  }

  async draw(cards) {
    this.process.stdin.write(`${cards}\n`);
    assert.equal(await this.line(), 'drawn');
  }

  async end() {
    this.process.kill('SIGTERM');
    await this.ended;
  }
}

before(async () => {
  bin = mkdtempSync(join(tmpdir(), 'sabot-first-'));
  execFileSync('go', ['build', '-o', `${bin}/`, '..', './shoe'], { cwd: here, stdio: 'inherit' });
  browser = await openBrowser();
});

after(async () => {
  await browser?.close();
  rmSync(bin, { recursive: true, force: true });
});

afterEach(async () => {
  await Promise.all(browser.contexts().map((one) => one.close()));
  await Promise.all(running.splice(0).map((one) => one.end()));
  assert.deepEqual(complaints.splice(0), []);
});

const freePort = () => new Promise((resolve) => {
  const server = createServer().listen(0, '127.0.0.1', () => {
    const { port } = server.address();
    server.close(() => resolve(port));
  });
});

/** A table without a configuration but for what a package sets, with a shoe on the network. */
async function blank() {
  const dir = mkdtempSync(join(bin, 'table-'));
  const config = join(dir, 'sabot.yaml');
  const address = `127.0.0.1:${await freePort()}`;
  writeFileSync(config, `# Set by this package.\nweb: {listen: "${address}"} # the kiosk's\njournal: {path: ${dir}/journal}\n`, { mode: 0o640 });
  const shoe = new Program('shoe');
  const port = await shoe.line();
  const daemon = new Program('sabotd', '--config', config);
  assert.match(await daemon.line(), /waits for its first start/);
  return { dir, config, url: `http://${address}/`, shoe, port, daemon };
}

async function screen(url, viewport, expected = []) {
  const page = await (await browser.newContext({ viewport, hasTouch: true })).newPage();
  overhear(page, complaints, { expected: [/ERR_CONNECTION_REFUSED|403|ERR_EMPTY|ERR_CONNECTION_RESET/, ...expected] });
  await page.goto(url);
  return page;
}

/** Types with the page's own keyboard. */
async function touchIn(page, text) {
  for (const sign of text) {
    const key = `#keyboard [data-types=${JSON.stringify(sign.toLowerCase())}]`;
    if (sign !== sign.toLowerCase()) await page.tap('#shift');
    await page.tap(key);
  }
}

const step = (page, name) => page.waitForSelector(`.step[data-step="${name}"]:not([hidden])`);

/** A screen of each size, in turn, without leaving the page. */
async function atEverySize(page, name) {
  for (const size of sizes) {
    await page.setViewportSize(size);
    await shot(page, `${name.language}-${size.width}-${name.step}`);
  }
  await page.setViewportSize(sizes[0]);
}

async function shot(page, name) {
  // Everything that is asked fits into the page's width, and every key into its own.
  assert.deepEqual(await page.evaluate(() => [...document.querySelectorAll('body, main, .key, label, h1, h2')]
    .filter((one) => one.offsetParent && one.scrollWidth > one.clientWidth + 1).map((one) => one.outerHTML.slice(0, 90))), []);
  assert.ok(await page.evaluate(() => document.documentElement.scrollHeight <= innerHeight + 1), `${name} is higher than the screen`);
  if (shots) await page.screenshot({ path: join(shots, `${name}.png`) });
}

const field = (page, key) => page.tap(`.step:not([hidden]) [data-field="${key}"]`);

/** Answers all questions; look is called at each, before the next. */
async function answer(page, table, language, look = async () => {}) {
  await step(page, 'language');
  await page.tap(`[data-field="language"] [data-value="${language}"]`);
  await look('language');
  await page.tap('#next');
  await step(page, 'house');
  assert.equal(await page.getAttribute('html', 'lang').then((tag) => tag.slice(0, 2)), language);
  await page.tap('[data-field="house"] [data-value="wiesbaden"]');
  await look('house');
  await page.tap('#next');
  await step(page, 'table');
  await touchIn(page, 'Kurhaus');
  await field(page, 'table');
  await touchIn(page, 'bj-1');
  await page.tap('#next');
  await page.waitForSelector('#said.wrong:not(:empty)'); // a capital
  await look('table-wrong');
  await field(page, 'site');
  for (let n = 0; n < 7; n++) await page.tap('#erase');
  await touchIn(page, 'kurhaus');
  await page.tap('#next');
  await step(page, 'limits');
  await touchIn(page, '20');
  await look('limits');
  await page.tap('#next');
  await step(page, 'supervisor');
  await touchIn(page, 'anna');
  await page.tap('[data-pin]');
  await touchIn(page, '58219');
  await page.tap('[data-again]');
  await touchIn(page, '58210');
  await page.tap('#next');
  await page.waitForSelector('#said.wrong:not(:empty)');
  await page.tap('[data-again]');
  await page.tap('#erase');
  await touchIn(page, '9');
  await look('supervisor');
  await page.tap('#next');
  await step(page, 'shoe');
  await field(page, 'shoe.port');
  await touchIn(page, table.port);
  await page.tap('#draw');
  await table.shoe.draw('AH');
  await page.waitForFunction(() => document.getElementById('said').textContent.includes('AH'));
  await look('shoe');
  await page.tap('#next');
  await step(page, 'keys');
  await look('keys');
  await page.tap('#next');
  await step(page, 'pit');
}

for (const language of languages) {
  test(`from nothing to a dealt round, in ${language}`, async () => {
    const table = await blank();
    const page = await screen(table.url, sizes[0]);
    const look = (at) => atEverySize(page, { language, step: at });
    await answer(page, table, language, look);
    await look('pit');
    await page.tap('#leave');
    assert.match(await table.daemon.line(), /^sabotd ready: table bj-1, boot 1, /);
    await page.waitForSelector('#prompt h1');
    assert.equal(await page.getAttribute('html', 'lang').then((tag) => tag.slice(0, 2)), language);
    await page.waitForFunction(async () => (await (await fetch('/view.json')).json()).shoe?.online);
    await put(page, { in: 'open' });
    await dealOpened(page, table.shoe);
    const text = readFileSync(table.config, 'utf8');
    assert.match(text, /^# Set by this package\.$/m);
    assert.match(text, /# the kiosk's$/m);
    assert.match(text, /^site: kurhaus$/m);
    assert.ok(!text.includes('58219'), 'the PIN itself is in the file');
  });
}

test('each key is asked for, and its press is shown', async () => {
  const table = await blank();
  const page = await screen(table.url, sizes[0]);
  // The lines of a Raspberry Pi are those of cmd/internal/settings/pressed; this computer may have none, or others.
  const heard = [];
  await page.route('**/settings/press', async (route) => {
    while (heard.length === 0) {
      await new Promise((over) => setTimeout(over, 20));
      if (page.isClosed()) return;
    }
    await route.fulfill({ json: heard.shift() }).catch(() => {}); // one that was given up
  });
  const says = (text) => page.waitForFunction((wanted) => document.getElementById('said').textContent.includes(wanted), text);
  await answer(page, table, 'en', async (name) => {
    if (name !== 'keys') return;
    await page.tap('#press');
    await says('Press now: Card');
    await shot(page, 'en-800-press');
    heard.push({}, { line: 'GPIO5' }); // nobody pressed for a while
    await says('It has arrived: Card is GPIO5');
    await shot(page, 'en-800-pressed');
    await says('Press now: Stand');
    heard.push({ line: 'GPIO5' });
    await says('GPIO5 is already Card');
    heard.push({ line: 'GPIO6' });
    await says('It has arrived: Stand is GPIO6');
    await says('Press now: Double');
    await page.tap('#skip');
    await says('Press now: Split');
    await page.tap('#stop');
    await page.waitForSelector('#press:not([hidden])');
    heard.push({}); // ends the request that was given up
    await page.waitForFunction(() => !document.getElementById('next').disabled);
  });
  assert.deepEqual(await page.evaluate(() => [...document.querySelectorAll('#step-keys [data-field]')].filter((one) => one.value).map((one) => `${one.dataset.field} ${one.value}`)), ['keys.card GPIO5', 'keys.rest GPIO6']);
});

test('a computer without lines says so when keys are asked for', async () => {
  const table = await blank();
  const page = await screen(table.url, sizes[0]);
  await page.route('**/settings/press', (route) => route.fulfill({ json: { wrong: 'this computer has no free lines for keys' } }));
  await answer(page, table, 'en', async (name) => {
    if (name !== 'keys') return;
    await page.tap('#press');
    await page.waitForSelector('#said.wrong:not(:empty)');
    await page.waitForSelector('#press:not([hidden])');
  });
});

test('a broker that does not answer is said, and may be taken all the same', async () => {
  const table = await blank();
  const page = await screen(table.url, sizes[0]);
  await answer(page, table, 'en');
  await field(page, 'mqtt.broker');
  await touchIn(page, `tcp://127.0.0.1:${await freePort()}`);
  await page.waitForFunction(() => document.getElementById('said').textContent.startsWith('The broker does not answer'));
  await shot(page, 'en-800-unreached');
  await page.tap('#next');
  await page.waitForFunction(() => document.getElementById('next').dataset.sure === 'yes');
  await page.tap('#next');
  assert.match(await table.daemon.line(), /^sabotd ready/);
  assert.match(readFileSync(table.config, 'utf8'), /broker: tcp:\/\/127/);
});

test('a setting is changed later, by a supervisor alone, and in a round it waits', async () => {
  const table = await blank();
  const page = await screen(table.url, sizes[0]);
  await answer(page, table, 'en');
  await page.tap('#leave');
  assert.match(await table.daemon.line(), /boot 1/);
  await page.waitForSelector('#prompt h1');
  await page.goto(`${table.url}settings/`);
  await shot(page, 'en-800-overview');
  await page.tap('[data-goes="limits"]');
  await step(page, 'limits');
  await page.tap('#erase');
  for (let n = 0; n < 5; n++) await page.tap('#erase');
  await touchIn(page, '30');
  await page.tap('#next');
  await step(page, 'prove');
  await page.tap('[data-prove]');
  await touchIn(page, '11119');
  await page.tap('#next');
  await page.waitForSelector('#said.wrong:not(:empty)');
  await shot(page, 'en-800-wrong-pin');
  assert.doesNotMatch(readFileSync(table.config, 'utf8'), /^min: 30/m);
  // A round begins meanwhile.
  const dealer = await screen(table.url, sizes[0]);
  await put(dealer, { in: 'open' });
  await page.tap('[data-prove]');
  await touchIn(page, '58219');
  await page.tap('#next');
  await page.waitForFunction(() => document.getElementById('said').textContent.includes('after this round'));
  await shot(page, 'en-800-waits');
  assert.match(readFileSync(table.config, 'utf8'), /^min: 30/m);
  const limits = () => dealer.evaluate(async () => (await (await fetch('/view.json')).json()).min);
  assert.equal(await limits(), 2000);
  await dealOpened(dealer, table.shoe);
  assert.match(await table.daemon.line(), /^sabotd ready: table bj-1, boot 2, /);
  await dealer.waitForFunction(async () => (await (await fetch('/view.json')).json()).min === 3000);
  assert.equal(readdirSync(table.dir).filter((name) => /sabot\.yaml\.\d{4}\./.test(name)).length, 2);
});
