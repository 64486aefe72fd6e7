// How the pit's pages lie on their screens, in every language: nothing is cut, lies on anything else or is too small to
// touch; and can everybody read them.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Pit, axe, buildPit, faults, few, languages, openBrowser, overhear, rotated, screens, soak, soakTest } from './pit.mjs';

let browser;
let pit;

before(async () => {
  browser = await openBrowser();
  pit = await Pit.start(buildPit());
});

after(async () => {
  await browser?.close();
  await pit?.end();
});

const table = '/table/kursaal/bj-3/';
// What may be shortened: names of people, of tables and of houses, and beside an alert how its table records.
const names = ['Anna', 'Bruno', 'Chiara', 'Dimitri', 'Maximiliane', 'Federico', 'Greta', 'Henri', 'Ivana', 'Jonas', 'Kursaal',
  'Frau Zimmermann', 'wiesbaden', 'baden', 'st-moritz', 'mendrisio', 'schaffhausen', 'lugano'];
const shown = {
  phone: [['bad', '/'], ['bad', '/alerts'], ['bad', table], ['calm', `${table}recall`]],
  upright: [['bad', '/'], ['sixty', '/'], ['broker', '/'], ['bad', table]],
  tablet: [['calm', '/'], ['bad', '/'], ['bad', '/alerts']],
  desk: [['bad', '/'], ['bad', table], ['bad', `${table}recall?code=any`]],
  wall: [['sixty', '/'], ['bad', '/']],
};

// The page is as it was sent: nothing is patched while it is looked at.
function quiet() {
  window.EventSource = class extends EventTarget {
    constructor() {
      super();
      setInterval(() => this.dispatchEvent(new MessageEvent('beat', { data: String(Date.now()) })), 200);
    }

    close() {}
  };
}

const everywhere = Object.entries(shown);

for (const [nth, [screen, pages]] of few(everywhere, everywhere.slice(0, 1)).entries()) {
  test(`all of it fits on the ${screen} in every language`, async () => {
    const context = await browser.newContext({ viewport: screens[screen], hasTouch: true, reducedMotion: 'reduce' });
    const page = await context.newPage();
    await page.addInitScript(quiet);
    const complaints = [];
    const wanted = [];
    overhear(page, complaints, { wanted });
    const wrong = [];
    let things = 0;
    const turned = [...languages.slice(nth), ...languages.slice(0, nth)]; // each screen begins with another
    for (const [[sample, path], language] of rotated(pages, turned)) {
      await pit.show(sample);
      await context.addCookies([{ name: 'sabot-language', value: language, url: pit.url }]);
      await page.goto(pit.at(path), { waitUntil: 'load' });
      // A felt of its own has tests of its own, and shortens names of guests.
      await page.evaluate(() => {
        document.querySelector('#table .felt')?.replaceChildren();
        document.querySelectorAll('details:not([open]) > :not(summary)').forEach((one) => one.remove());
      });
      const got = await page.evaluate(faults, { names, scrolls: ['#told ol'], key: 44 });
      things += got.things;
      wrong.push(...got.faults.map((fault) => `${language} ${sample} ${path}: ${fault}`));
    }
    await context.close();
    assert.deepEqual(wrong, []);
    assert.deepEqual(complaints, []);
    assert.deepEqual(wanted.filter((url) => !url.startsWith(pit.url)), [], 'requests to other hosts');
    assert.ok(things > (soak ? 1000 : 200), `only ${things} things were looked at`);
  });
}

soakTest('axe finds nothing serious, in the dark and in the bright', async () => {
  const context = await browser.newContext({ viewport: screens.tablet, bypassCSP: true });
  const page = await context.newPage();
  for (const [sample, path] of [['calm', '/'], ['bad', '/'], ['broker', '/'], ['bad', '/alerts'], ['bad', table], ['calm', `${table}recall`]]) {
    await pit.show(sample);
    await page.goto(pit.at(path), { waitUntil: 'load' });
    await page.addScriptTag({ content: axe });
    for (const light of soak ? ['dark', 'bright'] : [`${path}${sample}`.length % 2 === 0 ? 'dark' : 'bright']) {
      await page.evaluate((to) => { document.documentElement.dataset.light = to; }, light);
      const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
      const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .map(({ id, nodes }) => `${id}: ${nodes.slice(0, 4).map(({ target }) => target.join(' ')).join('; ')}`);
      assert.deepEqual(serious, [], `${sample} ${path} ${light}`);
    }
  }
  await context.close();
});
