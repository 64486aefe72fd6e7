import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { padLies } from '../../../internal/testkit/pages/pad.mjs';
import { faults } from './faults.mjs';
import { Table, buildServer, few, isFresh, openBrowser, overhear, patience, placeOf, rested, soakTest, until } from './table.mjs';

const screens = [
  { width: 800, height: 480 },
  { width: 1024, height: 600 },
  { width: 1280, height: 800 },
  { width: 600, height: 1024 },
  { width: 800, height: 1280 },
];

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

afterEach(async () => {
  await page?.context().close();
  await table?.end();
});

// Sets a table up and opens its page.
async function open(setup, { screen = screens[1], lines = 'open', options = [] } = {}) {
  table = await Table.live(program, setup, ...options);
  await table.play(lines);
  page = await look(screen);
}

async function look(screen) {
  const context = await browser.newContext({ viewport: screen, hasTouch: true });
  const one = await context.newPage();
  complaints = [];
  overhear(one, complaints, { expected: [/ 409 /] });
  await one.goto(table.url, { waitUntil: 'domcontentloaded' });
  await one.waitForFunction(() => document.getElementById('lost')?.hidden);
  return one;
}

// Waits until a place reads as it should.
async function reads(selector, text, where = page) {
  await where.waitForFunction(
    ([place, want]) => document.querySelector(place)?.innerText.replaceAll(/\s+/g, ' ').includes(want),
    [selector, text],
  );
}

// Touches a key as a finger does, later after the last touch than a bounce.
async function touch(selector, options) {
  await rested(page);
  await page.tap(selector, options);
}

const whole = (box) => `#box-${box} .whole`;
const chip = (value) => `[data-key="chip-${value * 100}"]`;
const key = (box, name) => `#box-${box} [data-key="${name}"]`;
const sum = (box) => `#box-${box} [data-sum]`;
const said = (box) => `#box-${box} [data-said]`;

// What the engine has on a box, according to the view.
async function stakes(box) {
  const view = await (await fetch(new URL('/view.json', table.url))).json();
  const { bettors = [], sides = [] } = view.boxes[box - 1];
  return [...bettors.map((one) => `${one.name} ${one.stake}`), ...sides.map((one) => `${one.bettor} ${one.wager} ${one.stake}`)];
}

// Waits until these stakes lie on a box: the page draws a chip before the table has it.
async function staked(box, want) {
  for (const end = Date.now() + patience; ;) {
    const lie = await stakes(box);
    if (isDeepStrictEqual(lie, want)) return;
    if (Date.now() > end) assert.deepEqual(lie, want);
  }
}

// Plays the open round to its end.
async function finish(cards) {
  await table.play(cards);
  await table.play('paid; open');
  await isFresh(page);
}

test('one touch marks a box, and opens its tray', async () => {
  await open({ house: 'wiesbaden' });
  await touch(whole(3));
  await page.waitForSelector('#box-3 .tray:not([hidden])');
  await reads('#box-3 ul', '3 ●');
  await staked(3, ['3 -1']);
  await reads(sum(3), 'not entered');
  await touch(key(3, 'back'));
  await page.waitForSelector('#box-3.empty');
  await staked(3, []);
  assert.deepEqual(complaints, []);
});

test('ten chips in a second count ten', async () => {
  await open({ house: 'wiesbaden' });
  await touch(whole(3));
  const place = await placeOf(page.locator(chip(5)));
  for (let i = 0; i < 10; i += 1) {
    await page.touchscreen.tap(place.x + place.width / 2, place.y + place.height / 2);
  }
  await reads('#box-3 ul', '50.00');
  await reads(sum(3), '50.00');
  await staked(3, ['3 5000']);
});

