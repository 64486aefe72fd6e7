import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { Table, buildServer, few, openBrowser, soakTest, watchful } from './table.mjs';

// What each language says in the samples "bets" and "payment".
const said = {
  de: { tag: 'de', name: 'Deutsch', bets: 'Bitte das Spiel zu machen', sum: 'Insgesamt 375,00 EUR' },
  it: { tag: 'it', name: 'Italiano', bets: 'Accettare le puntate', sum: 'In tutto 375,00 EUR' },
  fr: { tag: 'fr', name: 'Français', bets: 'Faites vos jeux', sum: 'En tout 375,00 EUR' },
  en: { tag: 'en', name: 'English', bets: 'Place your bets', sum: 'In all 375.00 EUR' },
  zh: { tag: 'zh-Hans', name: '中文', bets: '请下注', sum: '总计375.00欧元' },
};
const size = { width: 1024, height: 600 };

let program;
let browser;
let table;
let screen;
let page;

before(async () => {
  program = buildServer();
  browser = await openBrowser();
});

after(() => browser?.close());

beforeEach(async () => {
  table = await Table.start(program);
  screen = await browser.newContext({ viewport: size });
  page = await screen.newPage();
});

afterEach(async () => {
  await screen?.close();
  await table?.end();
});

async function reads(page, selector, text) {
  await page.waitForFunction(([where, want]) => document.querySelector(where)?.textContent === want, [selector, text]);
}

async function speaks(page, { tag, bets }) {
  await reads(page, '#prompt h1', bets);
  assert.equal(await page.locator('html').getAttribute('lang'), tag);
}

const spoken = Object.entries(said);

for (const [code, words] of few(spoken, spoken.filter(([code]) => code === 'zh'))) {
  test(`a kiosk's address chooses ${words.name}, and the page continues in it`, async () => {
    await table.show('bets');
    await page.goto(`${table.url}?lang=${code}`, { waitUntil: 'domcontentloaded' });
    assert.equal(page.url(), table.url, 'the choice stays in the address');
    await speaks(page, words);
    await table.show('payment');
    await reads(page, '#prompt p', words.sum);
    await page.goto(`${table.url}recall`, { waitUntil: 'domcontentloaded' });
    assert.equal(await page.locator('html').getAttribute('lang'), words.tag);
  });
}

soakTest('each screen keeps its own language', async () => {
  await table.show('bets');
  await page.goto(`${table.url}?lang=zh`, { waitUntil: 'domcontentloaded' });
  const beside = await browser.newContext({ viewport: size });
  const other = await beside.newPage();
  await other.goto(table.url, { waitUntil: 'domcontentloaded' });
  await speaks(page, said.zh);
  await speaks(other, said.en);
  await page.reload({ waitUntil: 'domcontentloaded' });
  await speaks(page, said.zh);
  await beside.close();
});

test('a page whose screen has chosen another language meanwhile reloads', async () => {
  await watchful(page);
  await table.show('bets');
  await page.goto(`${table.url}?lang=de`, { waitUntil: 'domcontentloaded' });
  await speaks(page, said.de);
  const second = await screen.newPage();
  await second.goto(`${table.url}?lang=fr`, { waitUntil: 'domcontentloaded' });
  await speaks(second, said.fr);
  table.signal('SIGSTOP'); // the first page loses its stream, and asks for another
  await page.locator('#lost').waitFor({ state: 'visible' });
  table.signal('SIGCONT');
  await speaks(page, said.fr);
});

test('Chinese is drawn with a font that supports it', async () => {
  await table.show('bets');
  await page.goto(`${table.url}?lang=zh`, { waitUntil: 'domcontentloaded' });
  const same = await page.evaluate(() => {
    const draw = (text) => {
      const paper = new OffscreenCanvas(120, 60).getContext('2d');
      paper.font = '40px "Liberation Sans", sans-serif';
      paper.fillText(text, 10, 45);
      return paper.getImageData(0, 0, 120, 60).data.join();
    };
    return draw('庄') === draw('牌'); // two empty boxes
  });
  assert.ok(!same, 'install fonts-wqy-microhei or fonts-noto-cjk: characters are drawn as empty boxes');
});
