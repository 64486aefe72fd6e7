import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { Table, buildServer, few, openBrowser, overhear, soak, soakTest, watchful } from './table.mjs';

const sizes = [[1920, 1080], [1280, 800], [1024, 600], [1080, 1920]].map(([width, height]) => ({ width, height }));
const languages = ['de', 'it', 'fr', 'en', 'zh'];
const rounds = {
  wiesbaden: 'open; stake 1 maximiliane 20; stake 4 ben 50; close; TS 9D 9H 8C 7C',
  schaffhausen: 'open; stake 1 maximiliane 20; stake 4 ben 50; close; TS 9D 9H 8C 7C',
  'st-moritz': 'open; stake 1 maximiliane 20; stake 4 ben 50; close; TS 9D 9H 8C 7C',
  mendrisio: 'open; stake 1 maximiliane 20; stake 4 ben 50; close; TS 9D 9H 8C 7C',
  baden: 'open; stake 1 maximiliane 20; stake 4 ben 50; close; TS 9D 9H',
};

let program;
let browser;
let table;
let page;
let complaints;

before(async () => {
  program = buildServer();
  browser = await openBrowser();
});

after(() => browser?.close());

beforeEach(async () => {
  complaints = [];
  page = await browser.newPage({ viewport: sizes[0] });
});

afterEach(async () => {
  await page?.close();
  await table?.end();
  table = undefined;
});

async function live(house, ...options) {
  table = await Table.live(program, { house }, ...options);
}

// It hears of the table, and what is told is that an attempt fails, when the table is away.
const expected = [/ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_CONNECTION_RESET/];
async function open(query = 'lang=en') {
  overhear(page, complaints, { expected });
  await page.goto(`${table.url}guest?${query}`, { waitUntil: 'load' });
}

const says = (text) => page.waitForFunction((want) => document.querySelector('.now h2')?.textContent === want, text);

const houses = Object.entries(rounds);

test('guests see what the jackpot of several tables had when it was committed last, and that a win is being looked at', async () => {
  await live('linked');
  await table.play('meter 20001 entry=17');
  await open();
  const meter = (text) => page.waitForFunction((want) => document.querySelector('.jackpot')?.textContent.includes(want), text);
  await meter('20,001.00');
  await table.play('open; stake 1 anna 20; stake 1 anna 5 progressive; stake 2 ben 20; close; AS TC KC KS 9D; rest; AD');
  await says('One moment, please');
  await meter('20,001.00');
  await table.play('jackpot 20001 entry=18; paid; meter 10003.50 entry=21');
  await meter('10,003.50');
});

for (const [nth, [house, dealt]] of few(houses, houses.slice(0, 1)).entries()) {
  test(`in ${house} all of it fits, in every language and size, and nothing is secret`, async () => {
    await live(house);
    await table.play(dealt);
    for (const language of soak ? languages : [languages[nth]]) {
      await open(`lang=${language}`);
      for (const size of sizes) {
        await page.setViewportSize(size);
        const wrong = await page.evaluate(async () => {
          await new Promise(requestAnimationFrame);
          await new Promise(requestAnimationFrame);
          const cut = (one) => one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 2;
          const outside = (one) => {
            const { right, bottom, left, top } = one.getBoundingClientRect();
            return right > innerWidth + 1 || bottom > innerHeight + 1 || left < -1 || top < -1;
          };
          const told = (one) => `${one.tagName} ${one.textContent.slice(0, 30)}`;
          return [
            ...[...document.querySelectorAll('.pays, .pays dt, header, .limits, .now, .jackpot')].filter(cut).map(told),
            ...[...document.querySelectorAll('#guest > *, .pays dt, .pays dd, .now *, .limits dd, .jackpot b')].filter((one) => one.checkVisibility() && outside(one)).map(told),
          ];
        });
        assert.deepEqual(wrong, [], `${size.width}×${size.height} in ${language}`);
      }
    }
    const text = await page.evaluate(() => document.body.textContent);
    assert.doesNotMatch(text, /maximiliane|ben/);
    assert.equal(await page.locator('button, a, input').count(), 0);
    assert.deepEqual(complaints, []);
  });
}

test('it follows the round, without a touch, and counts it once it is decided', async () => {
  await live('wiesbaden');
  await open();
  await says('Next round soon');
  const before = await page.locator('.last li').count();
  assert.ok(before >= 10, `${before} rounds from the record`);
  await table.play('open');
  await says('Place your bets');
  await table.play('stake 1 anna 20; stake 4 ben 50; close; TS 9D');
  await says('No more bets');
  await table.play('9H 8C 7C; rest; rest');
  await page.waitForFunction(() => document.querySelector('.bank b')?.textContent === '9');
  await table.play('??');
  await says('One moment, please');
  assert.doesNotMatch(await page.textContent('body'), /STOP|unread/);
  await table.play('resolve identify 9D');
  await says('Payouts');
  assert.equal(await page.textContent('.bank b'), '18');
  assert.deepEqual(complaints, []);
});

soakTest('it says when it is out of date, and comes back by itself', async () => {
  await watchful(page);
  await live('schaffhausen');
  await open();
  await says('Next round soon');
  table.signal('SIGSTOP');
  await page.locator('.stale').waitFor({ state: 'visible' });
  table.signal('SIGCONT');
  await page.locator('.stale').waitFor({ state: 'hidden' });
  await table.play('open');
  await says('Place your bets');
});

soakTest('it speaks several languages in turn', async () => {
  await live('mendrisio');
  await open('lang=de,fr&every=5');
  const first = await page.textContent('.now h2');
  await page.waitForFunction((was) => (document.querySelector('.now h2')?.textContent ?? was) !== was, first);
  const both = [first, await page.textContent('.now h2')].sort();
  assert.deepEqual(both, ['Gleich geht es weiter', 'Le jeu reprend bientôt']);
  assert.deepEqual(complaints, []);
});
