// Every page of a real pit: who sees it and what of it, in every language, on every screen, in the dark and in the bright.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { House, axe, buildHouse, faults, few, languages, openBrowser, overhear, roles, soak, soakTest, table } from './house.mjs';
import { texts, untranslated } from './words.mjs';

const one = table(1);
// Who may see a page: the least role, and those that include it.
const pages = [
  ['/', 'viewer'], ['/alerts', 'viewer'], ['/alerts/history', 'viewer'], [one, 'viewer'], ['/fleet', 'technician'],
  ['/recall', 'supervisor'], [`${one}recall`, 'supervisor'], [`${one}recall?code=any`, 'supervisor'], [`${one}recall/1`, 'supervisor'],
  [`${one}recall/2`, 'supervisor'], [`${one}recall/1/replay`, 'supervisor'], [`${one}recall/1/sheet`, 'supervisor'],
  ['/figures', 'manager'], ['/figures?nights=7', 'manager'], ['/figures/report', 'supervisor'],
  ['/figures/rounds?code=unread-card', 'supervisor'], ['/figures/wager?house=wiesbaden&wager=main', 'manager'],
  ['/figures/odds', 'manager'],
  ['/trays', 'cashier'], ['/figures/close', 'cashier'], ['/figures/slips', 'cashier'],
  ['/password', 'viewer'], ['/people', 'manager'], ['/log', 'manager'],
];
const includes = {
  nobody: [], viewer: ['viewer'], cashier: ['viewer', 'cashier'], supervisor: ['viewer', 'cashier', 'supervisor'], technician: ['viewer', 'technician'],
  manager: ['viewer', 'cashier', 'supervisor', 'technician', 'manager'],
};
const sizes = [[390, 844], [820, 1180], [1280, 800], [1920, 1080]];
// What is said in every language: names of people, tables and houses, what a program or a shoe calls itself, and units.
const data = [
  /^(Kursaal|bj-\d|marta|ann|ben|keller|console|test|sabot SIM-1)$/, /^(Kursaal|bj-\d) – Sabot$/, /^[\d.,]+ – [\d.,]+ (EUR|CHF)$/, /^EUR$/, /^(wiesbaden|baden|st-moritz|st\. moritz)$/i,
  /^(viewer|cashier|supervisor|technician|manager)$/, /^[\d.,]+ [KMG]iB$/, /^[0-9a-f]{12,}$/, /^127\.[\d.]+$/, /^rules wiesbaden /, /^(Wiesbaden · bj-\d|Spielbank Wiesbaden|sabot rules odds --house .*)$/, /^\/(room|alerts\/none\/\w+)$/, /^4\d\d [A-Z]/,
];
// Lists, which may be longer than the screen. All else must fit.
const lists = ['#told ol', '.scrolls', '.scroll', 'main.round', 'main.paper', '#steps', 'aside', '#table'];
const names = ['Kursaal', 'marta', 'wiesbaden', 'baden', 'st-moritz', 'ann', 'ben', ...roles];

let house;
let browser;
const screens = {};

before(async () => {
  const program = buildHouse();
  [browser, house] = await Promise.all([openBrowser(), House.open(program)]);
  await house.tell('play 1 dealer marta; open; stake 1 ann 20; stake 2 ben 50; close; TS 9C 7D KH 8D; rest; rest; TH; paid');
  await house.tell('play 1 open; stake 1 ann 20; close; TS ??; resolve identify 9H by=keller; KH; rest; TH; paid');
  await house.tell('play 1 open; stake 1 ann 20; stake 4 ben 50; close; TS ??');
  await house.tell('play 2 open; stake 1 - -; close; TS');
  for (const role of roles) {
    screens[role] = await house.screen(browser, role);
  }
  await screens.viewer.waitForSelector('#tile-kursaal-bj-1.alarm');
});

after(async () => {
  await browser?.close();
  await house?.end();
});

const accept = { headers: { Accept: 'text/html' }, maxRedirects: 0 };

for (const role of ['nobody', ...roles]) {
  test(`a ${role} is shown what they may see, and refused the rest`, async () => {
    const asks = role === 'nobody' ? (await browser.newContext()).request : screens[role].context().request;
    const told = { headers: { Origin: house.url.slice(0, -1), 'Content-Type': 'application/json' }, data: '{"by":"","note":""}' };
    for (const [path, least] of pages) {
      const answer = await asks.get(house.at(path), accept);
      if (role === 'nobody') {
        assert.equal(answer.status(), 303, path);
        assert.equal(answer.headers().location, `/enter?then=${encodeURIComponent(path)}`);
      } else {
        assert.equal(answer.status(), includes[role].includes(least) ? 200 : 403, path);
      }
    }
    for (const path of ['/alerts/none/seen', '/alerts/none/coming', '/room']) {
      const status = (await asks.post(house.at(path), told)).status();
      const may = includes[role].includes('supervisor');
      assert.ok(may ? [400, 409].includes(status) : status === (role === 'nobody' ? 401 : 403), `${path} is answered ${status}`);
    }
    for (const stream of [`/stream/rounds/kursaal/bj-1`, '/stream/fleet', '/stream/floor']) {
      if (role === 'nobody') {
        const answer = await asks.get(house.at(stream), { headers: { Accept: 'text/event-stream' } });
        assert.doesNotMatch(await answer.text(), /bj-1/, stream);
      }
    }
  });
}

