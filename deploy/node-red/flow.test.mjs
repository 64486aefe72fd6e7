// The example flow in a real Node-RED: it hears a real table over a real broker.

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import mqtt from 'mqtt'; // Node-RED's own client
import { address } from '../../internal/testkit/pages/address.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const flow = join(here, 'sabot-tables.json');
const dir = mkdtempSync(join(tmpdir(), 'sabot-node-red-'));
const running = [];
const at = { broker: address(), page: address(), red: address() };
const [brokerHost, brokerPort] = at.broker.split(':');
const [redHost, redPort] = at.red.split(':');
let table;
let said = '';

function start(program, args) {
  const process = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  process.ended = new Promise((resolve) => process.once('exit', resolve));
  running.push(process);
  process.log = '';
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('data', (text) => { process.log += text; });
  }
  return process;
}

/** Waits until something holds, for as long as a slow computer may take. */
async function until(what, holds) {
  for (const end = Date.now() + 120_000; ; await pause(100)) {
    const found = await holds();
    if (found) {
      return found;
    }
    assert.ok(Date.now() < end, `waited in vain until ${what}: ${running.map((one) => one.log).join('\n')}`);
  }
}

const tables = async () => (await fetch(`http://${at.red}/tables`)).json();
const one = async () => (await tables())[0] ?? {};
const told = (sentence) => until(`somebody is told “${sentence}”`, () => said.includes(sentence));

async function press(input) {
  const answer = await fetch(`http://${at.page}/input`, {
    method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(input),
  });
  assert.equal(answer.status, 200, await answer.text());
}

function deal() {
  table = start(join(dir, 'sabotd'), ['--config', join(dir, 'sabot.yaml')]);
  return until('the table is ready', () => /sabotd ready/.test(table.log));
}

before(async () => {
  execFileSync('go', ['build', '-o', `${dir}/`, '../../cmd/sabotd'], { cwd: here, stdio: 'inherit' });
  writeFileSync(join(dir, 'sabot.yaml'), [
    'house: wiesbaden',
    'site: wiesbaden',
    'table: bj-1',
    `journal: {path: ${dir}/journal}`,
    'supervisors: {proof: none}',
    'shoe: {port: /dev/no-shoe}',
    `web: {listen: "${at.page}"}`,
    `mqtt: {broker: "tcp://${at.broker}"}`,
    '',
  ].join('\n'));
  writeFileSync(join(dir, 'broker.conf'), `listener ${brokerPort} ${brokerHost}\nallow_anonymous true\n`);
  start(execFileSync('sh', ['-c', 'PATH=$PATH:/usr/sbin command -v mosquitto'], { encoding: 'utf8' }).trim(), ['-c', join(dir, 'broker.conf')]);
  const nodes = JSON.parse(readFileSync(flow, 'utf8'));
  Object.assign(nodes.find((node) => node.type === 'mqtt-broker'), { broker: brokerHost, port: brokerPort });
  writeFileSync(join(dir, 'flows.json'), JSON.stringify(nodes));
  writeFileSync(join(dir, 'settings.js'), `module.exports = { flowFile: 'flows.json', uiHost: '${redHost}', uiPort: ${redPort}, httpAdminRoot: false, telemetry: { enabled: false, updateNotification: false } };\n`);
  const red = start(process.execPath, [join(here, 'node_modules/node-red/red.js'), '--userDir', dir, '--settings', join(dir, 'settings.js')]);
  red.stdout.on('data', (text) => { said += text; });
  await until('Node-RED has the flow', () => red.log.includes('Started flows') && red.log.includes('Connected to broker'));
});

after(async () => {
  for (const process of running) {
    process.kill('SIGKILL');
    await process.ended;
  }
  rmSync(dir, { recursive: true, force: true });
});

test('a table comes, is wrong, is put right, goes, and comes back', async () => {
  assert.deepEqual(await tables(), []);
  await deal();
  await until('the table is there', async () => (await one()).online && (await one()).phase !== undefined);
  const { site, table: name } = await one();
  assert.deepEqual({ site, name }, { site: 'wiesbaden', name: 'bj-1' });
  await told('bj-1: shoe-offline'); // it has none

  await press({ in: 'floor', event: 'called', reason: 'dispute', by: 'd7' });
  await told('bj-1: floor-called');
  assert.deepEqual((await one()).standing, ['floor-called', 'shoe-offline']);
  await press({ in: 'floor', event: 'done', by: 'anna' });
  await told('bj-1: floor-called is put right');
  assert.deepEqual((await one()).standing, ['shoe-offline']);

  table.kill('SIGKILL');
  await table.ended;
  await told('bj-1 is gone: connection lost');
  assert.equal((await one()).online, false);
  await deal();
  await told('bj-1 is back');
  assert.equal((await one()).online, true);
});

test('what is not a table’s message is passed over', async () => {
  const asked = await tables();
  const client = await mqtt.connectAsync(`mqtt://${at.broker}`);
  await client.publishAsync('sabot/v1/wiesbaden/bj-1/status', '{"online":', { qos: 1 });
  await client.endAsync();
  await told('sabot/v1/wiesbaden/bj-1/status: not JSON');
  assert.deepEqual((await tables()).map(({ table: name, online }) => [name, online]), asked.map(({ table: name, online }) => [name, online]));
});
