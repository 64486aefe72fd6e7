import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { padLies } from '../../../internal/testkit/pages/pad.mjs';
import { Table, asks, buildServer, few, isFresh, openBrowser, overhear, rested, soakTest, toast } from './table.mjs';

const screens = [
  { width: 1024, height: 600 },
  { width: 600, height: 1024 },
];
const PIN = '4711';

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

beforeEach(() => { complaints = []; });

afterEach(async () => {
  for (const context of browser.contexts()) await context.close();
  await table?.end();
  table = undefined;
});

// A refused PIN is answered with a status that the browser counts as a failure.
const expected = [/status of (403|429|409)/];

async function screen(size = screens[0]) {
  const opened = await browser.newPage({ viewport: size, hasTouch: true });
  overhear(opened, complaints, { expected });
  await opened.goto(table.url, { waitUntil: 'load' });
  return opened;
}

async function live(house, proof, lines, more = {}) {
  table = await Table.live(program, { house, ...more }, '-proof', proof);
  page = await screen();
  for (const line of lines) await table.play(line);
}

const key = (name, on = page) => on.locator(`[data-key="${name}"]:visible`);

async function touches(locator, on = page) {
  await rested(on);
  await locator.tap();
}
async function presses(name, on = page) {
  await rested(on);
  await on.keyboard.press(name);
}
const quick = (name, on = page) => key(name, on).tap();
const tap = (name, on = page) => touches(key(name, on), on);
const says = (text, on = page) => asks(on, text);
const gone = (name, on = page) => on.waitForFunction((sheet) => document.getElementById(`sheet-${sheet}`)?.hidden ?? true, name);

async function enter(pin = PIN, name = 'anna', on = page) {
  await tap(`name-${name}`, on);
  await padLies(on, '#sheet-pin');
  for (const digit of pin) await quick(`digit-${digit}`, on);
  await tap('pin-enter', on);
}

const playing = 'open; stake 1 anna 20; stake 4 ben 50; close; TS 9D 9H 3C 7C';
const seven = [1, 2, 3, 4, 5, 6, 7].map((n) => `stake ${n} g${n} 20`).join('; ');
const onePack = [...'SHDC'].flatMap((suit) => [...'A23456789TJQK'].map((rank) => rank + suit))
  .filter((card) => !['TS', '9D', '9H'].includes(card)).map((card) => `${card}; resolve burn`).join('; ');