for (const role of few(roles, ['manager'])) {
  test(`a ${role} finds only keys and links that work`, async () => {
    const page = screens[role];
    const supervises = includes[role].includes('supervisor');
    const seen = new Set();
    for (const [path] of pages.filter(([, least]) => includes[role].includes(least))) {
      await page.goto(house.at(path), { waitUntil: 'load' });
      for (const link of await page.$$eval('a[href]', (all) => all.map((a) => a.href.split('#')[0]))) {
        const at = new URL(link);
        at.searchParams.delete('lang');
        seen.add(at.href);
      }
      if (['/', '/alerts', one].includes(path)) {
        assert.equal(await page.locator('[data-does]').count() > 0, supervises, path);
      }
    }
    await page.goto(house.at('/'));
    assert.equal(await page.locator('#arrange').count(), supervises ? 1 : 0);
    await page.goto(house.at(one));
    assert.equal(await page.locator('#told li').count() > 0, supervises);
    assert.equal(await page.locator('#health dd').count() > 0, !['viewer', 'cashier'].includes(role));
    for (const link of seen) {
      assert.ok(link.startsWith(house.url), `${link} leads out of the house`);
      assert.equal((await page.context().request.get(link, accept)).status(), 200, link);
    }
    assert.ok(seen.size > 5, `only ${seen.size} links`);
  });
}

test('who may not is told so in their language', async () => {
  const page = await house.screen(browser, 'viewer');
  for (const path of [`${one}recall`, '/fleet', '/people']) {
    for (const language of languages) {
      await page.context().addCookies([{ name: 'sabot-language', value: language, url: house.url }]);
      await page.goto(house.at(path));
      assert.equal((await page.getAttribute('html', 'lang') ?? '').slice(0, 2), language, path);
      assert.ok((await page.innerText('.said')).length > 3);
    }
  }
  await page.context().close();
});

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

// Makes a page dark or bright; what is on paper stays as it is.
function turn(light) {
  const root = document.documentElement;
  if (root.dataset.light !== 'paper') {
    root.dataset.light = light;
  }
}

// Two frames: the page hears of a new size in the first, and the felt is fitted in it.
const drawn = () => new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(done)); });

// Shows what is folded, and leaves out what is the table's own page's: its tests look at that in every state.
function whole() {
  document.querySelector('#table .felt')?.replaceChildren();
  document.querySelectorAll('details').forEach((one) => { one.open = true; });
  document.querySelectorAll('[data-state], #state').forEach((one) => one.remove());
}

// What each page says in English, which the other languages are compared with.
const english = new Map();

for (const [i, language] of few(languages, ['en', 'zh']).entries()) {
  test(`every page is translated and fits on every screen in ${language}`, async () => {
    const page = await (await browser.newContext({ reducedMotion: 'reduce', hasTouch: true, storageState: await screens.manager.context().storageState() })).newPage();
    await page.addInitScript(quiet);
    const complaints = [];
    const wanted = [];
    overhear(page, complaints, { wanted });
    const judge = untranslated(language, data);
    await page.context().addCookies([{ name: 'sabot-language', value: language, url: house.url }]);
    const wrong = [];
    // English is what the others are compared with. In make test it has every second page, and the other one every fourth.
    for (const [n, [path]] of pages.entries()) {
      if (!soak && n % (2 * i + 2) !== 0) {
        continue;
      }
      await page.goto(house.at(path), { waitUntil: 'load' });
      await page.waitForFunction(() => document.querySelector('[data-working]') === null, null, { timeout: 240_000 }); // odds that are not worked out yet
      assert.equal((await page.getAttribute('html', 'lang')).slice(0, 2), language, path);
      const said = await page.evaluate(texts);
      if (language === 'en') {
        english.set(path, said);
      } else {
        assert.ok(english.has(path), 'the English page comes first');
        wrong.push(...judge(said, english.get(path)).map((text) => `${path} says “${text}”`));
      }
      await page.evaluate(whole);
      for (const [j, [width, height]] of sizes.entries()) {
        if (!soak && (n + i) % sizes.length !== j) {
          continue;
        }
        // The light moves nothing: each size is dark in one language, and bright in the next.
        const light = (i + j) % 2 === 0 ? 'dark' : 'bright';
        await page.setViewportSize({ width, height });
        await page.evaluate(turn, light);
        await page.evaluate(drawn);
        const got = await page.evaluate(faults, { names, scrolls: lists, slides: ['.scrolls', '.scroll'], key: 44 });
        wrong.push(...got.faults.map((fault) => `${path} ${width}×${height} ${light}: ${fault}`));
        if (process.env.SHOTS && ['de', 'zh'].includes(language)) {
          await page.screenshot({ path: `${process.env.SHOTS}/${path.replaceAll(/\W+/g, '-')}-${language}-${width}-${light}.png`, fullPage: true });
        }
      }
    }
    await page.context().close();
    assert.deepEqual([...new Set(wrong)], []);
    assert.deepEqual(complaints, []);
    assert.deepEqual(wanted.filter((url) => !url.startsWith(house.url)), [], 'requests to other hosts');
  });
}

// In make test axe looks at the sample floor and at the figures.
soakTest('axe finds nothing serious on any page, in the dark and in the bright', async () => {
  const context = await browser.newContext({ viewport: { width: 820, height: 1180 }, bypassCSP: true, storageState: await screens.manager.context().storageState() });
  const page = await context.newPage();
  await page.addInitScript(quiet);
  const wrong = [];
  for (const [path] of [...pages, ['/enter']]) {
    await page.goto(house.at(path), { waitUntil: 'load' });
    await page.addScriptTag({ content: axe });
    for (const light of ['dark', 'bright']) {
      await page.evaluate(turn, light);
      const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
      wrong.push(...violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .map(({ id, nodes }) => `${path} ${light} ${id}: ${nodes.slice(0, 4).map(({ target }) => target.join(' ')).join('; ')}`));
    }
  }
  await context.close();
  assert.deepEqual(wrong, []);
});
