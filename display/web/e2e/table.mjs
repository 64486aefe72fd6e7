// What the tests need around the page: the sample server and a browser.

import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const browser = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** Builds the sample server, or another, once and returns where it is. */
export function buildServer(name = 'serve') {
  const dir = mkdtempSync(join(tmpdir(), 'sabot-e2e-'));
  process.once('exit', () => rmSync(dir, { recursive: true, force: true }));
  const program = join(dir, name);
  execFileSync('go', ['build', '-o', program, `./${name}`], { cwd: dirname(fileURLToPath(import.meta.url)), stdio: 'inherit' });
  return program;
}

/** Starts Chromium, and fails where there is none: a page nobody looked at is not tested. */
export function openBrowser() {
  if (!existsSync(browser)) {
    throw new Error(`no browser at ${browser}: install Debian's chromium, or set CHROMIUM to where one is`);
  }
  return chromium.launch({
    executablePath: browser,
    args: [
      '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking',
      '--disable-component-update', '--disable-sync',
    ],
  });
}

/** The sample server as a process that can be told what to show, stopped and killed. */
export class Table {
  static async start(program, listen = '127.0.0.1:0') {
    const table = new Table();
    table.process = spawn(program, ['-listen', listen], { stdio: ['pipe', 'pipe', 'inherit'] });
    table.ended = new Promise((resolve) => table.process.once('exit', resolve));
    table.answers = createInterface({ input: table.process.stdout })[Symbol.asyncIterator]();
    table.url = await table.answer();
    return table;
  }

  async answer() {
    const { value, done } = await this.answers.next();
    if (done) {
      throw new Error('the sample server ended');
    }
    return value;
  }

  async show(sample) {
    this.process.stdin.write(`${sample}\n`);
    const said = await this.answer();
    if (said !== 'shown') {
      throw new Error(said);
    }
  }

  get address() {
    return new URL(this.url).host;
  }

  signal(name) {
    this.process.kill(name);
  }

  async kill() {
    this.process.kill('SIGKILL');
    await this.ended;
  }
}