// Each irregularity in two houses, put right only by touch: what is touched, whether a PIN
// is required, and what the table then asks for. make test plays one that names a card, one that takes a PIN alone, and
// one of the shoe; each is a case of table/testdata/rounds, too.
const rounds = [
  { code: 'unread card', house: 'wiesbaden', lines: [playing, 'card; ??'], touch: ['identify', 'rank-7', '7D', 'PIN'], then: 'Box 1: Card or Stand?' },
  { code: 'unread card', house: 'mendrisio', lines: [playing, 'card; ??'], touch: ['burn', 'PIN'], then: 'Card to box 1' },
  { code: 'unexpected card', house: 'schaffhausen', lines: ['open; stake 1 anna 20; 7D'], touch: ['next-card', 'PIN'], then: 'Place your bets' },
  { code: 'unexpected card', house: 'wiesbaden', lines: ['TS'], touch: ['burn', 'PIN'], then: 'Open the bets' },
  { code: 'card without a call', house: 'wiesbaden', lines: [playing, '5D'], touch: ['accept'], then: 'Box 1: Card or Stand?' },
  { code: 'card without a call', house: 'baden', lines: ['open; stake 1 anna 20; close; TS 9D; 5D'], touch: ['burn', 'PIN'], then: 'Box 1: Higher, Lower or Stand?' },
  { code: 'bank drew too many', house: 'wiesbaden', lines: [playing, 'rest; rest; 9D; 2S'], touch: ['next-round', 'PIN'], then: 'Nothing to pay – press Paid' },
  { code: 'bank drew too many', house: 'baden', lines: ['open; stake 1 anna 20; close; TS 9D; rest; 9S 5S'], touch: ['burn', 'PIN'], then: 'Pay and press Paid' },
  { code: 'foreign card', house: 'wiesbaden', lines: [`open; ${seven}; close; JC JC JC JC JC JC JC`], touch: ['accept', 'PIN'], then: 'Card to the bank' },
  { code: 'foreign card', house: 'mendrisio', lines: [`open; ${seven}; close; JC JC JC JC JC JC JC`], touch: ['void-round', 'PIN'], then: 'Nothing to pay – press Paid' },
  { code: 'foreign Joker', house: 'st-moritz', lines: [playing, 'card; JOKER'], touch: ['burn', 'PIN'], then: 'Card to box 1' },
  { code: 'foreign Joker', house: 'wiesbaden', lines: [playing, 'card; JOKER; JOKER'], touch: ['burn', 'PIN'], then: 'Card to box 1' },
  { code: 'cards lost', house: 'schaffhausen', lines: [playing, 'card; shoe gap 2'], touch: ['identify', 'rank-2', '2S', 'PIN', 'identify', 'rank-3', '3H', 'PIN', 'accept'], then: 'Box 1: Card or Stay?' },
  { code: 'cards lost', house: 'baden', lines: ['open; stake 1 anna 20; close; TS 9D; higher; shoe gap'], touch: ['none-drawn', 'PIN'], then: 'Card to box 1' },
  { code: 'wrong amount paid', house: 'wiesbaden', lines: [playing, 'rest; rest; 9D; paid box 1 40'], touch: ['corrected', 'PIN'], then: 'Nothing to pay – press Paid' },
  { code: 'wrong amount paid', house: 'schaffhausen', lines: [playing, 'rest; rest; 9D; paid 40'], touch: ['accept', 'PIN'], then: 'Open the bets' },
  { code: 'shoe alarm', house: 'mendrisio', lines: [playing, 'card; shoe alarm cover'], touch: ['accept', 'PIN'], then: 'Card to box 1' },
  { code: 'shoe alarm', house: 'baden', lines: ['shoe alarm cover'], touch: ['accept', 'PIN'], then: 'Open the bets' },
  { code: 'shoe empty', house: 'schaffhausen', decks: 1, lines: [onePack, 'open; stake 1 anna 20; stake 4 ben 50; close; TS 9D 9H'], touch: ['reload', 'PIN'], then: 'Card to box 1' },
  { code: 'shoe empty', house: 'mendrisio', decks: 1, lines: [onePack, 'open; stake 1 anna 20; stake 4 ben 50; close; TS 9D 9H'], touch: ['reload', 'PIN'], then: 'Card to box 1' },
  { code: 'shoe due', house: 'schaffhausen', lines: [playing, 'shoe cut-card; rest; rest; 9D; paid; open from=panel'], touch: ['accept', 'PIN'], then: 'Shuffle and load the shoe' },
  { code: 'shoe due', house: 'mendrisio', lines: [playing, 'shoe cut-card; rest; rest; 9D; paid; open from=panel'], touch: ['accept', 'PIN'], then: 'Shuffle and load the shoe' },
  { code: 'round stopped', house: 'st-moritz', lines: [playing, 'hold dealer by=d1'], touch: ['continue', 'PIN'], then: 'Box 1: Card, Stand or Double?' },
  { code: 'round stopped', house: 'schaffhausen', lines: [playing, 'hold dealer by=d1'], touch: ['void-round', 'PIN'], then: 'Nothing to pay – press Paid' },
  { code: 'big win', house: 'every-bet', lines: ['open; stake 1 anna 20; stake 4 ben 50; stake 4 ben 30 twins; close; TS 8D 9H 3C 8C'], touch: ['accept', 'PIN'], then: 'Box 1: Card, Stand or Surrender?' },
  { code: 'big win', house: 'big-win', lines: ['open; stake 1 anna 20; stake 4 ben 50; close; TS 9D 6H 8C 9C; rest; rest; TC TD'], touch: ['accept', 'PIN'], then: 'Pay and press Paid' },
];

