import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { program as built, folder } from '../../../internal/testkit/pages/programs.mjs';
import { padLies } from '../../../internal/testkit/pages/pad.mjs';
import { Table, asks, buildServer, few, isFresh, openBrowser, overhear, rested } from './table.mjs';

// The supervisor at any time: the round is stopped by hand, and corrected by touch alone.

const PIN = '4711';

let program;
let sabot;
let scratch;
let browser;
let table;
let page;
let complaints;

before(async () => {
  program = buildServer();
  scratch = folder('supervisor');
  sabot = built('cmd/sabot');
  browser = await openBrowser();
});

after(() => browser?.close());

beforeEach(() => { complaints = []; });

afterEach(async () => {
  for (const context of browser.contexts()) await context.close();
  await table?.end();
  table = undefined;
});

async function live(house, lines, size = { width: 1024, height: 600 }) {
  table = await Table.live(program, { house }, '-proof', 'pin');
  page = await browser.newPage({ viewport: size, hasTouch: true });
  overhear(page, complaints, { expected: [/status of (403|409)/] });
  await page.goto(table.url, { waitUntil: 'load' });
  for (const line of lines) await table.play(line);
}

async function tap(name) {
  await rested(page);
  await page.locator(`[data-key="${name}"]:visible`).tap();
}

async function enter() {
  await tap('name-anna');
  for (const digit of PIN) await page.locator(`[data-key="digit-${digit}"]:visible`).tap();
  await tap('pin-enter');
}

const says = (text) => asks(page, text);

// hold stops the round, and opens the dialogue.
async function hold(reason = 'card') {
  await tap('floor');
  await tap(`hold-${reason}`);
  await says('STOP – round stopped');
  await tap('correct');
  await page.locator('#sheet-correct').waitFor();
}

// changes waits for what the table says of the correction.
async function changes() {
  await page.waitForFunction(() => !document.querySelector('.changes')?.textContent.includes('…') && document.querySelector('.changes li'));
  return page.locator('.changes li').allTextContents();
}

async function correct() {
  await tap('correct-do');
  await enter();
  await page.waitForFunction(() => ['correct', 'pin'].every((name) => document.getElementById(`sheet-${name}`)?.hidden ?? true));
  await isFresh(page); // what was asked before the new picture comes is closed by it
}

// replays puts the round's transcript through sabot replay: every line is taken, and the
// round is corrected once.
async function replays(times = 1) {
  const inputs = (await table.say('transcript')).replaceAll('\t', '\n');
  const file = join(scratch, 'round.jsonl');
  writeFileSync(file, `${inputs}\n`);
  const answers = execFileSync(sabot, ['replay', file], { encoding: 'utf8' });
  assert.equal(answers.split('"out":"corrected"').length - 1, times, answers);
  assert.equal(answers.includes('"out":"rejected"'), false, answers);
  return answers;
}

const dealt = 'open; stake 1 anna 20; stake 4 ben 50; close; TS 9D 9H 6C 7C';
const james = 'open; stake 1 anna 20; stake 4 ben 50; close; 5S 9D 7H';