soakTest('any chips add up to exactly their sum', async () => {
  await open({ house: 'schaffhausen', box_max: 10_000_000 });
  await touch(whole(4));
  let random = 7;
  const values = [1, 5, 10, 20, 50, 100, 500, 1000];
  for (let round = 0; round < few(6, 2); round += 1) {
    let want = 0;
    for (let i = 0; i < 12; i += 1) {
      random = (random * 48271) % 2147483647;
      const value = values[random % values.length];
      want += value * 100;
      await page.tap(chip(value));
    }
    await until(page, async (amount) => {
      const view = await (await fetch('/view.json')).json();
      return view.boxes[3].bettors?.[0].stake === amount;
    }, want);
    await touch(key(4, 'clear'));
    await reads(sum(4), 'not entered');
  }
});

test('below the minimum an amount is only being entered', async () => {
  await open({ house: 'wiesbaden' });
  await touch(whole(3));
  await reads('#box-3 ul', '●');
  await page.tap(chip(5));
  await reads(said(3), 'Being entered: at least 10.00');
  await staked(3, ['3 -1']);
  await touch('[data-key=close]');
  await reads('#toast', 'Box 3: 5.00 is not in yet');
  await reads('#prompt', 'Place your bets');
  await page.tap(chip(5));
  await reads('#box-3 ul', '10.00');
  await touch('[data-key=close]');
  await reads('#prompt', 'Card to box 3');
});

test('an amount that was being entered when the bets were closed elsewhere is reported', async () => {
  await open({ house: 'wiesbaden' });
  await touch(whole(3));
  await reads('#box-3 ul', '●'); // the mark is at the table before the bets are closed there
  await page.tap(chip(5));
  await reads(said(3), 'Being entered');
  await table.play('close');
  await reads('#toast', 'Box 3: 5.00 was never put in');
});

// grey waits until the chips of these values, and no others, cannot be taken.
const grey = (want) => page.waitForFunction((values) => {
  const all = [...document.querySelectorAll('#bets .chip:disabled')].map((one) => Number(one.dataset.value) / 100);
  return JSON.stringify(all) === JSON.stringify(values);
}, want);

test('a chip that cannot be taken is grey: above what is left on the box', async () => {
  await open({ house: 'wiesbaden' });
  await touch(whole(3));
  await grey([]);
  await page.tap(chip(100));
  await reads('#box-3 ul', '100.00');
  await grey([500]);
  await page.waitForSelector(`${key(3, 'guest/3a')}.joins`);
  await page.tap(key(3, 'guest/3a'));
  for (const value of [100, 100, 100, 50, 20, 20, 5]) {
    await page.tap(chip(value));
  }
  await reads('#box-3 ul', '3a 395.00');
  await grey([10, 20, 50, 100, 500]);
  await page.tap(chip(5));
  await reads('#box-3 ul', '3a 400.00');
  await grey([2, 5, 10, 20, 50, 100, 500]);
  await page.waitForSelector(`${key(3, 'guest/3b')}.joins`);
  await page.tap(key(3, 'guest/3b'));
  await reads(key(3, '3b/main'), 'box is full');
  await staked(3, ['3 10000', '3a 40000']);
  assert.deepEqual(complaints, []);
});

soakTest('a chip that cannot be taken is grey: no multiple of the step', async () => {
  await open({ house: 'wiesbaden' });
  await touch(whole(3));
  await page.tap(chip(20));
  await page.tap(key(3, '3/twins'));
  await grey([2, 5, 500]);
  await page.tap(chip(100));
  await reads('#box-3', 'Twins 100.00');
  await grey([2, 5, 10, 20, 50, 100, 500]);
  await staked(3, ['3 2000', '3 twins 10000']);
});

soakTest('what one person may place once at the whole table is grey on the other boxes', async () => {
  const lines = 'open; stake 2 2 20 player=p7; stake 2 2 10 swiss-casinos-jack; stake 3 3 20 player=p7';
  await open({ house: 'schaffhausen' }, { lines });
  await touch(whole(3));
  await reads(key(3, '3/swiss-casinos-jack'), 'one per bettor');
  assert.ok(await page.isDisabled(key(3, '3/swiss-casinos-jack')));
});

