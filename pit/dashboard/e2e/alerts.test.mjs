// What calls people, on the pages of the real sabot-pit: sound, the next role after a while, and notifications of the
// worker that shows them while no page is open. The pit has no broker, which is an alert that calls a technician.

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, beforeEach, afterEach, test } from 'node:test';
import { address } from '../../../internal/testkit/pages/address.mjs';
import { program as built } from '../../../internal/testkit/pages/programs.mjs';
import { few, languages as all, openBrowser, overhear, screens, soakTest, until } from './pit.mjs';

const languages = few(all, ['de']);
const never = 24 * 3600; // seconds: nobody is called further while a test looks
let folder;
let program;
let config;
let browser;
let pit;
let context;
let complaints;
let password;
let people = 0;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sabot-alerts-'));
  program = built('cmd/sabot-pit');
  browser = await openBrowser({ notifies: true });
});

after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Starts the pit, which calls the next role after so many seconds. */
async function start(escalate, listen) {
  writeFileSync(config, `site: wiesbaden
mqtt: {broker: 'tcp://127.0.0.1:1'}
store: {source: ${config.replace('pit.yaml', 'pit.db')}, time_zone: Europe/Berlin}
web: {listen: '${listen}'}
alerts: {offline_seconds: 1, escalate_seconds: ${escalate}, push_services: ['127.0.0.1:1'], push_contact: 'mailto:it@casino.example'}
`);
  pit = spawn(program, ['--config', config], { stdio: ['ignore', 'pipe', 'ignore'] });
  pit.ended = new Promise((resolve) => pit.once('exit', resolve));
  const { value } = await createInterface({ input: pit.stdout })[Symbol.asyncIterator]().next();
  pit.url = /http:\S+/.exec(value)[0];
}

async function stop() {
  pit?.kill('SIGKILL');
  await pit?.ended;
}

beforeEach(async () => {
  config = join(mkdtempSync(join(folder, 'pit-')), 'pit.yaml');
  await start(never, address()); // where it finds room again
  context = await browser.newContext({ viewport: screens.tablet, permissions: ['notifications'], timezoneId: 'Pacific/Auckland' });
  complaints = [];
});

afterEach(async () => {
  await context?.close();
  await stop();
});

/** Lets somebody in, and opens a page for them. */
async function enter(role, expected = []) {
  people += 1;
  const name = `anna-${people}`;
  password = execFileSync(program, ['person', '--config', config, 'add', name, role], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).split('\n')[0];
  const post = (path, data) => context.request.post(new URL(path, pit.url).href, { data });
  await post('/enter', { name, password });
  await post('/password', { had: password, password: `quite a long password of ${name}` });
  const page = await context.newPage();
  overhear(page, complaints, { expected });
  return page;
}

const at = (path) => new URL(path, pit.url).href;

async function set(page, what, to) {
  await page.click('[data-opens="menu"]');
  await page.click(`[data-set="${what}"][data-to="${to}"]`);
  await page.click('#menu [data-closes]');
}

soakTest('an alert sounds until somebody comes, and again once the next role is called', async () => {
  const page = await enter('manager', [/ERR_|Failed to load/]);
  await page.addInitScript(() => {
    window.tones = 0;
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (...when) {
      window.tones += 1;
      return start.apply(this, when);
    };
  });
  await page.goto(at('/alerts'), { waitUntil: 'load' });
  await page.waitForSelector('#open .alert.stands[data-loud]');
  assert.equal(await page.evaluate(() => window.tones), 0, 'nobody has allowed a sound');
  await set(page, 'pit-sound', 'on');
  await page.waitForFunction(() => window.tones >= 3);
  await page.click('#open [data-does="coming"]');
  await page.waitForSelector('#open .alert.stands.coming:not([data-loud])');
  const before = await page.evaluate(() => window.tones);
  assert.doesNotMatch(await page.textContent('#open'), /Manager called/);
  // What the next role waits for is over at once in a pit that is set so: the page stays, and finds it again.
  await stop();
  await start(1, new URL(pit.url).host);
  await page.waitForSelector('#open .calls >> text=Manager called');
  await page.waitForFunction((n) => window.tones >= n + 3, before);
  assert.equal(await page.locator('#open [data-does="coming"]').count(), 1, 'somebody else may come');
  await page.click('#open [data-does="seen"]');
  await page.fill('#ask [name="note"]', 'the plug');
  await page.click('#ask [type="submit"]');
  await page.waitForSelector('#open .alert.seen:not([data-loud])');
  assert.match(await page.textContent('#open .alert'), /the plug/);
  assert.deepEqual(complaints, []);
});

