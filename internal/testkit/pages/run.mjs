// Runs the tests of all pages in a browser: builds their server once, and ends with status 1 if a test failed, was skipped
// or did not run.
//
//   node internal/testkit/pages/run.mjs [--at-once N] [--slowest N] [--name PATTERN] [PART OF A FILE'S PATH]...
//
// SABOT_TIER=soak has it look at each state in every language and on every screen. A suite that has passed with the same
// programs, files and browser is not run again, unless SABOT_FRESH is set or make soak runs. SABOT_PROGRAMS names a folder with the
// built sabot, sabotd, sabot-pit and sabot-demo; without it they are built, too.

import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { Passed } from './passed.mjs';
import { browser, build, commands, house, root, server } from './programs.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { 'at-once': { type: 'string', default: '3' }, slowest: { type: 'string', default: '20' }, name: { type: 'string' } },
});

// What takes long begins first, so that nothing long is left over in the end.
const long = [
  'walk', 'first', 'bench', 'sabot-pit/e2e/pages', 'odds', 'held', 'figures', 'losses', 'bets', 'practice', 'touch', 'supervisor', 'people',
];

/** The suites whose path has one of these parts, or all. */
function suites(parts) {
  const all = ['cmd', 'display', 'pit'].flatMap((top) => within(join(root, top))).map((file) => relative(root, file));
  const wanted = all.filter((file) => parts.length === 0 || parts.some((part) => file.includes(part)));
  const rank = (file) => (long.findIndex((part) => file.endsWith(`${part}.test.mjs`)) + long.length + 1) % (long.length + 1);
  return wanted.sort((a, b) => rank(a) - rank(b));
}

/** The files of tests below a folder, those in folders named e2e. */
function within(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((one) => {
    const path = join(folder, one.name);
    if (one.isDirectory()) {
      return one.name === 'node_modules' ? [] : within(path);
    }
    return /\/e2e\/[^/]*\.test\.mjs$/.test(path) ? [path] : [];
  });
}

/** Installs what package-lock.json says, unless just that is there. */
function install() {
  const folder = join(root, 'display/web/e2e');
  const packages = (file) => {
    const path = join(folder, file);
    const all = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).packages : {};
    return JSON.stringify(Object.entries(all).filter(([name]) => name !== '').map(([name, { version, integrity }]) => [name, version, integrity]).sort());
  };
  if (packages('package-lock.json') !== packages('node_modules/.package-lock.json')) {
    execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder, stdio: ['ignore', 'inherit', 'inherit'] });
  }
}

/** Runs suites, a few at once, prints how their tests ended, and returns it. */
async function test(files) {
  const waiting = [...files];
  const ended = [];
  const work = async () => {
    const runner = new Runner();
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
      const before = passed?.of(file);
      if (before) console.log(`✔ ${file}: cached`);
      ended.push(...before ?? await suite(runner, file));
    }
    await runner.end();
  };
  await Promise.all(Array.from({ length: Number(values['at-once']) }, work));
  return ended;
}

/** A process that runs suites, one after the other. The next suite gets a new one where one has ended. */
class Runner {
  /** Runs a suite, calls told with each test of it that ends, and returns what became of the suite itself. */
  async run(file, told) {
    this.process ??= this.start();
    const child = this.process;
    const late = setTimeout(() => child.kill('SIGKILL'), patience);
    const ended = new Promise((resolve) => {
      child.on('message', (one) => {
        late.refresh();
        if (one.suite) resolve(one);
        else told(one);
      });
    });
    child.send(join(root, file));
    try {
      return await Promise.race([ended, this.gone]);
    } finally {
      clearTimeout(late);
      child.removeAllListeners('message');
    }
  }

  start() {
    const args = ['--test-reporter', join(root, 'internal/testkit/pages/told.mjs')];
    if (values.name) {
      args.push('--test-name-pattern', values.name);
    }
    const suites = join(root, 'internal/testkit/pages/suites.mjs');
    const child = spawn(process.execPath, [...args, suites], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    this.gone = new Promise((resolve) => {
      child.once('close', (code, signal) => {
        this.process = undefined;
        resolve({ passed: false, took: 0, error: `its process ended with ${code ?? signal}` });
      });
    });
    return child;
  }

  /** Ends the process, after the last suite. Its browsers are closed. */
  async end() {
    this.process?.send('');
    await this.gone;
  }
}

/** Runs a suite, prints how its tests ended, and returns it. */
async function suite(runner, file) {
  const ended = [];
  const whole = await runner.run(file, (one) => {
    if (!(values.name && /pattern/.test(one.skip))) ended.push({ ...one, file, how: how(one) });
  });
  if (!whole.passed && !/subtests? failed/.test(whole.error)) {
    ended.push({ ...whole, name: 'the suite as a whole', file, how: 'failed' });
  }
  for (const { name, how, took, error } of ended) {
    console.log(`${how === 'passed' ? '✔' : '✖'} ${file}: ${name} (${seconds(took)})${error ? `\n${error}` : ''}`);
  }
  if (ended.length > 0 && ended.every(({ how }) => how === 'passed')) {
    passed?.keep(file, ended.map((one) => ({ ...one, cached: true })));
  }
  return ended;
}

/** How a test ended, in a word. */
function how({ passed, skip, todo }) {
  if (skip !== undefined || todo !== undefined) {
    return skip !== undefined ? 'skipped' : 'to do';
  }
  return passed ? 'passed' : 'failed';
}

// A suite of which no test has ended for so long has hung.
const patience = process.env.SABOT_TIER === 'soak' ? 7_200_000 : 600_000; // ms

const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;

/** Says which tests took longest, and what is wrong. Returns whether all is well. */
function judge(files, ended) {
  const slowest = Number(values.slowest);
  if (slowest > 0) {
    console.log(`the ${slowest} slowest:`);
    for (const { took, file, name } of ended.toSorted((a, b) => b.took - a.took).slice(0, slowest)) {
      console.log(`${seconds(took).padStart(9)}  ${file}: ${name}`);
    }
  }
  // Why comes once more at the end: of a long output often nothing else is kept.
  const wrong = ended.filter(({ how }) => how !== 'passed')
    .map(({ how, file, name, error }) => `${how}: ${file}: ${name}${error ? `\n${error}` : ''}`);
  const silent = values.name ? [] : files.filter((file) => !ended.some((one) => one.file === file)).map((file) => `did not run: ${file}`);
  for (const one of [...wrong, ...silent]) {
    console.error(one);
  }
  return ended.length > 0 && wrong.length + silent.length === 0;
}

const files = suites(positionals);
if (files.length === 0) {
  console.error(`no suite has ${positionals.join(' or ')} in its path`);
  process.exit(1);
}
const began = Date.now();
install();
const built = join(root, 'dist/test/pages');
build([server, ...(process.env.SABOT_PROGRAMS ? [] : commands), house], built);
const ready = Date.now();
Object.assign(process.env, { SABOT_PAGES: built, SABOT_PROGRAMS: process.env.SABOT_PROGRAMS ?? join(built, 'cmd') });
const passed = values.name ? undefined : new Passed(root, [built, process.env.SABOT_PROGRAMS], browser());
const ended = await test(files);
process.exitCode = judge(files, ended) ? 0 : 1;
const kept = ended.filter(({ cached }) => cached).length;
console.log(`${ended.length} page tests, ${kept} of them cached, in ${files.length} files: ${seconds(Date.now() - ready)}, after ${seconds(ready - began)} of building`);