test('an amount in figures replaces what lies there, and stays in figures', async () => {
  await open({ house: 'wiesbaden' }, { lines: 'open; stake 3 3 50' });
  await touch(whole(3));
  await page.tap(key(3, 'pad'));
  assert.ok(await page.isDisabled('[data-key=amount-0]'), 'no amount begins with 0');
  await page.tap('[data-key=amount-3]');
  await reads(said(3), 'Being entered: at least 10.00');
  await staked(3, ['3 5000']);
  await page.tap('[data-key=amount-5]');
  await reads('#box-3 ul', '35.00');
  await page.tap('[data-key=amount-0]');
  await reads('#box-3 ul', '350.00');
  assert.ok(await page.isDisabled('[data-key=amount-1]'), 'it would be above the maximum');
  await page.tap(key(3, 'guest/3a'));
  await page.tap('[data-key=amount-2]');
  await page.tap('[data-key=amount-0]');
  await reads('#box-3 ul', '3a 20.00');
  await page.reload();
  await touch(whole(3));
  await page.tap('[data-key=amount-8]');
  await page.tap('[data-key=amount-0]');
  await reads('#box-3 ul', '3 80.00');
  await page.tap(key(3, 'pad'));
  await page.tap(chip(5));
  await reads('#box-3 ul', '3 85.00');
  await staked(3, ['3 8500', '3a 2000']);
  assert.deepEqual(complaints, []);
});

// held keeps back what is put in, one after the other, until let go, which says what becomes of each: '' to be taken.
async function held() {
  const kept = [];
  const turns = [];
  await page.route('**/touch', (route) => {
    kept.push(route);
    turns.shift()?.();
  });
  const next = async () => {
    if (kept.length === 0) await new Promise((come) => { turns.push(come); });
    return kept.shift();
  };
  return {
    /** Lets the next one reach the table, or refuses it, and returns its amount. */
    async let(refuse = '') {
      const route = await next();
      const [{ amount }] = route.request().postDataJSON().put;
      await (refuse ? route.fulfill({ json: { rejected: refuse } }) : route.continue());
      return amount;
    },
  };
}

// onTheirWay puts chips on box 3 of which none has been taken yet.
async function onTheirWay(...chips) {
  await open({ house: 'wiesbaden' });
  await touch(whole(3));
  await reads('#box-3 ul', '3 ●');
  const answers = await held();
  for (const value of chips) await page.tap(chip(value));
  return answers;
}

test('figures typed while chips are on their way are the amount, and no chip adds to it', async () => {
  const answers = await onTheirWay(20, 50);
  await reads(sum(3), '70.00');
  await page.tap(key(3, 'pad'));
  for (const figure of [3, 5]) await page.tap(`[data-key=amount-${figure}]`);
  await reads(sum(3), '35.00');
  assert.deepEqual([await answers.let(), await answers.let(), await answers.let()], [2000, 7000, 3500]);
  await staked(3, ['3 3500']);
  await reads('#box-3 ul', '3 35.00');
  assert.deepEqual(complaints, []);
});

for (const refused of ['', 'above-maximum']) {
  test(`figures are the amount although one before was ${refused ? 'refused' : 'on its way'}`, async () => {
    await open({ house: 'wiesbaden' }, { lines: 'open; stake 3 3 50' });
    await touch(whole(3));
    await page.tap(key(3, 'pad'));
    const answers = await held();
    for (const figure of [3, 5, 0]) await page.tap(`[data-key=amount-${figure}]`);
    await reads(sum(3), '350.00');
    assert.deepEqual([await answers.let(refused), await answers.let()], [3500, 35000]);
    await staked(3, ['3 35000']);
    await reads(sum(3), '350.00');
    assert.deepEqual(complaints, []);
  });
}

