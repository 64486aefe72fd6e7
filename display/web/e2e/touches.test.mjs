// How many touches a round takes, counted by playing it. Every touch of the screen counts, a
// chip as well as a key. Bets are counted from Open to No more bets, both included; a round
// from Open to Paid. Box by box is how stakes can be entered without what saves touches: each
// box is touched, then its chips.

import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { Table, buildServer, openBrowser, overhear, rested, few, soakTest, until } from './table.mjs';

let program;
let browser;
let table;
let page;
let complaints;
let touches;
const counted = [];

before(async () => {
  program = buildServer();
  browser = await openBrowser();
});

after(async () => {
  await browser?.close();
  console.table(counted);
});

afterEach(async () => {
  await page?.context().close();
  await table?.end();
});

async function open(house, lines = [], proof = 'none') {
  table = await Table.live(program, { house, keys_apart: -1 }, '-proof', proof);
  for (const line of lines) {
    await table.play(line);
  }
  const context = await browser.newContext({ viewport: { width: 1024, height: 600 }, hasTouch: true });
  page = await context.newPage();
  complaints = [];
  overhear(page, complaints);
  await page.goto(table.url, { waitUntil: 'domcontentloaded' });
  await page.waitForFunction(() => document.getElementById('lost')?.hidden);
  touches = 0;
}

// touch is one touch, later after the last than a bounce.
async function touch(selector) {
  await rested(page);
  await quick(selector);
}

// quick is a touch of a key that may be touched as fast as a finger can.
async function quick(selector) {
  await page.tap(selector);
  touches += 1;
}

const seven = [1, 2, 3, 4, 5, 6, 7];
const whole = (box) => `#box-${box} .whole`;
const key = (name) => `#keys [data-key="${name}"]`;

async function chips(values) {
  for (const value of values) {
    await quick(`[data-key="chip-${value * 100}"]:enabled`);
  }
}

async function box(number, values = []) {
  await touch(whole(number));
  await page.waitForSelector(`#box-${number} .tray:not([hidden])`);
  await chips(values);
  await page.waitForSelector(`#box-${number}:not(.empty)`);
}

// join adds a co-player to the box whose tray is open.
async function join(name, values) {
  await quick(`.tray:not([hidden]) .joins[data-guest="${name}"]`);
  await chips(values);
  await page.waitForSelector(`li[data-stake="${name}/main"]`);
}

// lie waits until a stake lies as it was meant.
async function lie(number, bettor, amount) {
  await until(page, async ([on, who, want]) => {
    const view = await (await fetch('/view.json')).json();
    return view.boxes[on - 1].bettors?.find((one) => one.name === who)?.stake === want;
  }, [number, bettor, amount * 100]);
}

async function close() {
  await touch(key('close'));
  await page.waitForSelector('#keys[data-phase="deal"]');
}

// playOut deals every box 18 and the bank 17: seven calls, and the payment at once.
async function playOut() {
  await table.card('9S 9H 9D 9C 8S 8H 8D TS 9S 9H 9D 9C TS TH TD');
  for (const number of seven) {
    await page.waitForSelector(`#box-${number}.active`);
    await touch(key('rest'));
  }
  await page.waitForSelector('#keys[data-phase="bank"]');
  await table.card('7C');
  await page.waitForSelector('#keys[data-phase="payment"]');
  await touch(key('paid'));
}

function count(what, most) {
  const [bets, round] = [betsTook, touches];
  counted.push({ what, bets, round: round > bets ? round : '–', most });
  assert.ok(bets <= most, `${what}: bets take ${bets} touches, and may take ${most}`);
  assert.deepEqual(complaints, []);
}

let betsTook = 0;

async function betsOf(stakes) {
  await touch(key('open'));
  await stakes();
  await close();
  betsTook = touches;
}

async function roundOf(stakes) {
  await betsOf(stakes);
  await playOut();
}

// alike plays all boxes with the same chips: the first box takes them, and each other box the
// same by being touched.
async function alike(values) {
  await box(1, values);
  const sum = values.reduce((all, one) => all + one);
  await lie(1, '1', sum);
  await page.waitForSelector(`#box-2 .whole[data-next$=" ${sum.toFixed(2)}"]`); // the page has it in the hand, too
  for (const number of seven.slice(1)) {
    await box(number);
  }
}

