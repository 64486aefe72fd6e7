// A real browser as the attacker's tool: somebody at the table's computer opens a page of another site, which has Chromium ask the
// table for whatever a browser can ask, as a program, a form, a picture, a frame and a window, and under another name. The table is as
// installed, for this computer alone, so that nobody has to enter: only what the table makes of a browser's words stands in between.

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, test } from 'node:test';
import { address } from '../../../internal/testkit/pages/address.mjs';
import { folder, program } from '../../../internal/testkit/pages/programs.mjs';
import { openBrowser } from '../../../display/web/e2e/table.mjs';

let daemon;
let evil;
let url;
let origin;
let browser;
let here;

before(async () => {
  here = mkdtempSync(join(folder('attack'), 'table-'));
  const listen = address();
  const line = execFileSync(program('cmd/sabot'), ['pin', 'anna'], { input: '58219\n' }).toString().match(/\{name:.*\}/)[0];
  writeFileSync(join(here, 'sabot.yaml'), `site: kurhaus
table: bj-1
house: wiesbaden
shoe: {driver: sabot, port: "tcp://${address()}"}
journal: {path: ${here}/journal}
web: {listen: "${listen}"}
supervisors: {names: [${line}]}
`, { mode: 0o600 });
  daemon = spawn(program('cmd/sabotd'), ['--config', join(here, 'sabot.yaml')], { stdio: ['ignore', 'pipe', 'ignore'] });
  const lines = createInterface({ input: daemon.stdout })[Symbol.asyncIterator]();
  assert.match((await lines.next()).value, /boot 1/);
  url = `http://${listen}/`;
  const [host, port] = address().split(':');
  evil = createServer((_, answer) => answer.setHeader('Content-Type', 'text/html').end('<!DOCTYPE html><title>evil</title><body>'));
  await new Promise((listening) => { evil.listen(Number(port), host, listening); });
  origin = `http://${host}:${port}/`;
  browser = await openBrowser({ names: { 'evil.example': listen.split(':')[0] } });
});

after(async () => {
  await browser?.close();
  evil?.close();
  if (!daemon || daemon.exitCode !== null) return;
  const ended = new Promise((resolve) => { daemon.once('exit', resolve); });
  daemon.kill('SIGTERM');
  await ended;
});

const posts = {
  input: { in: 'open' },
  touch: { moment: '', put: [{ in: 'open' }] },
  correct: { in: 'correct', what: 'end-shoe' },
  supervisor: { name: 'anna', pin: '0000' },
  dealer: { name: 'mallory' },
  'dealer/leave': {},
  'supervisor/leave': {},
  'devices/take': { what: 'bundle' },
  'devices/restart': { sure: true },
  'settings/check': { answers: [{ key: 'min', text: '20', pin: '' }], about: 'limits' },
  'settings/save': { answers: [{ key: 'min', text: '20', pin: '' }], of: '' },
  'settings/permit': { about: 'keys' },
  'settings/press': {},
};
const reads = ['', 'view.json', 'events', 'state', 'guest', 'recall', 'help', 'supervisor', 'health', 'metrics', 'devices/', 'settings/', 'settings/state'];