for (const { code, house, decks, lines, touch, then } of few(rounds, rounds.filter((_, i) => i % 8 === 0))) {
  test(`${code} in ${house}, only by touch: ${touch.join(', ')}`, async () => {
    await live(house, 'pin', lines, decks && { decks });
    await says(`STOP – ${code}`);
    for (const one of touch) {
      if (one !== 'PIN') {
        await tap(one);
        continue;
      }
      await enter();
      await gone('pin');
      await isFresh(page); // what is asked before the new picture comes is closed by it
    }
    await says(then);
    await page.locator('#keys.held').waitFor({ state: 'detached' });
    assert.deepEqual(complaints, []);
  });
}

test('a wrong rank can be changed before the suit, and the card is shown before it is put in', async () => {
  await live('wiesbaden', 'none', [playing, 'card; ??']);
  await tap('identify');
  assert.equal(await page.locator('#sheet-cards .face:visible').count(), 0);
  await tap('rank-8');
  await tap('rank-7');
  assert.deepEqual(await page.locator('#sheet-cards .face:visible use').evaluateAll((all) => all.map((one) => one.getAttribute('href'))), ['#c-7S', '#c-7H', '#c-7D', '#c-7C']);
  await tap('rank-JOKER');
  assert.equal(await page.locator('#sheet-cards .face:visible').count(), 1);
  await tap('JOKER');
  await says('Card to box 1');
  assert.deepEqual(complaints, []);
});

soakTest('a house without a Joker names none', async () => {
  await live('mendrisio', 'none', [playing, 'card; ??']);
  await tap('identify');
  assert.equal(await key('rank-JOKER').count(), 0);
});

soakTest('with only the keyboard: a PIN, a card, and back', async () => {
  await live('wiesbaden', 'pin', [playing, 'card; ??']);
  await says('STOP – unread card');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'keys', 'the focus is on the choices');
  await presses('2');
  assert.equal(await page.evaluate(() => document.activeElement.dataset.key), 'name-anna', 'the focus is in the sheet');
  await presses('Escape');
  assert.equal(await page.evaluate(() => document.activeElement.dataset.key), 'burn', 'the focus is back');
  await presses('1');
  await page.locator('#sheet-cards').waitFor();
  for (const one of ['t', '7', 'd']) await presses(one);
  await page.locator('#sheet-pin').waitFor();
  await presses('Space');
  for (const digit of `9${PIN}`) await page.keyboard.press(digit);
  await page.keyboard.press('Delete');
  for (const digit of `${PIN}0`) await page.keyboard.press(digit);
  await page.keyboard.press('Backspace');
  await presses('Enter');
  await says('Box 1: Card or Stand?');
  assert.deepEqual(complaints, []);
});

test('a wrong PIN says how many tries are left, then locks out that name, and not the other', async () => {
  await live('wiesbaden', 'pin', [playing, '5D']);
  const reads = (pattern) => page.waitForFunction((want) => new RegExp(want).test(document.querySelector('#sheet-pin .said')?.textContent), pattern);
  await tap('burn');
  assert.ok(await key('pin-enter').isDisabled(), 'nothing is entered yet');
  await enter('1234');
  await reads('Wrong PIN – 2 tries left');
  for (const left of ['1 try left', 'Wrong PIN$']) {
    for (const digit of '1234') await tap(`digit-${digit}`);
    await tap('pin-enter');
    await reads(left);
  }
  await page.locator('[data-name="anna"] time').waitFor();
  assert.match(await page.locator('[data-name="anna"]').innerText(), /Locked out\s+\d+:\d\d$/m);
  await table.play('later');
  await page.locator('[data-name="anna"] time').waitFor({ state: 'detached' });
  await enter(PIN, 'bruno');
  await says('Box 1: Card or Stand?');
  assert.deepEqual(complaints, []);
});