test('bets are not closed when a chip on its way is refused, and the screen says why', async () => {
  const answers = await onTheirWay(20, 50);
  await touch('[data-key=close]');
  assert.deepEqual([await answers.let(), await answers.let('above-maximum')], [2000, 7000]);
  await reads('#toast', 'maximum');
  await reads(sum(3), '20.00');
  await reads('#prompt', 'Place your bets');
  await staked(3, ['3 2000']);
  await page.unroute('**/touch');
  await touch('[data-key=close]');
  await reads('#prompt', 'Card to box 3');
  assert.deepEqual(complaints, []);
});

test('a box that is touched while chips are on their way, and is refused, is spoken of', async () => {
  const answers = await onTheirWay(20);
  await touch(whole(5));
  assert.equal(await answers.let(), 2000);
  await answers.let('moved-on');
  await reads('#toast', 'had moved on');
  await staked(5, []);
  assert.deepEqual(complaints, []);
});

test('a chip that waits for another is not put in once the bets are closed, and the screen says so', async () => {
  const answers = await onTheirWay(20, 50);
  await table.play('close; TH 9S 5D; rest; TC; paid; open; stake 3 3 10');
  await reads('#toast', 'Box 3: 70.00 was never put in');
  await reads('#box-3 ul', '3 10.00');
  assert.equal(await answers.let('moved-on'), 2000);
  await touch(whole(3));
  await page.tap(chip(5)); // comes after what has waited
  assert.equal(await answers.let(), 1500);
  await staked(3, ['3 1500']);
  assert.deepEqual(complaints, []);
});

test('Schaffhausen: the next guest of a box with four can be touched', async () => {
  await open({ house: 'schaffhausen' }, { lines: 'open; stake 2 2 20; stake 2 2a 20; stake 2 2b 20; stake 2 2c 20' });
  await touch(whole(2));
  for (const [width, height] of [[800, 480], [1024, 600], [1280, 800], [600, 1024], [390, 844]]) {
    await page.setViewportSize({ width, height });
    await rested(page);
    const covered = await page.evaluate(() => [...document.querySelectorAll('[data-tray="2"] .who .key')].filter((one) => {
      const at = one.getBoundingClientRect();
      return at.width < 44 || [at.left + 3, at.right - 3].some((x) => !one.contains(document.elementFromPoint(x, at.top + at.height / 2)));
    }).map((one) => one.dataset.guest));
    assert.deepEqual(covered, [], `${width} by ${height}`);
  }
});

test('figures with decimals are typed where stakes have them, and the last one is taken back', async () => {
  await open({ house: 'wiesbaden', min: 250, unit: 50 }, { lines: 'open; stake 3 3 50' });
  await touch(whole(3));
  await page.tap(key(3, 'pad'));
  const type = async (signs) => { for (const sign of signs) await page.tap(`[data-key="amount-${sign}"]`); };
  await type(['7', 'point', '5']);
  await reads('#box-3 ul', '7.50');
  await type(['back', 'back', '5']);
  await reads('#box-3 ul', '75.00');
  await type(['back', 'back']);
  await page.waitForFunction(() => document.querySelector('[data-key="amount-back"]').disabled);
  assert.deepEqual(complaints, []);
  for (const [width, height] of [[800, 480], [1024, 600], [600, 1024], [390, 844]]) {
    await page.setViewportSize({ width, height });
    await padLies(page, '#bets');
    const small = await page.evaluate(() => [...document.querySelectorAll('#bets .digit')].map((one) => {
      const at = one.getBoundingClientRect();
      const over = document.elementFromPoint(at.left + at.width / 2, at.top + at.height / 2);
      return Math.min(at.width, at.height) < 43.9 || !one.contains(over) ? `${one.dataset.digit} ${at.width} ${at.height} ${over?.outerHTML.slice(0, 60)}` : '';
    }).filter(Boolean));
    assert.deepEqual(small, [], `${width} by ${height}`);
  }
});