test('a page of another site has the browser ask for nothing', async () => {
  const page = await (await browser.newContext()).newPage();
  await page.goto(origin);
  const configuration = readFileSync(join(here, 'sabot.yaml'), 'utf8');
  let tries = 0;
  const through = [];
  const tried = (what, got) => {
    tries += 1;
    if (got) through.push(`${what}: ${got}`);
  };

  // As a program: an answer that can be read gets through, and so does a request that does something, which the journal shows.
  for (const path of reads) {
    for (const mode of ['cors', 'no-cors']) {
      for (const credentials of ['omit', 'include']) {
        tried(`fetch ${path} ${mode} ${credentials}`, await page.evaluate(async ([at, how]) => {
          try {
            return await (await fetch(at, how)).text();
          } catch {
            return '';
          }
        }, [url + path, { mode, credentials }]));
      }
    }
  }
  for (const [path, body] of Object.entries(posts)) {
    for (const [mode, type] of [['cors', 'application/json'], ['no-cors', 'text/plain'], ['no-cors', 'application/x-www-form-urlencoded'], ['cors', 'text/plain']]) {
      tried(`post ${path} ${mode} ${type}`, await page.evaluate(async ([at, how]) => {
        try {
          return await (await fetch(at, how)).text();
        } catch {
          return '';
        }
      }, [url + path, { method: 'POST', mode, credentials: 'include', headers: { 'Content-Type': type }, body: JSON.stringify(body) }]));
    }
    await page.evaluate(([at, text]) => navigator.sendBeacon(at, new Blob([text], { type: 'text/plain' })), [url + path, JSON.stringify(body)]);
    tries += 1;
    // As a form, whose answer would take the place of a frame.
    await page.evaluate(([at, text]) => {
      const frame = Object.assign(document.createElement('iframe'), { name: `f${Math.random()}` });
      const form = Object.assign(document.createElement('form'), { action: at, method: 'POST', enctype: 'text/plain', target: frame.name });
      form.append(Object.assign(document.createElement('input'), { name: text.slice(0, -1), value: '}' }));
      document.body.append(frame, form);
      return new Promise((loaded) => { frame.onload = loaded; form.submit(); });
    }, [url + path, JSON.stringify(body)]);
    tries += 1;
  }

  // As what a page shows: frames, programs, styles, pictures, streams and windows.
  for (const path of reads) {
    tried(`frame ${path}`, await page.evaluate((at) => new Promise((done) => {
      const frame = document.createElement('iframe');
      frame.onload = () => {
        try {
          done(frame.contentDocument?.body?.textContent ?? '');
        } catch {
          done('');
        }
      };
      frame.src = at;
      document.body.append(frame);
    }), url + path));
    for (const tag of ['script', 'img', 'link']) {
      tried(`${tag} ${path}`, await page.evaluate(([at, name]) => new Promise((done) => {
        const one = document.createElement(name);
        one.onload = () => done('it is loaded');
        one.onerror = () => done('');
        if (name === 'link') Object.assign(one, { rel: 'stylesheet', href: at });
        else one.src = at;
        document.body.append(one);
      }), [url + path, tag]));
    }
  }
  for (const frame of page.frames().filter((one) => one.url().startsWith(url))) {
    tried(`what a frame shows of ${frame.url()}`, (await frame.title().catch(() => '')).includes('bj-1') && 'the table');
  }
  tried('a stream', await page.evaluate((at) => new Promise((done) => {
    const stream = new EventSource(at);
    stream.onmessage = ({ data }) => done(data);
    stream.onerror = () => { stream.close(); done(''); };
  }), `${url}events`));
  tried('a socket', await page.evaluate((at) => new Promise((done) => {
    const socket = new WebSocket(at);
    socket.onopen = () => done('it is open');
    socket.onerror = () => done('');
  }), `${url.replace('http', 'ws')}events`));
  tried('a window', await page.evaluate(async (at) => {
    const other = window.open(at);
    try {
      return other?.document?.body?.textContent ?? '';
    } catch {
      return '';
    }
  }, url));

  // Under a name that leads to the table's address, so that the page and the table are of one origin.
  const rebound = await (await browser.newContext()).newPage();
  for (const path of reads) {
    const answer = await rebound.goto(`http://evil.example:${new URL(url).port}/${path}`).catch(() => null);
    tried(`another name, ${path}`, answer?.ok() && await answer.text());
  }
  tried('another name, a post', await rebound.evaluate(async (body) => {
    try {
      const answer = await fetch('/input', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
      return answer.ok && await answer.text();
    } catch {
      return '';
    }
  }, JSON.stringify(posts.input)));

  assert.equal(readFileSync(join(here, 'sabot.yaml'), 'utf8'), configuration, 'the configuration is another');
  const record = execFileSync(program('cmd/sabot'), ['transcript', join(here, 'journal')]).toString();
  for (const done of record.split('\n').filter((one) => /"in":"(open|correct|dealer|settings|limits|table)"|"code":"(restart|took|wrong-pin|proven)/.test(one))) {
    through.push(`the record has ${done}`);
  }
  assert.ok(tries > 150, `${tries} tries`);
  assert.deepEqual(through, [], `${through.length} of ${tries} got through`);
});
