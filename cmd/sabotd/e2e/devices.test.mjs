// Devices and log, with a real sabotd that has no shoe and no broker: what a supervisor reads and touches, in every language
// and at every size.

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, test } from 'node:test';
import { address } from '../../../internal/testkit/pages/address.mjs';
import { padLies } from '../../../internal/testkit/pages/pad.mjs';
import { folder, program, server } from '../../../internal/testkit/pages/programs.mjs';
import { few, openBrowser, overhear, rested, soak, soakTest, until } from '../../../display/web/e2e/table.mjs';
import { dealOpened, put } from './deal.mjs';

const shots = process.env.SHOTS; // a folder for pictures, if somebody wants to look
const sizes = [{ width: 800, height: 480 }, { width: 1024, height: 600 }, { width: 1280, height: 800 }];
const languages = ['en', 'de', 'fr', 'it', 'zh'];
const pin = '58219';
const password = 'Xq7-wunderBar-9';
const axe = readFileSync(createRequire(new URL('../../../display/web/e2e/', import.meta.url)).resolve('axe-core/axe.min.js'), 'utf8');

let dir;
let browser;
let running = [];
let url; // of the table without a shoe
const complaints = [];

/** Starts a program, and returns a function that reads its next line. */
function start(name, ...args) {
  const process = spawn(program(name), args, { stdio: ['pipe', 'pipe', 'ignore'] });
  const ended = new Promise((resolve) => { process.once('exit', resolve); });
  const lines = createInterface({ input: process.stdout })[Symbol.asyncIterator]();
  running.push(async () => { process.kill('SIGTERM'); await ended; });
  return { line: async () => (await lines.next()).value, put: (text) => process.stdin.write(text) };
}

/** Starts a table with a shoe there, and without a broker. */
async function table(shoe) {
  const here = mkdtempSync(join(dir, 'table-'));
  const line = execFileSync(program('cmd/sabot'), ['key', 'pin', 'anna'], { input: `${pin}\n` }).toString().match(/\{name:.*\}/)[0];
  const listen = address();
  writeFileSync(join(here, 'password'), `${password}\n`, { mode: 0o600 });
  writeFileSync(join(here, 'sabot.yaml'), `site: kurhaus
table: bj-1
house: wiesbaden
shoe: {driver: sabot, port: "${shoe}"}
journal: {path: ${here}/journal}
mqtt: {broker: "tcp://${address()}", username: bj-1, password_file: ${here}/password}
web: {listen: "${listen}"}
supervisors: {present: 10m, names: [${line}]} # ${password}
`, { mode: 0o600 });
  const daemon = start('cmd/sabotd', '--config', join(here, 'sabot.yaml'));
  assert.match(await daemon.line(), /boot 1/);
  return { url: `http://${listen}/`, daemon, journal: join(here, 'journal') };
}

before(async () => {
  dir = folder('devices');
  ({ url } = await table(`tcp://${address()}`));
  browser = await openBrowser();
});

after(async () => {
  await browser?.close();
  await Promise.all(running.splice(0).map((end) => end()));
  assert.deepEqual(complaints, []);
});

async function screen(viewport, more = {}) {
  const page = await (await browser.newContext({ viewport, hasTouch: true, acceptDownloads: true, ...more })).newPage();
  overhear(page, complaints, { expected: [/ERR_CONNECTION_REFUSED|ERR_EMPTY|ERR_CONNECTION_RESET|403|409/] });
  return page;
}

async function types(page) {
  await page.waitForSelector('#pin.typed');
  await padLies(page, '#keyboard');
  for (const digit of pin) await page.tap(`#keyboard [data-types="${digit}"]`);
}

async function enter(page) {
  await types(page);
  await page.tap('#enter .go');
  await page.waitForSelector('nav');
}

const goes = async (page, name) => {
  await page.tap(`[data-goes="${name}"]`);
  await page.waitForSelector(`#${name}:not([hidden])`);
};

async function shot(page, name) {
  // All fits into the page's width, and every key into its own.
  assert.deepEqual(await page.evaluate(() => [...document.querySelectorAll('body, main, header, nav, .key, label, h1, h2, p, td, pre, li')]
    .filter((one) => one.offsetParent && one.scrollWidth > one.clientWidth + 1).map((one) => one.outerHTML.slice(0, 90))), [], name);
  assert.ok(await page.evaluate(() => document.documentElement.scrollHeight <= innerHeight + 1), `${name} is higher than the screen`);
  assert.ok(await page.evaluate(() => document.querySelector('main').clientHeight >= innerHeight / 4), `${name} has no room left`);
  if (shots) await page.screenshot({ path: join(shots, `${name}.png`) });
}

const parts = ['wrong', 'devices', 'log', 'more'];