const cases = [
  {
    name: 'a card is renamed: the box is not bust, and what was taken goes back', house: 'wiesbaden', lines: [dealt, 'card; 8S'],
    touch: ['what-rename', 'card-6', 'is-4', 'named-4S'],
    want: ['Box 1: 4♠ instead of 8♠', 'Box 1: 20 instead of 24 (Bust)', 'Box 1, anna: open again, a stake that was taken goes back', 'Then: Box 1: Card or Stand?'],
    then: 'Box 1: Card or Stand?', answers: '"card":"4S","to":"box","box":1,"hand":1,"total":20',
  },
  {
    name: 'a card is renamed, and the round pays otherwise', house: 'wiesbaden', lines: [dealt, 'rest; rest; 8D'],
    touch: ['what-rename', 'card-6', 'is-9', 'named-9D'],
    want: ['Bank: 9♦ instead of 8♦', 'Bank: 18 (Stands) instead of 17 (Stands)'],
    then: 'Nothing to pay – press Paid', answers: '"bank":["9H","9D"],"bank_total":18',
  },
  {
    name: 'a card is renamed', house: 'baden', lines: [james, 'higher; 2C'],
    touch: ['what-rename', 'card-4', 'is-K', 'named-KC'],
    want: ['Box 1: K♣ instead of 2♣'],
    then: 'Box 1: Higher, Lower or Stand?', answers: '"card":"KC","to":"box","box":1,"hand":1,"points":2',
  },
  {
    name: 'two cards of the first deal change places', house: 'wiesbaden', lines: [dealt],
    touch: ['what-move', 'card-1', 'place-4-1'],
    want: ['Box 1: 9♦ instead of 10♠', 'Box 4: 10♠ instead of 9♦'],
    then: 'Box 1: Card or Stand?', answers: '"card":"9D","to":"box","box":1,"hand":1,"total":9',
  },
  {
    name: 'a card goes to the bank in exchange for its own', house: 'baden', lines: [james],
    touch: ['what-move', 'card-1', 'place-0-0'],
    want: ['Box 1: 7♥ instead of 5♠', 'Bank: 5♠ instead of 7♥'],
    then: 'Box 1: Higher, Lower or Stand?', answers: '"card":"5S","to":"bank","points":1',
  },
  {
    name: 'a stake is set right', house: 'wiesbaden', lines: [dealt],
    touch: ['what-stake', 'stake-4-ben-main', 'money-7', 'money-5', 'money-enter'], want: ['Box 4, ben: 75.00 EUR instead of 50.00 EUR'],
    then: 'Box 1: Card or Stand?', answers: '"out":"stands","in":"stake","box":4,"bettor":"ben","wager":"main","amount":7500',
  },
  {
    name: 'a stake is set right', house: 'schaffhausen', lines: [dealt],
    touch: ['what-stake', 'stake-1-anna-main', 'money-3', 'money-0', 'money-enter'], want: ['Box 1, anna: 30.00 CHF instead of 20.00 CHF'],
    then: /^Box 1: Card/, answers: '"out":"stands","in":"stake","box":1,"bettor":"anna","wager":"main","amount":3000',
  },
  {
    name: 'a box is dead, and its stake goes back', house: 'wiesbaden', lines: [dealt],
    touch: ['what-dead', 'dead-4-0--', 'fate-back'], want: ['Box 4: dead, the stake goes back'],
    then: 'Box 1: Card or Stand?', answers: '"wager":"main","hand":1,"outcome":"void","why":"dead","stake":5000,"returned":5000,"won":0',
  },
  {
    name: 'one wager of a box is dead, and taken', house: 'schaffhausen',
    lines: ['open; stake 1 anna 20; stake 1 ben 50; close; TS 9H 6C'],
    touch: ['what-dead', 'dead-1-0-ben-main', 'fate-lose'], want: ['Box 1, ben: dead, the stake is taken'],
    then: /^Box 1: Card/, answers: '"bettor":"ben","wager":"main","hand":1,"outcome":"lose","why":"dead","stake":5000,"returned":0,"won":0',
  },
  {
    name: 'a card that the shoe did not tell is named', house: 'mendrisio', lines: ['open; stake 1 anna 20; stake 4 ben 50; close; TS 9D 9H 6C'],
    touch: ['what-came', 'is-7', 'named-7C', 'before-0'], want: ['Box 4: 7♣ added'],
    then: /^Box 1: Card/, answers: '"out":"stands","in":"correct","what":"came","card":"7C"',
  },
  {
    name: 'a card that the shoe did not tell is named before others', house: 'baden', lines: ['open; stake 1 anna 20; stake 4 ben 50; close; 5S 7H'],
    touch: ['what-came', 'is-9', 'named-9D', 'before-2'], want: ['Box 4: 9♦ added', '7♥: Bank instead of Box 4'],
    then: 'Box 1: Higher, Lower or Stand?', answers: '"what":"came","nth":2,"card":"9D"',
  },
  {
    name: 'a card that was turned up is burnt', house: 'mendrisio', lines: [dealt], size: { width: 800, height: 480 },
    touch: ['what-move', 'card-2', 'place-0-1'],
    want: ['9♦: Aside instead of Box 4', '9♥: Box 4 instead of Bank', '6♣: Bank instead of Box 1', '7♣: Box 1 instead of Box 4'],
    then: 'Card to box 4', answers: '{"out":"dealt","card":"9D","to":"aside"}',
  },
  {
    name: 'both cards of a split were dealt at once', house: 'st-moritz', lines: ['open; stake 1 anna 20; close; 8S 9H 8C; split; 3D 2C; resolve next-card by=s1'],
    touch: ['what-move', 'card-5', 'place-1-2'], want: ['2♣: Box 1, hand 2 instead of Lies open'],
    then: /^Box 1, hand 1: Card/, answers: '{"out":"dealt","card":"2C","to":"box","box":1,"hand":2,"total":10,"soft":false}',
  },
  {
    name: 'the bank’s second card was dealt early, and stays with it', house: 'schaffhausen', lines: [dealt, 'KD; resolve accept'],
    size: { width: 800, height: 480 },
    touch: ['what-move', 'card-6', 'place-0-0'], want: ['K♦: Bank instead of Box 1'],
    then: /^Box 1: Card/, answers: '"what":"move","nth":6,"to":"bank"',
  },
  {
    name: 'the bank’s second card was dealt early to a box, and stays with the bank', house: 'wiesbaden', lines: [dealt, 'card; KD'],
    size: { width: 800, height: 480 },
    touch: ['what-move', 'card-6', 'place-0-0'], want: ['K♦: Bank instead of Box 1', 'Then: Card to box 1'],
    then: 'Card to box 1', answers: '"what":"move","nth":6,"to":"bank"',
  },
  {
    name: 'the bank’s first card was missed', house: 'schaffhausen', lines: [dealt], size: { width: 800, height: 480 },
    touch: ['what-missed', 'card-3'], want: ['9♥: Box 1 instead of Bank', '7♣: Bank instead of Box 4'],
    then: /^Box 1: Card/, answers: '{"out":"dealt","card":"7C","to":"bank","total":7,"soft":false}',
  },
  {
    name: 'the shoe was empty one card early', house: 'baden', lines: [james],
    touch: ['what-refill'], want: ['The discards are shuffled and in the shoe'],
    then: 'Box 1: Higher, Lower or Stand?', answers: '{"out":"stands","in":"correct","what":"refill"}',
  },
  {
    name: 'the shoe is ended', house: 'schaffhausen', lines: [dealt],
    touch: ['what-end-shoe'], want: ['The shoe is shuffled after this round'],
    then: /^Box 1: Card/, answers: '"what":"end-shoe"',
  },
  {
    name: 'the shoe is ended', house: 'baden', lines: [james],
    touch: ['what-end-shoe'], want: ['The shoe is shuffled after this round'],
    then: 'Box 1: Higher, Lower or Stand?', answers: '"what":"end-shoe"',
  },
];