test('co-players join with a letter, and leave one by one', async () => {
  await open({ house: 'schaffhausen' });
  await touch(whole(2));
  await page.tap(chip(20));
  for (const name of ['2a', '2b']) {
    await page.waitForSelector(`${key(2, `guest/${name}`)}.joins`);
    await page.tap(key(2, `guest/${name}`));
    await page.tap(chip(10));
    await reads('#box-2 ul', `${name} 10.00`);
  }
  await touch(key(2, '2b/perfect-pairs'));
  await page.tap(chip(5));
  await reads(sum(2), '5.00');
  assert.ok(await page.isDisabled(key(2, '2b/bust')), 'a guest who stands may not bet on Bust');
  await touch(`${key(2, 'seat')}:visible`);
  await page.waitForFunction(() => !document.querySelector('#box-2 [data-key="2b/bust"]').disabled);
  await touch(key(2, '2b/swiss-casinos-jack'));
  await page.waitForFunction(() => document.querySelector('#box-2 [data-key="2b/swiss-casinos-jack"]')?.ariaPressed === 'true');
  await staked(2, ['2 2000', '2a 1000', '2b 1000', '2b perfect-pairs 500', '2b swiss-casinos-jack 1000']);
  await touch(`${key(2, 'leave')}:visible`);
  await page.waitForSelector(`${key(2, 'guest/2b')}.joins`);
  await staked(2, ['2 2000', '2a 1000']);
});

test('a box is played as in its last round, and all of them by one key, without side bets', async () => {
  await open({ house: 'wiesbaden' }, { lines: 'open; stake 3 3 20; stake 3 3a 30; stake 3 3a 10 twins; stake 5 5 -; close' });
  await finish('TH 9S 5D 7D 8S; rest; rest; TC 6D');
  await page.waitForSelector('#box-3 .whole[data-next="↺ 50.00"]');
  await touch(whole(3));
  await reads('#box-3 ul', '3a 30.00');
  await staked(3, ['3 2000', '3a 3000']);
  await touch(key(3, 'shut'));
  await touch('[data-key=same]');
  await reads('#box-5 ul', '5 ●');
  await staked(5, ['5 -1']);
  assert.equal(await page.locator('[data-key=same]').count(), 0, 'nothing is left to repeat');
});

test('the first chip replaces a stake of the last round, and the next ones add to it', async () => {
  await open({ house: 'wiesbaden' }, { lines: 'open; stake 3 3 20; stake 3 3a 30; close' });
  await finish('TH 5D 9S; rest; TC 6D');
  await touch(whole(3));
  await reads(said(3), 'As last round: the first chip replaces it');
  await page.waitForFunction(() => document.querySelectorAll('#box-3 li.carried').length === 2);
  for (const value of [100, 50, 20, 5]) {
    await page.tap(chip(value));
  }
  await reads('#box-3 ul', '3 175.00');
  await staked(3, ['3 17500', '3a 3000']);
  assert.equal(await page.locator('#box-3 li.carried').count(), 1, 'the other guest is as in the last round');
  assert.equal(await page.locator(said(3)).innerText(), '');
  await page.tap(key(3, 'guest/3a'));
  await reads(said(3), 'As last round');
  await page.tap(key(3, '3a/main')); // as it is, and more
  await page.waitForSelector('#box-3 li.carried', { state: 'detached' });
  await page.tap(chip(5));
  await reads('#box-3 ul', '3a 35.00');
  await staked(3, ['3 17500', '3a 3500']);
  assert.deepEqual(complaints, []);
});

soakTest('the first chip below the minimum keeps the stake of the last round until it is replaced', async () => {
  await open({ house: 'wiesbaden' }, { lines: 'open; stake 3 3 20; close' });
  await finish('TH 5D 9S; rest; TC 6D');
  await touch(whole(3));
  await page.waitForSelector('#box-3 li.carried');
  await page.tap(chip(5));
  await reads(said(3), 'Being entered: at least 10.00');
  await staked(3, ['3 2000']);
  await touch('[data-key=close]');
  await reads('#toast', 'Box 3: 5.00 is not in yet');
  await page.tap(chip(5));
  await reads('#box-3 ul', '10.00');
  await page.waitForFunction(() => !document.querySelector('#box-3.entering'));
  await staked(3, ['3 1000']);
});

