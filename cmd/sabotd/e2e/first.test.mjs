// The first start, from no configuration to a dealt round, and settings that are changed later: the real sabotd, a
// simulated shoe, and only touches on the screen.

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, afterEach, before, test } from 'node:test';
import { address } from '../../../internal/testkit/pages/address.mjs';
import { padLies } from '../../../internal/testkit/pages/pad.mjs';
import { folder, program, server } from '../../../internal/testkit/pages/programs.mjs';
import { few, openBrowser, overhear, soak, soakTest, until } from '../../../display/web/e2e/table.mjs';
import { dealOpened, put } from './deal.mjs';

const shots = process.env.SHOTS; // a folder for pictures, if somebody wants to look
const sizes = [{ width: 800, height: 480 }, { width: 1024, height: 600 }, { width: 1280, height: 800 }];
const languages = ['en', 'de', 'fr', 'it', 'zh'];

let dir;
let browser;
let pit; // a broker with the house's own authority
let running = [];
const complaints = [];

/** A program whose lines can be read one after the other. */
class Program {
  constructor(name, ...args) {
    this.process = spawn(program(name), args, { stdio: ['pipe', 'pipe', 'pipe'] });
    this.ended = new Promise((resolve) => this.process.once('exit', resolve));
    this.lines = createInterface({ input: this.process.stdout })[Symbol.asyncIterator]();
    this.log = '';
    this.process.stderr.on('data', (text) => { this.log += text; });
    running.push(this);
  }

  /** The next line that it prints. */
  async line() {
    let timer;
    const late = new Promise((_, fail) => {
      timer = setTimeout(() => fail(new Error(`it printed nothing for two minutes: ${this.log}`)), 120_000);
    });
    try {
      const { value, done } = await Promise.race([this.lines.next(), late]);
      assert.ok(!done, `it ended: ${this.log}`);
      return value;
    } finally {
      clearTimeout(timer);
    }
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
  dir = folder('first');
  browser = await openBrowser();
  pit = await secured();
});

after(async () => {
  await browser?.close();
  pit?.process.kill('SIGTERM');
});

afterEach(async () => {
  await Promise.all(browser.contexts().map((one) => one.close()));
  await Promise.all(running.splice(0).map((one) => one.end()));
  assert.deepEqual(complaints.splice(0), []);
});

const openssl = (...args) => execFileSync('openssl', args, { cwd: dir, stdio: ['ignore', 'pipe', 'ignore'], encoding: 'utf8' });

/** mosquitto with TLS and a certificate that an authority of the house's own has signed; with cafile it shows that one, too. */
async function secured() {
  const [whole, leaf] = [address(), address()];
  const [host] = whole.split(':');
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  openssl('req', '-x509', ...key, '-keyout', 'ca.key', '-out', 'ca.crt', '-days', '3650', '-subj', '/CN=Kurhaus Wiesbaden, Pit CA');
  openssl('req', '-x509', ...key, '-keyout', 'server.key', '-out', 'server.crt', '-days', '365', '-subj', '/CN=pit', '-CA', 'ca.crt', '-CAkey', 'ca.key',
    '-addext', `subjectAltName=IP:${host}`, '-addext', 'basicConstraints=critical,CA:FALSE');
  const listener = (at) => `listener ${at.split(':')[1]} ${host}\ncertfile ${dir}/server.crt\nkeyfile ${dir}/server.key\n`;
  writeFileSync(join(dir, 'mosquitto.conf'), `allow_anonymous true\nuser ${userInfo().username}\n${listener(whole)}cafile ${dir}/ca.crt\n${listener(leaf)}`);
  const broker = spawn('mosquitto', ['-c', join(dir, 'mosquitto.conf')], { stdio: ['ignore', 'ignore', 'pipe'] });
  for await (const line of createInterface({ input: broker.stderr })) if (line.includes('running')) break;
  broker.stderr.resume();
  const fingerprint = (file) => openssl('x509', '-in', file, '-noout', '-fingerprint', '-sha256').trim().split('=')[1];
  return { process: broker, whole: `ssl://${whole}`, leaf: `ssl://${leaf}`, fingerprint };
}