for (const one of few(cases, [cases[0], cases[5], cases[7], cases[10], cases[12], cases[13], cases[15]])) {
  test(`${one.name}, in ${one.house}`, async () => {
    await live(one.house, one.lines, one.size);
    await hold();
    for (const name of one.touch) {
      if (name.startsWith('money-')) await padLies(page, '.correct-sheet');
      await tap(name);
    }
    const said = await changes();
    for (const want of one.want) assert.ok(said.includes(want), `${want} is not among ${said.join(' | ')}`);
    await correct();
    await tap('continue');
    await enter();
    await says(one.then);
    assert.ok((await replays()).includes(one.answers));
    assert.deepEqual(complaints, []);
  });
}

for (const house of few(['wiesbaden', 'schaffhausen'], ['wiesbaden'])) {
  test(`a wrong key is taken back though a card has followed it, in ${house}`, async () => {
    await live(house, [dealt, 'rest; card; 2H']);
    await hold('key');
    await tap('what-take-back');
    await tap('press-2');
    assert.match((await changes())[0], /^Not possible: Box 4, Card – /);
    assert.equal(await page.locator('[data-key="correct-do"]').isEnabled(), false);
    await tap('correct-back');
    await tap('press-3');
    assert.ok((await changes()).some((text) => text.startsWith('STOP – card without a call')));
    await correct();
    await says('STOP – card without a call');
    await tap('next-card');
    await enter();
    await says('STOP – round stopped');
    await tap('correct');
    await tap('what-take-back');
    await tap('press-2');
    await changes();
    await correct();
    await tap('continue');
    await enter();
    await says(/^Box 1: Card/);
    await replays(2);
    assert.deepEqual(complaints, []);
  });
}

test('the bank’s second card, dealt early, is laid there as soon as the screen asks about it', async () => {
  await live('wiesbaden', [dealt, '5D'], { width: 800, height: 480 });
  await says('STOP – card without a call');
  await tap('correct');
  for (const name of ['what-move', 'card-6', 'place-0-0']) await tap(name);
  await changes();
  await correct();
  await says('Box 1: Card or Stand?');
  await page.locator('#bank use[href="#c-5D"]').waitFor();
  await replays();
  assert.deepEqual(complaints, []);
});

test('the dealer stops the round, and only a supervisor lets it go on or voids it', async () => {
  await live('mendrisio', [dealt]);
  await tap('floor');
  await tap('hold-none');
  await says('STOP – round stopped');
  await tap('void-round');
  await enter();
  await says('Nothing to pay – press Paid');
  await replays(0);
  assert.deepEqual(complaints, []);
});