test('the next box gets the same stake, until chips replace it', async () => {
  await open({ house: 'schaffhausen' });
  await touch(whole(1));
  await page.tap(chip(20));
  await page.tap(chip(5));
  await page.waitForSelector('#box-4 .whole[data-next="+ 25.00"]');
  await touch(whole(2));
  await reads('#box-2 ul', '25.00');
  await reads(said(2), 'As on box 1: the first chip replaces it');
  await page.tap(chip(10));
  await reads('#box-2 ul', '10.00');
  await page.tap(chip(5));
  await reads('#box-2 ul', '15.00');
  await touch(whole(3));
  await reads('#box-3 ul', '15.00');
  await touch(key(3, 'back'));
  await page.waitForSelector('#box-3.empty');
  await staked(1, ['1 2500']);
  await staked(2, ['2 1500']);
  await staked(3, []);
  await touch(whole(2));
  await page.tap(key(2, 'clear'));
  await page.waitForSelector('#box-4 .whole:not([data-next])');
  await touch(whole(4));
  await reads('#box-4 ul', '●');
  await staked(4, ['4 -1']);
  assert.deepEqual(complaints, []);
});

soakTest('a reload and a second screen show the same, and stakes of both count', async () => {
  await open({ house: 'wiesbaden' });
  await touch(whole(3));
  await page.tap(chip(20));
  await reads('#box-3 ul', '20.00');
  const other = await look(screens[2]);
  await other.tap(whole(3));
  await other.tap(chip(50));
  await reads('#box-3 ul', '70.00');
  await reads(sum(3), '70.00');
  await page.tap(chip(5));
  await reads('#box-3 ul', '75.00', other);
  await reads(sum(3), '75.00', other);
  await page.reload();
  await reads('#box-3 ul', '75.00');
  await other.context().close();
});

test('a table without amounts is played with marks', async () => {
  await open({ house: 'schaffhausen' }, { options: ['-amounts=false'] });
  await touch(whole(3));
  await reads('#box-3 ul', '3 ●');
  assert.equal(await page.locator('.tray').count(), 0);
  await touch(key(3, '3/perfect-pairs'));
  await page.waitForSelector('#box-3 .wager.taken');
  await staked(3, ['3 -1', '3 perfect-pairs -1']);
  await touch(whole(3), { position: { x: 60, y: 20 } });
  await page.waitForSelector('#box-3.empty');
});

test('insurance: half by a touch, less by chips, and back', async () => {
  await open({ house: 'wiesbaden' }, { lines: 'open; stake 1 1 20; stake 3 3 40; close' });
  await table.play('9S AH AD 7H KS');
  await reads('#prompt', 'Insurance or Even money? Touch the box that insures');
  await reads('#box-1 .does', 'Insurance + 10.00');
  await reads('#box-3 .does', 'Insurance or Even money'); // it has a choice, and opens its tray
  await touch(whole(1));
  await reads('#box-1', 'Insurance 10.00');
  await page.tap(key(1, 'clear'));
  await page.waitForFunction(() => document.querySelector('#box-1 .wager')?.dataset.amount === '0');
  await page.tap(chip(5));
  await reads('#box-1', 'Insurance 5.00');
  await touch(whole(3));
  await touch(key(3, '3/even-money'));
  await page.waitForSelector(`${key(3, '3/insurance')}:disabled`); // the two exclude each other
  await touch(key(3, 'undo'));
  await page.waitForFunction(() => !document.querySelector('#box-3 [data-key="3/insurance"]').disabled);
  await touch('[data-key=insurance-closed]');
  await reads('#prompt', 'Box 1:');
});

