// What the tests need besides the page: the sample server and a browser.

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { program, server } from '../../../internal/testkit/pages/programs.mjs';

export {
  openBrowser, patience, ready, rested, toast, until, watchful,
} from '../../../internal/testkit/pages/browser.mjs';
export { few, rotated, soak, soakTest } from '../../../internal/testkit/pages/tier.mjs';

/** A page that the sample server has, as Table starts it. */
export const buildServer = (page = 'table') => [program(server), page];

/** Where an element is. A new picture of the table may take it away at this very moment, and has another in its place. */
export async function placeOf(locator) {
  for (;;) {
    await locator.waitFor();
    const place = await locator.boundingBox();
    if (place) {
      return place;
    }
  }
}

/**
 * Collects what a page complains of, but for what is expected, and the addresses that it
 * asks for. A test that brings complaints about expects them before it does so: a page
 * goes on complaining for as long as it is open.
 */
export function overhear(page, complaints, { wanted = [], expected = [] } = {}) {
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !expected.some((one) => one.test(message.text()))) {
      complaints.push(message.text());
    }
  });
  page.on('request', (request) => wanted.push(request.url()));
}

/**
 * Stops the clock of a page: from its next load on, time passes there only as the test lets
 * it, and what depends on time does not depend on how fast this machine is.
 */
export async function stopClock(page) {
  const hour = 3_600_000; // later than the clock, which runs from 0 until it is stopped
  await page.clock.install({ time: 0 });
  await page.clock.pauseAt(hour);
}

/**
 * Waits until a page shows the table as it is now, or later: it says the number of the view that it has drawn. The table is
 * asked once it has answered what the page has sent, but for touches that wait for their turn.
 */
export async function isFresh(page) {
  await page.waitForFunction(() => !window.posts);
  const seq = await page.evaluate(async () => (await (await fetch('/view.json')).json()).seq);
  await page.waitForFunction((now) => Number(document.documentElement.dataset.seq ?? -1) >= now, seq);
}

/**
 * Waits until a page asks for something, by its headline: a text or a pattern. A page that still shows what it asked for
 * before something was put in does not count.
 */
export async function asks(page, headline) {
  await isFresh(page);
  await page.waitForFunction(([text, pattern]) => {
    const said = document.querySelector('#prompt h1')?.textContent;
    return pattern ? new RegExp(pattern).test(said ?? '') : said === text;
  }, [headline, headline.source]);
}

const resting = new Map(); // sample servers that have ended their sample, and may serve another, by their program

/** The sample server as a process that can be told what to show, stopped and killed. */
export class Table {
  static start(program, listen = '127.0.0.1:0', ...options) {
    return Table.run(program, ['-listen', listen, ...options]);
  }

  /** A real table, set up as a transcript's setup line says: { house: 'wiesbaden', min: 1000 }. */
  static live(program, setup, ...more) {
    return Table.run(program, ['-live', JSON.stringify({ in: 'setup', ...setup }), ...more]);
  }

  static async run([program, page], options) {
    const args = [page, ...options];
    const again = resting.get(program)?.pop();
    const table = again ?? new Table();
    if (again) {
      table.rests = false;
      table.awake(true);
      table.url = await table.say(`again ${JSON.stringify(args)}`);
      return table;
    }
    table.program = program;
    table.process = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    table.ended = new Promise((resolve) => table.process.once('exit', resolve));
    table.answers = createInterface({ input: table.process.stdout })[Symbol.asyncIterator]();
    table.url = await table.answer();
    return table;
  }

  /** Whether this process waits for it to end; without that it ends when its input does. */
  awake(is) {
    for (const one of [this.process, this.process.stdin, this.process.stdout]) {
      one[is ? 'ref' : 'unref']();
    }
  }

  async answer() {
    const { value, done } = await this.answers.next();
    if (done) {
      throw new Error('the sample server ended');
    }
    return value;
  }

  /** Writes a line to the sample server and returns its answer. */
  async say(line) {
    this.process.stdin.write(`${line}\n`);
    return this.answer();
  }

  async show(sample) {
    const said = await this.say(sample);
    if (said !== 'shown') {
      throw new Error(said);
    }
  }

  /** Puts a line into a real table, such as 'TH 9S' or 'open; stake 3 anna 20': returns what followed. */
  async play(line) {
    const said = await this.say(line);
    if (said.startsWith('wrong: ')) {
      throw new Error(said);
    }
    return said;
  }

  /** Lets cards leave the shoe, such as 'TH 9S'. */
  card(cards) {
    return this.play(cards);
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

  /** Ends what it serves. What internal/testkit/pages serves ends as if the process were killed, and the next takes its place. */
  async end() {
    if (this.process.exitCode !== null || this.process.signalCode !== null || this.rests) {
      return;
    }
    const said = await this.say('end');
    if (said !== 'ended') {
      throw new Error(said);
    }
    this.rests = true;
    this.awake(false);
    resting.set(this.program, [...resting.get(this.program) ?? [], this]);
  }
}