test('a PIN is only in what is sent', async () => {
  await live('wiesbaden', 'pin', [playing, '5D']);
  const logged = [];
  page.on('console', (message) => logged.push(message.text()));
  await tap('burn');
  await tap('name-anna');
  for (const digit of PIN) await tap(`digit-${digit}`);
  assert.equal(await page.locator('#sheet-pin .entry b').innerText(), '●●●●');
  const everywhere = () => page.evaluate(() => document.documentElement.outerHTML + location.href + JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state])
    + [...document.querySelectorAll('input')].map((one) => one.value).join());
  assert.doesNotMatch(await everywhere(), /4711/);
  const sent = page.waitForRequest('**/touch');
  await tap('pin-enter');
  const { moment, ...body } = JSON.parse((await sent).postData());
  assert.ok(moment);
  assert.deepEqual(body, { put: [{ in: 'resolve', with: 'burn' }], name: 'anna', pin: PIN });
  await says('Box 1: Card or Stand?');
  assert.doesNotMatch(await everywhere() + logged.join(), /4711/);
});

soakTest('what was typed is forgotten when the pad closes', async () => {
  await live('wiesbaden', 'pin', [playing, '5D']);
  await tap('burn');
  await tap('name-anna');
  await tap('digit-4');
  await touches(page.locator('#sheet-pin [data-closes]'));
  await gone('pin');
  await tap('next-card');
  assert.equal(await page.locator('#sheet-pin .entry b').innerText(), '');
  assert.equal(await page.locator('#sheet-pin [aria-pressed="true"]').count(), 0);
  assert.match(await key('pin-enter').innerText(), /next card/i);
});

test('a PIN is for one choice: the next one asks for it again', async () => {
  await live('wiesbaden', 'pin', [playing, 'card; shoe alarm cover; shoe alarm reverse-pull']);
  await tap('accept');
  await enter();
  await page.waitForFunction(() => /card pushed back/.test(document.getElementById('prompt').innerText));
  assert.equal(await page.locator('.decides.present').count(), 0);
  await tap('accept');
  await enter();
  await says('Card to box 1');
  assert.deepEqual(complaints, []);
});

test('a hole card that was seen before its time: a supervisor stops the round and lays it open', async () => {
  await live('hole', 'pin', ['open; stake 1 anna 20; close; TS 9D 9H 7C', 'hold dealer by=d1']);
  const bank = () => page.evaluate(async () => (await (await fetch('/view.json')).json()).bank.cards);
  assert.deepEqual(await bank(), ['9D', 'XX']);
  await tap('exposed');
  await enter();
  await key('exposed').waitFor({ state: 'detached' });
  assert.deepEqual(await bank(), ['9D', '7C']);
  await tap('continue');
  await enter();
  await key('continue').waitFor({ state: 'detached' });
  assert.match(await table.say('transcript'), /"in":"hole","event":"exposed",[^\t]*"by":"anna"/);
  assert.deepEqual(complaints, []);
});

soakTest('turning the key closes the sheet that asks for it, and the choice is touched again', async () => {
  await live('wiesbaden', 'key', [playing, '5D']);
  await tap('burn');
  assert.match(await page.locator('#sheet-pin').innerText(), /Turn the supervisor’s key[^]*Then choose again: burn/);
  assert.equal(await key('digit-1').count(), 0, 'no PIN is asked for');
  await table.play('key on');
  await gone('pin');
  await says('STOP – card without a call');
  await tap('burn');
  await says('Box 1: Card or Stand?');
  assert.deepEqual(complaints, []);
});

test('a PIN and a key: one waits for the other', async () => {
  await live('wiesbaden', 'pin-and-key', [playing, '5D']);
  await tap('burn');
  await enter();
  await page.waitForFunction(() => /Turn the supervisor’s key/.test(document.querySelector('#sheet-pin .entry .said')?.textContent));
  await table.play('key on');
  await enter();
  await says('Box 1: Card or Stand?');
});

soakTest('a PIN or a key: either will do', async () => {
  await live('wiesbaden', 'pin-or-key', [playing, '5D']);
  await tap('burn');
  assert.match(await page.locator('#sheet-pin').innerText(), /or turn the key/);
  await enter();
  await says('Box 1: Card or Stand?');
});