test('insurance of exactly half is taken and given back by touching the box', async () => {
  await open({ house: 'schaffhausen' }, { lines: 'open; stake 1 1 20; close' });
  await table.play('9S AD 7H');
  await touch(whole(1));
  await reads('#box-1', 'Insurance 10.00');
  assert.equal(await page.locator('.tray:not([hidden])').count(), 0);
  await touch(whole(1));
  await page.waitForFunction(() => !document.querySelector('#box-1 .other'));
});

test('a surrender before the dealer looks: of each bettor alone, given back at once, and taken back', async () => {
  await open({ house: 'early' }, { screen: screens[0], lines: 'open; stake 3 3 20; stake 5 5 20; stake 5 5a 50; close' });
  const fits = async () => assert.deepEqual((await page.evaluate(faults)).faults, []);
  await table.play('5S 8D TD 9H 8C XX');
  await reads('#prompt', 'Surrender? Each bettor alone');
  await fits();
  await touch(whole(3)); // its one bettor has one choice
  await reads('#prompt', 'Give back on box 3: 10.00');
  await touch('#keys [data-key=undo]');
  await reads('#prompt', 'Surrender? Each bettor alone');
  await touch(whole(5));
  await touch(key(5, '5a/surrender'));
  await reads('#prompt', 'Give back on box 5: 25.00');
  await fits();
  await touch(key(5, 'shut'));
  await touch(whole(5)); // what is given back is confirmed by a touch of the box
  await reads('#prompt', 'Surrender? Each bettor alone');
  await fits();
  await touch('[data-key=insurance-closed]');
  await reads('#prompt', 'Look at the hole card');
  const { boxes } = await (await fetch(new URL('/view.json', table.url))).json();
  const left = boxes.flatMap(({ payouts = [] }) => payouts.map((one) => `${one.bettor} ${one.outcome} ${one.returned}`));
  assert.deepEqual(left, ['5a surrender 2500']);
  assert.deepEqual(complaints, []);
});

soakTest('three bettors: each may join', async () => {
  await open({ house: 'schaffhausen' }, { lines: 'open; stake 3 3 50; stake 3 3a 20; stake 3 3b 100; close' });
  await table.play('8S 9D 8H');
  await touch('#keys [data-key=split]');
  await touch('[data-sheet="who-split"] [data-key="3+3b"]');
  await reads('#prompt', 'Card to box 3, hand 1');
});

soakTest('stakes with only the keyboard', async () => {
  await open({ house: 'wiesbaden' });
  await page.keyboard.press('3');
  await page.waitForSelector('#box-3 .tray:not([hidden])');
  await page.keyboard.press('f');
  await reads('#box-3 ul', '20.00');
  await page.keyboard.press('w');
  await page.keyboard.press('d');
  await reads('#box-3', 'Twins 10.00');
  await page.keyboard.press('+');
  await page.keyboard.press('f');
  await reads('#box-3 ul', '3a 20.00');
  await page.keyboard.press('ArrowLeft');
  await reads('#box-3 [data-whose]', '★3');
  await rested(page);
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => !document.querySelector('.tray:not([hidden])'));
  await rested(page);
  await page.keyboard.press('Enter');
  await reads('#prompt', 'Card to box 3');
});

// Currencies whose smallest coin is not a hundredth, with amounts of seven figures: typed, staked, and paid otherwise.
const currencies = [
  {
    house: 'yen', box_max: 5_000_000, chips: ['1000', '500'], laid: '1,500', typed: '1234567', staked: '1,234,567',
    minor: 1_234_567, priced: '1,234,567 JPY', other: '123456789', paid: '123,456,789', point: false, others: [50000, 5000],
  },
  {
    house: 'dinar', box_max: 50_000_000, chips: ['1000', '5000'], laid: '6.000', typed: '12345.675', staked: '12,345.675',
    minor: 12_345_675, priced: '12,345.675 KWD', other: '123456.789', paid: '123,456.789', point: true, others: [50, 5],
  },
];

