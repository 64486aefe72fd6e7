// The programs that the tests of the pages start. run.mjs builds them all once; a suite that is run alone builds its own.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The module's own folder. */
export const root = fileURLToPath(new URL('../../../', import.meta.url));

/** The program that serves samples of pages, and a shoe. */
export const server = 'internal/testkit/pages/server';

/** The programs that people use. */
export const commands = ['cmd/sabot', 'cmd/sabotd', 'cmd/sabot-pit', 'cmd/sabot-demo'];

/** A whole house is a test: cmd/sabot-pit/house_test.go. */
export const house = 'cmd/sabot-pit/e2e/house';

// The shell is Chromium without windows: a new page costs a third there. Only what a window has is missing, such as notifications.
const whole = '/usr/bin/chromium';
const shell = '/usr/bin/chromium-headless-shell';

/** Where Chromium is. It fails where there is none: a page nobody looked at is not tested. */
export function browser(notifies = false) {
  const where = process.env.CHROMIUM ?? (!notifies && existsSync(shell) ? shell : whole);
  if (!existsSync(where)) {
    throw new Error(`no browser at ${where}: install Debian's chromium and chromium-headless-shell, or set CHROMIUM to where one is`);
  }
  return where;
}

const go = (...args) => execFileSync('go', args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });

/** Where a package's program is below a folder: two packages may have programs of one name, but not next to each other. */
const placed = (name, where) => join(where, dirname(name).replaceAll('/', '-'), basename(name));

/** Builds the programs of packages into a folder. */
export function build(packages, where) {
  const folders = new Map();
  for (const one of packages.filter((name) => name !== house)) {
    const folder = dirname(placed(one, where));
    folders.set(folder, [...folders.get(folder) ?? [], `./${one}`]);
  }
  for (const [folder, all] of folders) {
    mkdirSync(folder, { recursive: true });
    go('build', '-ldflags=-w', '-o', `${folder}/`, ...all);
  }
  if (packages.includes(house)) {
    go('test', '-c', '-ldflags=-w', '-o', placed(house, where), './cmd/sabot-pit');
  }
}

let own; // the folder of what this process has built itself
const built = new Map();

/** Where a program is, such as internal/testkit/pages/server or cmd/sabot. */
export function program(name) {
  const { SABOT_PROGRAMS: released, SABOT_PAGES: served } = process.env;
  if (released && commands.includes(name)) {
    return join(released, basename(name));
  }
  if (served) {
    return placed(name, served);
  }
  if (!built.has(name)) {
    own ??= folder('programs');
    build([name], own);
    built.set(name, placed(name, own));
  }
  return built.get(name);
}

/** The environment of a program whose journal is not to outlive its test: in memory, so that a slow disk makes nothing late. */
export const inMemory = { ...process.env, TMPDIR: existsSync('/dev/shm') ? '/dev/shm' : tmpdir() };

/** A folder that is gone when this process ends. */
export function folder(name) {
  const dir = mkdtempSync(join(tmpdir(), `sabot-${name}-`));
  process.once('exit', () => rmSync(dir, { recursive: true, force: true }));
  return dir;
}
