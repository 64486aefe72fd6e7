// Runs the tests of all pages in a browser: builds their servers once, starts one Chromium for all of them, and ends with
// status 1 if a test failed, was skipped or did not run.
//
//   node internal/testkit/pages/run.mjs [--at-once N] [--slowest N] [--name PATTERN] [PART OF A FILE'S PATH]...
//
// SABOT_TIER=soak has it look at each state in every language and on every screen. SABOT_PROGRAMS names a folder with the
// built sabot, sabotd, sabot-pit and sabot-demo; without it they are built, too.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { parseArgs } from 'node:util';
import { build, commands, house, root, servers } from './programs.mjs';
import { soak } from './tier.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { 'at-once': { type: 'string', default: '3' }, slowest: { type: 'string', default: '15' }, name: { type: 'string' } },
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

/** Runs suites, prints what they say, and returns how each of their tests ended. */
async function test(files) {
  const ended = [];
  const note = (how) => ({ name, file, details, skip, todo }) => {
    if (values.name && /pattern/.test(skip)) {
      return; // not among those that were asked for
    }
    const other = skip !== undefined ? 'skipped' : todo !== undefined ? 'to do' : undefined;
    ended.push({ name, file: relative(root, file ?? ''), took: details.duration_ms, how: how === 'passed' ? other ?? how : how });
  };
  const stream = run({
    files: files.map((file) => join(root, file)), concurrency: Number(values['at-once']), timeout: soak ? 7_200_000 : 600_000,
    ...(values.name ? { testNamePatterns: [values.name] } : {}),
  });
  stream.on('test:pass', note('passed')).on('test:fail', note('failed'));
  const said = stream.compose(spec);
  for await (const text of said) {
    process.stdout.write(text);
  }
  return ended;
}

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
  const wrong = ended.filter(({ how }) => how !== 'passed').map(({ how, file, name }) => `${how}: ${file}: ${name}`);
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
build([...servers, ...(process.env.SABOT_PROGRAMS ? [] : commands), house], built);
const ready = Date.now();
const { serveBrowser } = await import('./browser.mjs');
const browser = await serveBrowser();
Object.assign(process.env, { SABOT_PAGES: built, SABOT_PROGRAMS: process.env.SABOT_PROGRAMS ?? join(built, 'cmd'), SABOT_BROWSER: browser.wsEndpoint() });
let well = false;
try {
  const ended = await test(files);
  well = judge(files, ended);
  console.log(`${ended.length} page tests in ${files.length} files: ${seconds(Date.now() - ready)}, after ${seconds(ready - began)} of building`);
} finally {
  await browser.close();
}
process.exitCode = well ? 0 : 1;