for (const [nth, language] of few(languages, ['en']).entries()) {
  test(`what a supervisor sees, in ${language}`, async () => {
    for (const size of soak ? sizes : [sizes[nth % sizes.length]]) {
      const page = await screen(size, { bypassCSP: true }); // axe comes through the browser
      await page.goto(`${url}devices/?lang=${language}`);
      if (await page.$('#leave')) {
        await page.tap('#leave');
        await page.waitForURL(url);
        await page.goto(`${url}devices/`);
      }
      assert.equal(await page.getAttribute('html', 'lang').then((tag) => tag.slice(0, 2)), language);
      await page.waitForSelector('#pin.typed');
      await shot(page, `${language}-${size.width}-pin`);
      await enter(page);
      const text = await page.textContent('#wrong');
      assert.match(text, /shoe-offline/);
      assert.match(text, /pit-offline/);
      for (const part of parts) {
        await goes(page, part);
        if (part === 'log') await page.waitForSelector('#lines li');
        await shot(page, `${language}-${size.width}-${part}`);
      }
      if (language === 'en') {
        await page.addScriptTag({ content: axe });
        for (const part of parts) {
          await goes(page, part);
          const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
          assert.deepEqual(violations.filter(({ impact }) => ['serious', 'critical'].includes(impact))
            .map(({ id, nodes }) => `${part} ${id}: ${nodes.map(({ html }) => html).join('; ')}`), []);
        }
      }
      await page.context().close();
    }
  });
}

test('a supervisor comes from the menu, filters the log, and takes copies without secrets', async () => {
  const page = await screen(sizes[0]);
  await page.goto(url);
  await page.waitForSelector('#prompt h1');
  await page.tap('[data-opens="menu"]');
  await page.waitForSelector('.menu:not([hidden])');
  if (shots) await page.screenshot({ path: join(shots, 'en-800-menu.png') });
  await rested(page);
  await page.tap('.menu a[href="/devices/"]');
  await page.waitForURL(({ pathname }) => pathname === '/devices/');
  await page.waitForSelector('#pin.typed, nav');
  if (await page.$('#enter')) await enter(page);
  await goes(page, 'log');
  await page.waitForSelector('#lines li');
  const all = await page.locator('#lines li').count();
  await page.tap('[data-level="WARN"]');
  await page.waitForFunction((was) => document.querySelectorAll('#lines li').length < was, all);
  assert.equal(await page.locator('#lines li.INFO').count(), 0);
  await page.tap('#text');
  for (const sign of 'mqtt') await page.tap(`#keyboard [data-types="${sign}"]`);
  await page.waitForFunction(() => [...document.querySelectorAll('#lines li')].every((one) => /mqtt/i.test(one.textContent)));
  await shot(page, 'en-800-filter');
  for (let n = 0; n < 4; n++) await page.tap('#erase');
  for (const sign of 'qqq') await page.tap(`#keyboard [data-types="${sign}"]`);
  await page.waitForFunction(() => document.querySelectorAll('#lines li').length === 0 && document.getElementById('said').textContent !== '');
  await goes(page, 'more');
  for (const what of ['configuration', 'log', 'bundle']) {
    const [copy] = await Promise.all([page.waitForEvent('download'), page.tap(`[data-takes="${what}"]`)]);
    const file = join(dir, what);
    await copy.saveAs(file);
    const text = what === 'bundle' ? execFileSync('tar', ['xzOf', file]).toString() : readFileSync(file, 'utf8');
    assert.match(copy.suggestedFilename(), /^sabot-bundle-kurhaus-bj-1-.*(configuration\.yaml|log\.txt|\.tar\.gz)$/);
    assert.ok(text.length > 200 && !text.includes(password) && !text.includes('argon2id'), `${what} has a secret, or nothing`);
  }
  await page.context().close();
});

soakTest('the table begins anew after it was asked twice, and not in a round', async () => {
  const shoe = start(server, 'shoe');
  const here = await table(await shoe.line());
  const page = await screen(sizes[0]);
  await page.goto(`${here.url}devices/#more`);
  await enter(page);
  await until(page, async () => (await (await fetch('/view.json')).json()).shoe?.online);
  await put(page, { in: 'open' });
  await page.tap('#restart');
  await shot(page, 'en-800-sure');
  await types(page);
  await page.tap('#sure');
  await page.waitForSelector('#said.wrong:not(:empty)');
  assert.match(await page.textContent('#said'), /A round is open/);
  await shot(page, 'en-800-round');

  await dealOpened(page, {
    draw: async (card) => {
      shoe.put(`${card}\n`);
      assert.equal(await shoe.line(), 'drawn');
    },
  });

  await page.tap('#restart');
  await page.tap('#no');
  assert.ok(await page.isVisible('#restart'));
  await page.tap('#restart');
  await types(page);
  await page.tap('#erase');
  await page.tap('#sure'); // who may look has to enter the PIN again, and it has to be right
  await page.waitForSelector('#said.wrong:not(:empty)');
  assert.match(await page.textContent('#said'), /wrong PIN for anna/);
  await page.tap('#restart');
  await types(page);
  await page.tap('#sure');
  assert.match(await here.daemon.line(), /boot 2/);
  await page.waitForSelector('#pin.typed'); // nobody is proven at a table that has begun anew
  assert.match(execFileSync(program('cmd/sabot'), ['transcript', here.journal]).toString(), /"code":"restart","by":"anna"/);
  await page.context().close();
});
