// What the tests of the pit's pages need besides those of the table's: the sample floor.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, afterEach, before, beforeEach } from 'node:test';
import { Table, buildServer, openBrowser, overhear } from '../../../display/web/e2e/table.mjs';

export {
  buildServer, few, openBrowser, overhear, placeOf, ready, rotated, soak, soakTest, stopClock, toast, until,
} from '../../../display/web/e2e/table.mjs';
export { faults } from '../../../display/web/e2e/faults.mjs';

const tools = createRequire(new URL('../../../display/web/e2e/', import.meta.url));
export const axe = readFileSync(tools.resolve('axe-core/axe.min.js'), 'utf8');

export const buildPit = () => buildServer('floor');

/** The sample floor as a process that is told what to show. */
export class Pit {
  static async start(program, ...options) {
    const pit = new Pit();
    pit.process = await Table.run(program, options);
    return pit;
  }

  get url() {
    return this.process.url;
  }

  at(path) {
    return new URL(path, this.url).href;
  }

  /** Shows a sample, or lets something happen: 'alarm 3', 'deal 5 payment', 'store away'. */
  async show(line) {
    const said = await this.process.say(line);
    if (said !== 'done') {
      throw new Error(said);
    }
  }

  end() {
    return this.process.end();
  }
}

export const screens = {
  phone: { width: 390, height: 844 },
  upright: { width: 820, height: 1180 },
  tablet: { width: 1180, height: 820 },
  desk: { width: 1280, height: 800 },
  wall: { width: 1920, height: 1080 },
};
export const languages = ['en', 'de', 'it', 'fr', 'zh'];

/**
 * The hooks of a file whose tests each have a floor of their own: start begins it, screen opens a page of it, complaints are
 * what those pages complained of, and forgive forgets what a test has caused.
 */
export function sampleFloor() {
  const complaints = [];
  let browser;
  let program;
  let pit;
  let contexts;
  before(async () => {
    browser = await openBrowser();
    program = buildPit();
  });
  after(() => browser?.close());
  beforeEach(() => {
    contexts = [];
    complaints.length = 0;
  });
  afterEach(async () => {
    await Promise.all(contexts.map((one) => one.close()));
    await pit?.end();
  });
  return {
    complaints,
    forgive: (what) => complaints.splice(0, Infinity, ...complaints.filter((c) => !what.test(c))),
    async start(...options) {
      pit = await Pit.start(program, ...options);
      return pit;
    },
    async screen(path, { size = screens.tablet, who, cookies = [], expected = [], ...options } = {}) {
      const context = await browser.newContext({ viewport: size, hasTouch: true, ...options });
      contexts.push(context);
      const all = who ? [['who', who], ...cookies] : cookies;
      await context.addCookies(all.map(([name, value]) => ({ name, value, url: pit.url })));
      const page = await context.newPage();
      overhear(page, complaints, { expected });
      await page.goto(pit.at(path), { waitUntil: 'load' });
      return page;
    },
  };
}