test('two screens show the same hold, and one resolution is enough', async () => {
  await live('wiesbaden', 'pin', [playing, '5D']);
  const other = await screen(screens[1]);
  await says('STOP – card without a call', other);
  await tap('burn', other);
  await tap('name-anna', other);
  await tap('accept');
  await says('Box 1: Card or Stand?', other);
  await gone('pin', other);
  await toast(other, 'moved on');
  await isFresh(page); // what the other screen shows, this one may not show yet
  assert.equal(await page.locator('#box-1 .cards use').count(), 3);
  assert.deepEqual(complaints, []);
});

test('a card that comes meanwhile is shown, and the decision starts again', async () => {
  await live('wiesbaden', 'pin', [playing, '5D']);
  await tap('burn');
  await tap('name-anna');
  await table.card('9C');
  await gone('pin');
  await toast(page, 'moved on');
  assert.match(await page.locator('.waits').innerText(), /1 card has come meanwhile/);
  await tap('burn');
  await enter();
  await page.locator('.waits').waitFor({ state: 'detached' });
  await says('STOP – card without a call');
});

test('a choice that was sent for a moment that has passed is refused', async () => {
  await live('wiesbaden', 'none', [playing, '5D']);
  await says('STOP – card without a call');
  const stale = await page.evaluate(() => document.getElementById('keys').dataset.moment);
  await table.card('9C');
  const answer = await page.evaluate(async (moment) => {
    const response = await fetch('/touch', {
      method: 'POST', headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ moment, put: [{ in: 'resolve', with: 'burn' }] }),
    });
    return [response.status, await response.json()];
  }, stale);
  assert.deepEqual([answer[0], answer[1].rejected], [409, 'moved-on']);
});

test('nothing else can be pressed while the round is held', async () => {
  await live('wiesbaden', 'pin', [playing, 'rest; rest; 9D; paid box 1 40']);
  await says('STOP – wrong amount paid');
  const pressed = await page.locator('button:visible').evaluateAll((all) => all.map((one) => one.dataset.key).filter((name) => !['menu', 'floor', undefined].includes(name)));
  assert.deepEqual(pressed, ['corrected', 'accept', 'correct']);
  for (const shortcut of ['Backspace', 'Enter', 'c', 'r', '5']) await page.keyboard.press(shortcut);
  await says('STOP – wrong amount paid');
  assert.ok(await page.locator('#box-1 .cards').isVisible(), 'the table stays visible');
});

soakTest('moments are told in 24 hours', async () => {
  await live('wiesbaden', 'pin', [playing]);
  for (const hour of ['02', '14']) {
    await page.evaluate((at) => {
      const moment = document.body.appendChild(document.createElement('time'));
      moment.dataset.at = at;
    }, `2026-01-02T${hour}:34:00`);
    await page.waitForFunction(() => [...document.querySelectorAll('body > time')].every((moment) => moment.textContent));
  }
  assert.deepEqual(await page.locator('body > time').allTextContents(), ['02:34', '14:34']);
});

test('an alert stays until a supervisor has seen it, while the table continues', async () => {
  await live('wiesbaden', 'pin', [playing, '5D; resolve accept dealer']);
  await tap('alerts');
  assert.match(await page.locator('#sheet-alerts').innerText(), /card without a call[^]*accept, by d1/);
  await tap('seen-card-without-call');
  await table.play('card; 2C');
  await enter();
  await key('alerts').waitFor({ state: 'detached' });
  await says('Box 1: Card or Stand?');
  assert.deepEqual(complaints, []);
});

test('a dealer signs in and out between two rounds', async () => {
  await live('wiesbaden', 'pin', []);
  await tap('dealer');
  for (const sign of ['D', '7', 'X']) await tap(`sign-${sign}`);
  await tap('dealer-clear');
  assert.equal(await page.locator('#sheet-dealer .entry b').innerText(), 'D7');
  await tap('dealer-enter');
  await gone('dealer');
  await key('dealer').filter({ hasText: 'D7' }).waitFor();
  await presses('e');
  await tap('sign-out');
  await key('dealer').filter({ hasText: 'sign in' }).waitFor();
  assert.deepEqual(complaints, []);
});