/** A table without a configuration but for what a package sets, with a shoe on the network. */
async function blank() {
  const here = mkdtempSync(join(dir, 'table-'));
  const config = join(here, 'sabot.yaml');
  const listen = address();
  writeFileSync(config, `# Set by this package.\nweb: {listen: "${listen}"} # the kiosk's\njournal: {path: ${here}/journal}\n`, { mode: 0o640 });
  const shoe = new Program(server, 'shoe');
  const port = await shoe.line();
  const daemon = new Program('cmd/sabotd', '--config', config);
  assert.match(await daemon.line(), /waits for its first start/);
  return { dir: here, config, url: `http://${listen}/`, shoe, port, daemon };
}

async function screen(url, viewport, expected = []) {
  const page = await (await browser.newContext({ viewport, hasTouch: true })).newPage();
  overhear(page, complaints, { expected: [/ERR_CONNECTION_REFUSED|403|ERR_EMPTY|ERR_CONNECTION_RESET/, ...expected] });
  await page.goto(url);
  return page;
}

/** Types with the page's own keyboard: by fingers, or at once. */
async function touchIn(page, text, fingers = soak) {
  if (!fingers) {
    await page.evaluate((signs) => {
      for (const sign of signs) {
        if (sign !== sign.toLowerCase()) document.getElementById('shift').click();
        document.querySelector(`#keyboard [data-types=${JSON.stringify(sign.toLowerCase())}]`).click();
      }
    }, [...text]);
    return;
  }
  for (const sign of text) {
    const key = `#keyboard [data-types=${JSON.stringify(sign.toLowerCase())}]:visible`;
    if (sign !== sign.toLowerCase()) await page.tap('#shift');
    await page.tap(key);
  }
}

/** What is wrong covers no field, and nothing that is typed into is out of sight for it. */
async function beside(page) {
  for (const size of sizes) {
    await page.setViewportSize(size);
    const covered = await page.evaluate(() => {
      const said = document.getElementById('said').getBoundingClientRect();
      const main = document.querySelector('main').getBoundingClientRect();
      return [...document.querySelectorAll('.step:not([hidden]) input')].filter((one) => {
        const at = one.getBoundingClientRect();
        return at.bottom > main.bottom || at.top < main.top || at.bottom > said.top && at.top < said.bottom && at.right > said.left && at.left < said.right;
      }).map((one) => one.dataset.field);
    });
    assert.deepEqual(covered, [], `${size.width} by ${size.height}`);
  }
  await page.setViewportSize(sizes[0]);
}

const step = (page, name) => page.waitForSelector(`.step[data-step="${name}"]:not([hidden])`);

let looks = 0;