test('the worker shows what is pushed, in the place of what it showed, and leads to the table', async () => {
  const page = await enter('supervisor');
  await page.goto(at('/'), { waitUntil: 'load' });
  const cdp = await context.newCDPSession(page);
  const registered = new Promise((resolve) => {
    cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const one = registrations.find((r) => !r.isDeleted && r.scopeURL.startsWith(at('/')));
      if (one) {
        resolve(one.registrationId);
      }
    });
  });
  await cdp.send('ServiceWorker.enable');
  await set(page, 'pit-notify', 'on');
  const registrationId = await registered;
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => {}));
  const push = (said) => cdp.send('ServiceWorker.deliverPushMessage', { origin: new URL(pit.url).origin, registrationId, data: JSON.stringify(said) });
  // The worker shows it some time after the push is delivered, and tells nobody: so it is made to count what is shown, and
  // what could not be. One look then says all.
  const worker = context.serviceWorkers().find((one) => one.url().startsWith(at('/')));
  await worker.evaluate(() => {
    const show = self.registration.showNotification.bind(self.registration);
    self.done = [];
    self.registration.showNotification = (...said) => show(...said).then(() => self.done.push('shown'), (error) => self.done.push(`${error}`));
  });
  const shown = async (tag, all) => {
    assert.deepEqual(await until(worker, (n) => self.done.length === n && self.done, all.length), all);
    const here = await page.evaluate(async () => (await (await navigator.serviceWorker.ready).getNotifications())
      .map(({ title, body, tag: of, silent, requireInteraction, data }) => ({ title, body, tag: of, silent, requireInteraction, data })));
    const same = here.filter((one) => one.tag === tag); // the page may show others, of what is wrong
    assert.equal(same.length, 1);
    return same[0];
  };
  const one = { title: 'bj-3: Unread card', body: 'not put right yet', tag: 'wiesbaden.bj-3.unread-card.1', where: '/table/wiesbaden/bj-3/' };
  await push(one);
  assert.deepEqual(await shown(one.tag, ['shown']), {
    title: one.title, body: one.body, tag: one.tag, silent: false, requireInteraction: true, data: { where: one.where },
  });
  await push({ ...one, body: 'anna is coming', silent: true });
  const second = await shown(one.tag, ['shown', 'shown']);
  assert.equal(second.body, 'anna is coming');
  assert.equal(second.silent, true);
  assert.equal(second.requireInteraction, false);
  assert.deepEqual(complaints, []);
});

test('what a person is called for is offered where the browser can, and it says why it cannot, in each language', async () => {
  const page = await enter('technician');
  const reasons = {
    insecure: () => Object.defineProperty(window, 'isSecureContext', { value: false }),
    missing: () => { delete window.PushManager; },
  };
  for (const [name, how] of Object.entries(reasons)) {
    const other = await context.newPage();
    overhear(other, complaints);
    await other.addInitScript(how);
    const said = new Set();
    for (const language of languages) {
      await other.goto(at(`/?lang=${language}`), { waitUntil: 'load' });
      await other.click('[data-opens="menu"]');
      await other.waitForSelector('#push-why:not([hidden])');
      assert.ok(await other.isDisabled('[data-push="on"]'));
      said.add(await other.textContent('#push-why'));
    }
    assert.equal(said.size, languages.length, `${name}: ${[...said].join(' | ')}`);
    // The clock is the house's, as all times on the page are, wherever the screen is.
    await other.waitForFunction(() => document.getElementById('clock').textContent
      === new Date().toLocaleTimeString('de', { hour: '2-digit', minute: '2-digit', hour12: false, timeZone: 'Europe/Berlin' }));
    await other.close();
  }
  // The browser can, but its push service is none that the house allows.
  await page.addInitScript(() => {
    const key = (text) => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0)).buffer;
    const one = {
      endpoint: 'https://push.elsewhere.example/x',
      options: {},
      toJSON: () => ({ endpoint: one.endpoint, keys: { p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4', auth: 'BTBZMqHH6r4Tts7J_aSIgg' } }),
      unsubscribe: async () => { window.unsubscribed = true; return true; },
    };
    PushManager.prototype.subscribe = async (options) => {
      window.subscribedWith = new Uint8Array(key(options.applicationServerKey)).length;
      return one;
    };
  });
  await page.goto(at('/?lang=en'), { waitUntil: 'load' });
  await page.click('[data-opens="menu"]');
  await page.click('[data-push="on"]');
  await page.waitForSelector('#push-why:not([hidden])');
  assert.match(await page.textContent('#push-why'), /does not allow this browser’s push service: push\.elsewhere\.example/);
  assert.equal(await page.evaluate(() => window.subscribedWith), 65, 'with the pit’s key');
  assert.equal(await page.evaluate(() => window.unsubscribed), true);
  assert.equal(await page.getAttribute('[data-push="on"]', 'aria-pressed'), 'false');
  const viewer = await (async () => { await context.clearCookies(); return enter('viewer'); })();
  await viewer.goto(at('/'), { waitUntil: 'load' });
  assert.equal(await viewer.locator('#push').count(), 0, 'nobody calls a viewer');
  assert.deepEqual(complaints.filter((c) => !/403/.test(c)), []);
});