soakTest('a hold closes a sheet that was open', async () => {
  await live('wiesbaden', 'pin', []);
  await tap('dealer');
  await table.card('TS');
  await says('STOP – unexpected card');
  await gone('dealer');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'keys');
});

soakTest('past rounds can be reached while the round is held, and so can the table again', async () => {
  await live('wiesbaden', 'pin', [playing, '5D']);
  await page.locator('#status a.past').tap();
  await page.waitForURL('**/recall');
  await page.waitForFunction(() => document.querySelector('#now b')?.textContent === 'STOP – card without a call');
  const back = await page.locator('#back').evaluate(reach);
  assert.ok(back.width >= 94 && back.height >= 94, JSON.stringify(back));
  await page.locator('#back').tap();
  await page.waitForURL(table.url);
  await says('STOP – card without a call');
  await tap('accept');
  await says('Box 1: Card or Stand?');
});

// How far from its middle an element accepts a touch.
function reach(part) {
  const at = part.getBoundingClientRect();
  const [x, y] = [at.left + at.width / 2, at.top + at.height / 2];
  const hit = (dx, dy) => part.contains(document.elementFromPoint(x + dx, y + dy));
  const far = (dx, dy) => { let n = 0; while (hit(dx * (n + 1), dy * (n + 1))) n += 1; return n; };
  return { width: far(-1, 0) + far(1, 0) + 1, height: far(0, -1) + far(0, 1) + 1 };
}

// Everything that a hold says must be readable, and its keys large enough to hit.
function wrong(least) {
  const bad = [];
  const within = (part, frame, what) => {
    const [at, on] = [part.getBoundingClientRect(), frame];
    if (at.width && (at.left < on.left - 1 || at.right > on.right + 1 || at.top < on.top - 1 || at.bottom > on.bottom + 1)) {
      bad.push(`${what} is cut: ${part.textContent.slice(0, 40)}`);
    }
  };
  const whole = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  const seen = (selector) => [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility());
  const sheet = seen('.sheet')[0];
  for (const part of seen('#prompt.stop h1, #prompt.stop p')) within(part, document.getElementById('prompt').getBoundingClientRect(), 'prompt');
  for (const one of seen(sheet ? '.sheet .key' : '#keys .key')) {
    const at = one.getBoundingClientRect();
    within(one, whole, 'key');
    for (const part of one.children) within(part, at, 'text');
    if (at.width < least || at.height < least) bad.push(`${one.dataset.key} is ${at.width} by ${at.height}`);
  }
  return bad;
}

for (const [nth, size] of few(screens, screens.slice(0, 1)).entries()) {
  test(`every hold can be read and touched at ${size.width} by ${size.height}`, async () => {
    table = await Table.start(program);
    page = await screen(size);
    const least = 93.9;
    const holds = (await table.say('holds')).split(' ');
    assert.ok(holds.length > 20, holds.join());
    for (const hold of few(holds, holds.filter((_, i) => i % screens.length === nth))) {
      await table.show(hold);
      await isFresh(page);
      assert.deepEqual(await page.evaluate(wrong, least), [], hold);
    }
    await table.show('hold-journal-new');
    await isFresh(page);
    await tap('accept');
    assert.deepEqual(await page.evaluate(wrong, least), [], 'PIN');
    assert.deepEqual(complaints, []);
  });
}