async function eachWith(values) {
  for (const number of seven) {
    await box(number, values);
  }
}

async function figures(amount) {
  for (const digit of String(amount)) {
    await quick(`[data-key="amount-${digit}"]:enabled`);
  }
}

async function twoCoPlayers(values = [10]) {
  await box(3);
  await join('3a', values);
  await join('3b', values);
}

async function allLie(amount) {
  for (const number of seven) {
    await lie(number, String(number), amount);
  }
}

const four = [20, 10, 5, 5];

soakTest('seven boxes, one chip each', async () => {
  await open('schaffhausen');
  await roundOf(async () => {
    await alike([10]);
    await allLie(10);
  });
  count('one chip each', 11);
});

for (const [house, play] of few([['schaffhausen', roundOf], ['wiesbaden', betsOf]], [['wiesbaden', betsOf]])) {
  test(`seven boxes, four chips each, and two co-players, in ${house}`, async () => {
    await open(house);
    await play(async () => {
      await alike(four);
      await twoCoPlayers();
      await allLie(40);
      await lie(3, '3b', 10);
    });
    count(`four chips each, two co-players, ${house}`, 30);
  });
}

soakTest('seven boxes, each with four chips of its own, and two co-players', async () => {
  await open('schaffhausen');
  await page.evaluate(() => localStorage.setItem('sabot-figures', 'yes')); // as the dealer left it
  await page.reload();
  await page.waitForFunction(() => document.getElementById('lost')?.hidden);
  const amounts = [35, 40, 80, 25, 16, 65, 50];
  await betsOf(async () => {
    for (const number of seven) {
      await box(number);
      await figures(amounts[number - 1]);
    }
    await box(3);
    for (const [name, amount] of [['3a', 20], ['3b', 15]]) {
      await quick(`.tray:not([hidden]) .joins[data-guest="${name}"]`);
      await figures(amount);
      await page.waitForSelector(`li[data-stake="${name}/main"]`);
    }
    for (const number of seven) {
      await lie(number, String(number), amounts[number - 1]);
    }
    await lie(3, '3b', 15);
  });
  count('four other chips on each, two co-players, in figures', 30);
});

soakTest('the same, box by box, one chip each', async () => {
  await open('schaffhausen');
  await betsOf(() => eachWith([10]));
  assert.equal(betsTook, 16);
  count('one chip each, box by box', 16);
});

soakTest('the same, box by box, four chips each and two co-players', async () => {
  await open('schaffhausen');
  await betsOf(async () => {
    await eachWith(four);
    await twoCoPlayers();
    await allLie(40);
  });
  assert.equal(betsTook, 42);
  count('four chips each, two co-players, box by box', 42);
});

soakTest('a round like the last one', async () => {
  const stakes = seven.map((number) => `stake ${number} ${number} 40`).join('; ');
  await open('wiesbaden', [`open; ${stakes}; stake 3 3a 10; close`]);
  await table.card('9S 9H 9D 9C 8S 8H 8D TS 9S 9H 9D 9C TS TH TD');
  await table.play('rest; rest; rest; rest; rest; rest; rest; 7C; paid');
  await betsOf(async () => {
    await touch(key('same'));
    await allLie(40);
    await lie(3, '3a', 10);
  });
  count('the same as in the last round', 3);
});

soakTest('an alert is acknowledged by the PIN that is asked for', async () => {
  await open('wiesbaden', ['open; stake 1 anna 20; stake 4 ben 50; close; TS 9D 9H 3C 7C; 5D; resolve accept dealer'], 'pin');
  await touch('[data-key="alerts"]');
  await touch('[data-key="seen-card-without-call"]');
  await touch('[data-key="name-anna"]');
  for (const digit of '4711') {
    await quick(`[data-key="digit-${digit}"]`);
  }
  await touch('[data-key="pin-enter"]');
  await page.waitForSelector('[data-key="alerts"]', { state: 'detached' });
  betsTook = touches;
  assert.ok(touches <= 9, `it takes ${touches} touches`);
  counted.push({ what: 'acknowledge an alert, with the supervisor’s name and four digits', bets: '–', round: touches, most: 9 });
});