/** A screen of each size without leaving the page, in make test one after the other. */
async function atEverySize(page, name) {
  looks += 1;
  for (const size of few(sizes, [sizes[looks % sizes.length]])) {
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

/** Enters a supervisor's PIN where the page asks for one, and a second supervisor's if one is given. */
async function prove(page, pin, second) {
  await page.tap('[data-prove]');
  await touchIn(page, pin);
  if (second) {
    await page.tap('[data-prove-second]');
    await touchIn(page, second);
  }
  await page.tap('#next');
}

/** What the page says that a PIN is asked for. */
const changes = (page) => page.locator('#changes li').allTextContents();

const field = (page, key) => page.tap(`.step:not([hidden]) [data-field="${key}"]`);

/** Answers all questions; look is called at each, before the next. The table's name and the PIN may be typed by fingers. */
async function answer(page, table, language, look = async () => {}, fingers = soak) {
  const type = (text) => touchIn(page, text);
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
  await touchIn(page, 'Kurhaus', fingers);
  await field(page, 'table');
  await type('bj-1');
  await page.tap('#next');
  await page.waitForSelector('#said.wrong:not(:empty)'); // a capital
  if (language !== 'en') assert.doesNotMatch(await page.textContent('#said'), /\b(is|not|write|letters|the)\b/);
  await beside(page);
  assert.equal(await page.textContent('#keyboard .row:nth-child(2)'), { de: 'qwertzuiopü', fr: 'azertyuiopé', it: 'qwertyuiopè' }[language] ?? 'qwertyuiop');
  await look('table-wrong');
  await field(page, 'site');
  for (let n = 0; n < 7; n++) await page.tap('#keyboard [data-erases]:visible');
  await type('kurhaus');
  await page.tap('#next');
  await step(page, 'limits');
  assert.match(await page.textContent('#own'), /10[.,]00 – 500/); // the house's own
  await padLies(page, '#keyboard');
  await type('20');
  await look('limits');
  await page.tap('#next');
  await step(page, 'supervisor');
  await type('anna');
  await page.tap('[data-pin]');
  await padLies(page, '#keyboard');
  await touchIn(page, '58219', fingers);
  await page.tap('[data-again]');
  await type('58210');
  await page.tap('#next');
  await page.waitForSelector('#said.wrong:not(:empty)');
  await beside(page);
  await page.tap('[data-again]');
  await page.tap('#keyboard [data-erases]:visible');
  await type('9');
  await look('supervisor');
  await page.tap('#next');
  await step(page, 'shoe');
  await field(page, 'shoe.port');
  await type(table.port);
  await page.tap('#draw');
  await table.shoe.draw('AH');
  await page.waitForFunction(() => document.getElementById('said')?.textContent.includes('AH'));
  await look('shoe');
  await page.tap('#next');
  await step(page, 'keys');
  const asked = await page.locator('[data-field^="keys."]:visible').evaluateAll((all) => all.map((one) => one.dataset.field));
  assert.ok(asked.includes('keys.double') && !asked.includes('keys.higher') && !asked.includes('keys.lower'), String(asked));
  await look('keys');
  await page.tap('#next');
  await step(page, 'pit');
}

// In make test the other languages are looked at where a first start is the way to something else.
for (const language of few(languages, ['de'])) {
  test(`from nothing to a dealt round, in ${language}`, async () => {
    const table = await blank();
    const page = await screen(table.url, sizes[0]);
    const look = (at) => atEverySize(page, { language, step: at });
    await answer(page, table, language, look, true);
    await look('pit');
    await field(page, 'mqtt.broker');
    await touchIn(page, pit.leaf);
    await page.tap('#next');
    await step(page, 'trust');
    await look('trust');
    await page.tap('#back');
    await page.route('**/settings/broker', (route) => route.fulfill({ json: {
      never: 'date', wrong: 'tls: failed to verify certificate: x509: certificate has expired or is not yet valid: current time 2026-11-27T22:37:28Z is after 2026-11-27T21:37:28Z: check the broker\'s certificate and this computer\'s clock',
    } }));
    await page.tap('#next');
    await page.waitForSelector('#said.wrong:not(:empty)');
    await look('pit-date');
    await page.tap('#leave');
    assert.match(await table.daemon.line(), /^sabotd ready: table bj-1, boot 1, /);
    await page.waitForSelector('#prompt h1');
    assert.equal(await page.getAttribute('html', 'lang').then((tag) => tag.slice(0, 2)), language);
    await until(page, async () => (await (await fetch('/view.json')).json()).shoe?.online);
    await put(page, { in: 'open' });
    await dealOpened(page, table.shoe);
    const text = readFileSync(table.config, 'utf8');
    assert.match(text, /^# Set by this package\.$/m);
    assert.match(text, /# the kiosk's$/m);
    assert.match(text, /^site: kurhaus$/m);
    assert.ok(!text.includes('58219'), 'the PIN itself is in the file');
  });
}

/** Answers that are given out one by one, to whoever asks first. */
function answers() {
  const asked = [];
  const given = [];
  const meet = () => { while (asked.length > 0 && given.length > 0) asked.shift()(given.shift()); };
  return {
    push: (...more) => { given.push(...more); meet(); },
    next: () => new Promise((take) => { asked.push(take); meet(); }),
  };
}

soakTest('each key is asked for, and its press is shown', async () => {
  const table = await blank();
  const page = await screen(table.url, sizes[0]);
  // The lines of a Raspberry Pi are those of device/inventory/press.go; this computer may have none, or others.
  const heard = answers();
  await page.route('**/settings/press', async (route) => {
    const json = await heard.next();
    await route.fulfill({ json }).catch(() => {}); // one that was given up
  });
  const says = (text) => page.waitForFunction((wanted) => {
    const at = window.saidSoFar.findIndex((one) => one.includes(wanted));
    if (at >= 0) window.saidSoFar.splice(0, at);
    return at >= 0;
  }, text);
  await answer(page, table, 'en', async (name) => {
    if (name !== 'keys') return;
    await page.evaluate(() => { // what is said for less than a second counts as well
      window.saidSoFar = [];
      new MutationObserver(() => window.saidSoFar.push(document.getElementById('said')?.textContent ?? ''))
        .observe(document, { subtree: true, childList: true, characterData: true });
    });
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

soakTest('a computer without lines says so when keys are asked for', async () => {
  const table = await blank();
  const page = await screen(table.url, sizes[0]);
  await page.route('**/settings/press', (route) => route.fulfill({ json: { wrong: 'this computer has no free lines for keys' } }));
  await answer(page, table, 'zh', async (name) => {
    await atEverySize(page, { language: 'zh', step: name });
    if (name !== 'keys') return;
    await page.tap('#press');
    await page.waitForSelector('#said.wrong:not(:empty)');
    await page.waitForSelector('#press:not([hidden])');
  });
});

soakTest('a broker that does not answer is said, and may be taken all the same', async () => {
  const table = await blank();
  const page = await screen(table.url, sizes[0]);
  await answer(page, table, 'en');
  await field(page, 'mqtt.broker');
  await touchIn(page, `tcp://${address()}`);
  await page.waitForFunction(() => document.getElementById('said')?.textContent.startsWith('The broker does not answer'));
  await shot(page, 'en-800-unreached');
  await page.tap('#next');
  await page.waitForFunction(() => document.getElementById('next')?.dataset.sure === 'yes');
  await page.tap('#next');
  assert.match(await table.daemon.line(), /^sabotd ready/);
  assert.match(readFileSync(table.config, 'utf8'), /broker: tcp:\/\/127/);
});

const shown = (page) => page.evaluate(() => document.getElementById('trust-sha256').textContent.replace('\n', ':'));
/** The table deals, and its pit hears it. */
async function reachesPit(page) {
  await page.waitForSelector('#prompt h1');
  await page.waitForSelector('#status .pit.fine');
}

const says = (page, text) => page.waitForFunction((wanted) => document.getElementById('said')?.textContent.startsWith(wanted), text);

soakTest('a broker with an own authority is trusted by a touch, once its fingerprint is shown', async () => {
  const table = await blank();
  const page = await screen(table.url, sizes[0]);
  await answer(page, table, 'en');
  await field(page, 'mqtt.broker');
  await touchIn(page, pit.whole);
  await says(page, 'It is not known here who vouches for the broker.');
  await shot(page, 'en-800-unknown');
  await page.tap('#next');
  await step(page, 'trust');
  assert.equal(await shown(page), pit.fingerprint('ca.crt'));
  assert.equal(await page.textContent('#trust-name'), 'Kurhaus Wiesbaden, Pit CA');
  assert.ok(await page.isHidden('#trust-renewed'));
  await shot(page, 'en-800-trust-authority');
  await page.tap('#back');
  await step(page, 'pit');
  assert.equal(await page.inputValue('[data-field="mqtt.ca_file"]'), '');
  await page.tap('#next');
  await step(page, 'trust');
  await page.tap('#trust-it');
  await step(page, 'pit');
  await says(page, 'The broker answers.');
  // What was trusted was another broker's.
  await field(page, 'mqtt.broker');
  await page.tap('#keyboard [data-erases]:visible');
  assert.equal(await page.inputValue('[data-field="mqtt.ca_file"]'), '');
  await touchIn(page, pit.whole.slice(-1));
  await says(page, 'It is not known here who vouches for the broker.');
  await page.tap('#next');
  await step(page, 'trust');
  await page.tap('#trust-it');
  await step(page, 'pit'); // what it said before is gone
  await says(page, 'The broker answers.');
  await page.tap('#next');
  assert.match(await table.daemon.line(), /^sabotd ready/);
  const [, file] = /^ +ca_file: (\S+)$/m.exec(readFileSync(table.config, 'utf8'));
  assert.equal(dirname(file), table.dir);
  assert.equal(readFileSync(file, 'utf8'), openssl('x509', '-in', 'ca.crt'));
  await reachesPit(page);
});

soakTest('a broker that is not trusted is kept all the same, and later trusted by a supervisor alone', async () => {
  const table = await blank();
  const page = await screen(table.url, sizes[0]);
  await answer(page, table, 'en');
  await field(page, 'mqtt.broker');
  await touchIn(page, pit.leaf);
  await page.tap('#next');
  await step(page, 'trust');
  await page.tap('#trust-not');
  assert.match(await table.daemon.line(), /boot 1/);
  assert.doesNotMatch(readFileSync(table.config, 'utf8'), /^ +ca_file/m);
  await page.waitForSelector('#prompt h1');
  await page.goto(`${table.url}settings/#pit`);
  await step(page, 'pit');
  await page.tap('#next');
  await step(page, 'prove');
  assert.deepEqual(await changes(page), [`Try the broker ${pit.leaf}`]);
  await prove(page, '58219');
  await step(page, 'trust');
  assert.equal(await shown(page), pit.fingerprint('server.crt'));
  assert.ok(await page.isVisible('#trust-renewed'));
  await page.tap('#trust-it');
  await says(page, 'The broker answers.');
  // What was permitted was to try it; to change it is asked for again.
  await page.tap('#next');
  await step(page, 'prove');
  assert.deepEqual(await changes(page), [`Broker’s authority: ${pit.fingerprint('server.crt')} instead of –`]);
  await shot(page, 'en-800-prove-authority');
  await prove(page, '58219');
  assert.match(await table.daemon.line(), /boot 2/);
  assert.match(readFileSync(table.config, 'utf8'), /^ +ca_file: \S+mqtt-authority\.0001$/m);
  await reachesPit(page);
});

test('a setting is changed later, by a supervisor alone, and in a round it waits', async () => {
  const table = await blank();
  const page = await screen(table.url, sizes[0]);
  await answer(page, table, 'en', (name) => atEverySize(page, { language: 'en', step: name }));
  await page.tap('#leave');
  assert.match(await table.daemon.line(), /boot 1/);
  await page.waitForSelector('#prompt h1');
  await page.goto(`${table.url}settings/`);
  await shot(page, 'en-800-overview');
  await page.tap('[data-goes="limits"]');
  await step(page, 'limits');
  await page.tap('#keyboard [data-erases]:visible');
  for (let n = 0; n < 5; n++) await page.tap('#keyboard [data-erases]:visible');
  await touchIn(page, '30');
  await page.tap('#next');
  await step(page, 'prove');
  assert.deepEqual(await changes(page), ['Minimum: 30.00 instead of 20.00']);
  await prove(page, '11119');
  await page.waitForSelector('#said.wrong:not(:empty)');
  await shot(page, 'en-800-wrong-pin');
  assert.doesNotMatch(readFileSync(table.config, 'utf8'), /^min: 30/m);
  // A round begins meanwhile.
  const dealer = await screen(table.url, sizes[0]);
  await put(dealer, { in: 'open' });
  await prove(page, '58219');
  await page.waitForFunction(() => document.getElementById('said')?.textContent.includes('after this round'));
  await shot(page, 'en-800-waits');
  assert.match(readFileSync(table.config, 'utf8'), /^min: 30/m);
  const limits = () => dealer.evaluate(async () => (await (await fetch('/view.json')).json()).min);
  assert.equal(await limits(), 2000);
  await dealOpened(dealer, table.shoe);
  assert.match(await table.daemon.line(), /^sabotd ready: table bj-1, boot 2, /);
  await until(dealer, async () => (await (await fetch('/view.json')).json()).min === 3000);
  assert.equal(readdirSync(table.dir).filter((name) => /sabot\.yaml\.\d{4}\./.test(name)).length, 2);
});

test('a supervisor removes another one by two touches, neither themselves nor the last one', async () => {
  const table = await blank();
  const page = await screen(table.url, sizes[0]);
  await answer(page, table, 'it', (name) => atEverySize(page, { language: 'it', step: name }));
  await page.tap('#leave');
  assert.match(await table.daemon.line(), /boot 1/);
  await page.waitForSelector('#prompt h1');
  const proveAnna = async (second) => {
    await step(page, 'prove');
    await page.tap('[data-field="who"] [data-value="anna"]');
    await prove(page, '58219', second);
  };
  const settings = async (part, language = 'en') => {
    await page.goto('about:blank'); // another part alone would not load the page anew
    await page.goto(`${table.url}settings/?lang=${language}#${part}`);
    await step(page, part);
  };
  const spoken = (nth) => (soak ? languages : [languages[nth % languages.length], languages[(nth + 1) % languages.length]]);
  const every = async (name, nth) => {
    for (const language of spoken(nth)) {
      await settings('remove', language);
      if (name === 'remove') {
        await page.tap('[data-removes="berta"]');
        await page.waitForSelector('#remove:not([hidden])');
      }
      await atEverySize(page, { language, step: name });
    }
  };
  await every('last', 0);
  for (const language of spoken(4)) {
    await settings('supervisor', language);
    await atEverySize(page, { language, step: 'supervisors' });
  }
  await settings('supervisor');
  await page.tap('[data-goes="remove"]');
  await step(page, 'remove');
  assert.equal(await page.locator('[data-removes], #remove').count(), 0);
  await page.tap('#back');
  await step(page, 'supervisor');
  await touchIn(page, 'berta');
  await page.tap('#next');
  await page.waitForSelector('#said.wrong:not(:empty)'); // without a PIN nobody is added, and nobody removed
  await page.tap('[data-pin]');
  await touchIn(page, '71924');
  await page.tap('[data-again]');
  await touchIn(page, '71924');
  await page.tap('#next');
  await proveAnna();
  assert.match(await table.daemon.line(), /boot 2/);
  await page.waitForSelector('#prompt h1');
  await every('remove', 2);
  await takesTwo(page, settings, spoken);
  // Nobody removes themselves.
  await settings('remove');
  assert.ok(await page.isHidden('#remove'));
  await page.tap('[data-removes="anna"]');
  await page.tap('#remove');
  await proveAnna('71924');
  await says(page, 'Nobody removes themselves');
  await shot(page, 'en-800-remove-self');
  assert.match(readFileSync(table.config, 'utf8'), /"berta"/);
  // The first touch removes nobody, and one of another name is another's.
  await page.tap('[data-removes="anna"]');
  await page.tap('[data-removes="berta"]');
  assert.equal((await page.textContent('#remove')).trim(), 'Remove berta');
  await page.tap('#remove');
  await step(page, 'prove');
  assert.deepEqual(await changes(page), ['Supervisor: berta is taken out']);
  // One alone does not, nor one twice.
  await proveAnna();
  await says(page, 'Not proven: a second supervisor');
  await prove(page, '58219', '58219');
  await page.waitForFunction(() => !document.getElementById('next').disabled); // it was answered
  await says(page, 'Not proven: ');
  assert.match(readFileSync(table.config, 'utf8'), /"berta"/);
  await prove(page, '58219', '71924');
  assert.match(await table.daemon.line(), /boot 3/);
  const text = readFileSync(table.config, 'utf8');
  assert.doesNotMatch(text, /berta/);
  assert.match(text, /"anna"/);
  assert.match(text, /# the kiosk's$/m);
  assert.equal(readdirSync(table.dir).filter((name) => /sabot\.yaml\.\d{4}\./.test(name)).length, 3);
});

/** Who supervises is decided by two; the page says for what, and whom it asks. One's own PIN is one's own matter. */
async function takesTwo(page, settings, spoken) {
  const renewed = {
    en: /: berta gets another PIN$/, de: /: berta bekommt eine andere PIN$/, fr: /: berta reçoit un autre PIN$/, it: /: berta riceve un altro PIN$/, zh: /：berta更换PIN$/,
  };
  for (const language of spoken(3)) {
    await settings('supervisor', language);
    await touchIn(page, 'berta');
    for (const pin of ['[data-pin]', '[data-again]']) {
      await page.tap(pin);
      await touchIn(page, '83150');
    }
    await page.tap('#next');
    await step(page, 'prove');
    await page.tap('[data-field="who"] [data-value="berta"]');
    assert.ok(await page.isHidden('#two'));
    await atEverySize(page, { language, step: 'prove-own' });
    await page.tap('[data-field="who"] [data-value="anna"]');
    assert.ok(await page.isHidden('[data-field="second"] [data-value="anna"]'));
    assert.equal(await page.getAttribute('[data-field="second"] [data-value="berta"]', 'aria-checked'), 'true');
    assert.match(String(await changes(page)), renewed[language]);
    for (const asked of ['[data-prove]', '[data-prove-second]']) {
      await page.tap(asked);
      await atEverySize(page, { language, step: `prove${asked === '[data-prove]' ? '' : '-second'}` });
      for (const seen of ['#changes', asked, `${asked === '[data-prove]' ? '[data-field="who"]' : '[data-field="second"]'} [aria-checked="true"]`]) {
        assert.ok(await page.evaluate(within, seen), `${language}: ${seen} is not seen where ${asked} is typed into`);
      }
    }
  }
}

/** Whether something is seen as a whole within what scrolls; runs in the page. */
function within(what) {
  const [one, room] = [document.querySelector(what), document.querySelector('main')].map((each) => each.getBoundingClientRect());
  return one.top >= room.top - 1 && one.bottom <= room.bottom + 1;
}