// The words whose contrast is below 7 to 1.
function faint() {
  const light = (rgb) => {
    const [r, g, b] = rgb.match(/[\d.]+/g).slice(0, 3).map((v) => {
      const c = v / 255;
      return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const felt = 'rgb(13, 74, 54)'; // the lightest ground on the table
  const ground = (part) => {
    for (let at = part; at && at !== document.body; at = at.parentElement) {
      const colour = getComputedStyle(at).backgroundColor;
      if (colour !== 'rgba(0, 0, 0, 0)') return colour;
    }
    return felt;
  };
  const bad = [];
  for (const part of document.querySelectorAll('#prompt *, #keys *, #alarm *, .sheet *')) {
    if (!part.checkVisibility() || ![...part.childNodes].some((one) => one.nodeType === 3 && one.data.trim())) continue;
    const [a, b] = [light(getComputedStyle(part).color), light(ground(part))].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < 7) bad.push(`${part.textContent}: ${ratio.toFixed(1)}`);
  }
  return bad;
}

soakTest('what a hold says has a contrast of 7 to 1', async () => {
  await live('wiesbaden', 'pin', ['shoe alarm cover; shoe alarm-cleared cover', playing, 'card; ??; 5D']);
  await says('STOP – unread card');
  const look = async (what) => assert.deepEqual(await page.evaluate(faint), [], what);
  await look('choices');
  await tap('alerts');
  await look('alerts');
  await touches(page.locator('#sheet-alerts [data-closes]'));
  await tap('burn');
  await look('an empty pad');
  await enter('1234');
  await page.waitForFunction(() => document.querySelector('#sheet-pin .said')?.textContent);
  await quick('digit-4');
  await look('a pad');
  await touches(page.locator('#sheet-pin [data-closes]'));
  await tap('identify');
  await tap('rank-7');
  await look('cards');
  assert.deepEqual(complaints, []);
});

test('a phone: at STOP the choices stay in sight, wherever the boxes are scrolled to', async () => {
  table = await Table.start(program);
  await table.show('held');
  page = await screen({ width: 390, height: 844 });
  // Scrolled and looked at in one moment: a new picture between the two may make the page longer.
  for (const toEnd of [false, true]) {
    const { hidden, covered } = await page.evaluate((down) => {
      scrollTo(0, down ? document.documentElement.scrollHeight : 0);
      const last = [...document.querySelectorAll('.box')].at(-1).getBoundingClientRect();
      return {
        hidden: [...document.querySelectorAll('#keys.held .key')].filter((one) => {
          const at = one.getBoundingClientRect();
          return at.height < 44 || !one.contains(document.elementFromPoint(at.left + at.width / 2, at.top + at.height / 2));
        }).map((one) => one.textContent),
        covered: scrollY !== 0 && last.bottom > document.getElementById('keys').getBoundingClientRect().top,
      };
    }, toEnd);
    assert.deepEqual(hidden, []);
    assert.equal(covered, false, 'the last box is covered');
  }
  // A sheet lies above them, as above all else.
  for (const name of ['identify', 'floor']) {
    await page.evaluate(() => scrollTo(0, 0));
    await tap(name);
    const below = await page.evaluate(() => {
      const sheet = [...document.querySelectorAll('[data-sheet]')].find((one) => one.checkVisibility());
      const { left, right, bottom } = sheet.getBoundingClientRect();
      return sheet.contains(document.elementFromPoint((left + right) / 2, Math.min(bottom, innerHeight) - 9)) ? '' : sheet.id;
    });
    assert.equal(below, '', 'what may be chosen lies on a sheet');
    await page.locator('[data-sheet]:not([hidden]) [data-closes]').first().tap();
  }
});

test('a phone: at STOP a key has room for its words, and nothing lies on what happened', async () => {
  table = await Table.start(program);
  await table.show('held');
  page = await screen({ width: 390, height: 844 });
  const spilt = await page.evaluate(() => [...document.querySelectorAll('#keys.held .key')].filter((one) => {
    one.querySelector('small').textContent = 'Der Tisch spielt mit dem neuen Journal weiter, das er begonnen hat';
    const [key, first, last] = [one, one.firstElementChild, one.lastElementChild].map((part) => part.getBoundingClientRect());
    return first.top < key.top || last.bottom > key.bottom;
  }).map((one) => one.textContent));
  assert.deepEqual(spilt, []);
  const over = await page.evaluate(() => {
    const prompt = document.getElementById('prompt');
    const found = [];
    for (let down = 0; down < 300; down += 10) {
      scrollTo(0, down);
      const menu = document.querySelector('.key.menu').getBoundingClientRect();
      const [x, y] = [menu.left + menu.width / 2, menu.top + menu.height / 2];
      const covered = y > 0 && y < prompt.getBoundingClientRect().bottom;
      if (covered && !prompt.contains(document.elementFromPoint(x, y))) found.push(down);
    }
    return found;
  });
  assert.deepEqual(over, []);
});
