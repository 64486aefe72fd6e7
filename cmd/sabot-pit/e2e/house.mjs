// What the tests of a whole house need: sabot-pit and a broker as processes, a database, and tables at which is dealt.

import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { house as built, program } from '../../../internal/testkit/pages/programs.mjs';

export { few, openBrowser, overhear, rotated, soak, soakTest, until } from '../../../display/web/e2e/table.mjs';
export { faults } from '../../../display/web/e2e/faults.mjs';

const tools = createRequire(new URL('../../../display/web/e2e/', import.meta.url));
export const axe = readFileSync(tools.resolve('axe-core/axe.min.js'), 'utf8');

export const roles = ['viewer', 'cashier', 'supervisor', 'technician', 'manager'];
export const languages = ['en', 'de', 'it', 'fr', 'zh'];
export const password = 'correct horse battery staple';
export const table = (n) => `/table/kursaal/bj-${n}/`;

/** Where the program of a house is. */
export const buildHouse = () => program(built);

/** A house that is told what happens: house_test.go says what it understands. */
export class House {
  static async open(program, database = 'sqlite') {
    const house = new House();
    house.process = spawn(program, ['-test.run=^TestHouse$', '-test.timeout=20m'], {
      cwd: fileURLToPath(new URL('..', import.meta.url)), env: { ...process.env, SABOT_HOUSE: database }, stdio: ['pipe', 'pipe', 'inherit'],
    });
    house.ended = new Promise((resolve) => house.process.once('exit', resolve));
    house.answers = createInterface({ input: house.process.stdout })[Symbol.asyncIterator]();
    house.url = await house.answer();
    return house;
  }

  async answer() {
    const { value, done } = await this.answers.next();
    if (done || !/^(done|wrong: |http|\{)/.test(value)) {
      throw new Error(`the house ended: ${value ?? ''}`);
    }
    return value;
  }

  /** Lets something happen, and waits until it has. */
  async tell(line) {
    this.process.stdin.write(`${line}\n`);
    const said = await this.answer();
    if (said !== 'done') {
      throw new Error(`${line}: ${said}`);
    }
  }

  /** Asks for something, which is answered with an object. */
  async ask(line) {
    this.process.stdin.write(`${line}\n`);
    const said = await this.answer();
    if (!said.startsWith('{')) {
      throw new Error(`${line}: ${said}`);
    }
    return JSON.parse(said);
  }

  at(path) {
    return new URL(path, this.url).href;
  }

  /** Ends the house with all its processes. */
  async end() {
    this.process.stdin.end();
    await this.ended;
  }

  /** A browser of somebody's own: opened, and entered where a role is given, whose name it is. */
  async screen(browser, role, { size = { width: 1280, height: 800 }, ...options } = {}) {
    const context = await browser.newContext({ viewport: size, hasTouch: true, ...options });
    const page = await context.newPage();
    if (role) {
      await enter(page, this, role);
    }
    return page;
  }
}

/** Enters at the page that asks for a name and a password. */
export async function enter(page, house, name) {
  await page.goto(house.at('/enter'));
  await page.fill('#name', name);
  await page.fill('#password', password);
  await page.click('button.first');
  await page.waitForURL(house.at('/'));
}