for (const { house, box_max, chips, laid, typed, staked: text, minor, priced, other, paid, point, others } of currencies) {
  test(`${house}: amounts have the decimals of the currency, and the longest fit`, async () => {
    await open({ house, box_max, keys_apart: -1 }, { screen: screens[0] });
    const fits = async () => assert.deepEqual((await page.evaluate(faults)).faults, []);
    const type = async (pad, signs) => {
      for (const sign of signs) await touch(`[data-key="${pad}-${sign === '.' ? 'point' : sign}"]:visible`);
    };
    await touch(whole(3));
    for (const value of chips) await page.tap(`[data-key="chip-${value}"]`);
    await reads('#box-3 ul', laid);
    await staked(3, [`3 ${chips.reduce((sum, value) => sum + Number(value), 0)}`]);
    await page.tap(key(3, 'pad'));
    assert.equal(await page.locator('[data-key="amount-point"]:visible:enabled').count(), 0, 'a point begins no amount');
    await type('amount', typed.slice(0, 1));
    assert.equal(await page.locator('[data-key="amount-point"]:visible:enabled').count() > 0, point);
    await type('amount', typed.slice(1));
    await reads('#box-3 ul', text);
    await staked(3, [`3 ${minor}`]);
    await fits();
    await table.play(`stake 5 5 ${others[0]}; stake 5 5a ${others[1]}`);
    await table.play('close; TS 9S 7D 9H 8D; rest; rest; TC');
    await reads('#box-3', text);
    await isFresh(page);
    await fits();
    if (house === 'yen') await table.play('resolve accept by=s1'); // a big win
    await reads('#prompt', priced);
    await fits();
    await touch('#keys [data-key=each]');
    await touch('#sheet-each [data-key="other-paid-3-3"]');
    await type('pays', other);
    await reads('#sheet-each .entry b', paid);
    await fits();
    await touch('#sheet-each [data-key=pays-enter]');
    await page.waitForSelector('#held.on');
    await fits();
    assert.deepEqual(complaints, []);
  });
}

// The longest names and amounts, on all boxes.
const crowded = 'open; stake 1 Maximiliane-von-Hohenberg 12345.50; stake 1 1a 20; stake 5 5 12345.50; stake 5 5a 50; '
  + 'stake 5 5b 100 seated; stake 5 5b 10 queens-trio; stake 5 5a 45 3-card-wins; stake 9 9 -';

for (const screen of few(screens, screens.filter(({ width, height }) => width === 800 && height === 480))) {
  test(`all keys can be touched on ${screen.width}×${screen.height}`, async () => {
    await open({ house: 'st-moritz', boxes: 9, box_max: 5_000_000 }, { screen, lines: crowded });
    await touch(whole(5));
    await page.tap(key(5, 'guest/5b'));
    const wrong = await page.evaluate(() => {
      const seen = [...document.querySelectorAll('.tray button, #bets button, #keys button')].filter((one) => one.checkVisibility());
      const places = seen.map((one) => ({ name: one.dataset.key, at: one.getBoundingClientRect() }));
      const least = 5.86 * Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
      const faults = places.filter(({ at }) => at.width < least || at.height < least).map(({ name, at }) => `${name} is ${at.width}×${at.height}`);
      for (const { name, at } of places) {
        const there = document.elementFromPoint(at.x + at.width / 2, at.y + at.height / 2)?.closest('button')?.dataset.key;
        if (there !== name) {
          faults.push(`${name} lies under ${there}`);
        }
        if (at.x < 0 || at.y < 0 || at.right > innerWidth || at.bottom > innerHeight) {
          faults.push(`${name} is not on the screen`);
        }
      }
      for (const one of seen.filter((key) => key.scrollWidth > key.clientWidth + 1 || key.scrollHeight > key.clientHeight + 1)) {
        faults.push(`${one.dataset.key} is too small for what it says`);
      }
      return faults;
    });
    assert.deepEqual(wrong, []);
    assert.ok(await page.locator('#box-5 > h2').isVisible(), 'the box is not visible');
    assert.deepEqual(complaints, []);
  });
}
