// A table for training, as a person who deals by hand at /bench next to the dealer's page
// has it: the built demonstration, complete.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { inMemory, program as built } from '../../../internal/testkit/pages/programs.mjs';
import { few, openBrowser, overhear, soakTest, until } from './table.mjs';

const screens = [
  { width: 1024, height: 600 },
  { width: 800, height: 480 },
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
];
const tabs = ['cards', 'keys', 'faults', 'scenario'];
const touch = (width) => (width < 1024 ? 73 : 93.9); // px: 14 mm on 7 inches

let program;
let browser;
let demo;
let bench;
let page; // the dealer's
let complaints;
let expected;
let wanted;

before(async () => {
  program = built('cmd/sabot-demo');
  browser = await openBrowser();
});

after(() => browser?.close());

beforeEach(() => {
  complaints = [];
  wanted = [];
  // The bench refuses with status 409, and says so on the page.
  expected = [/status of 409/];
});

afterEach(async () => {
  await bench?.close();
  await page?.close();
  demo?.process.kill('SIGINT');
  await demo?.ended;
  assert.deepEqual(complaints, []);
  const foreign = wanted.filter((url) => new URL(url).host !== new URL(demo.url).host);
  assert.deepEqual(foreign, [], 'requests to other hosts');
});

// Starts a demonstration, and opens the bench and the dealer's page.
async function start(...flags) {
  const child = spawn(program, ['--web', '127.0.0.1:0', '--broker', '127.0.0.1:0', ...flags], { stdio: ['ignore', 'pipe', 'inherit'], env: inMemory });
  demo = { process: child, ended: new Promise((resolve) => child.once('exit', resolve)) };
  for await (const line of createInterface({ input: child.stdout })) {
    const found = /^\s*page\s+(http:\S+)/.exec(line);
    if (found) {
      [, demo.url] = found;
      break;
    }
  }
  child.stdout.resume();
  bench = await open(new URL('bench', demo.url).href);
  page = await open(demo.url);
  await bench.locator('#key-bets').waitFor({ state: 'attached' });
  if (flags.includes('--by-hand')) await asked('Open the bets');
}

async function open(url) {
  const opened = await browser.newPage({ viewport: screens[0] });
  overhear(opened, complaints, { wanted, expected });
  await opened.goto(url, { waitUntil: 'domcontentloaded' });
  return opened;
}

// The dealer's page asks for something.
async function asked(text) {
  await page.waitForFunction((want) => document.querySelector('#prompt h1')?.textContent === want, text);
}

async function tab(name) {
  if (await bench.locator(`#${name}`).isHidden()) await bench.click(`[data-tab=${name}]`);
}

const hand = 250; // ms that a finger needs before it presses again, and a contact comes to rest: the daemon's clock is real

// A key of the panel, pressed by a finger.
async function press(key) {
  await tab('keys');
  await bench.waitForTimeout(hand);
  await bench.locator(`#key-${key}`).click({ delay: 60 });
}

async function chips(...boxes) {
  await tab('keys');
  for (const box of boxes) {
    await bench.click(`#key-box_${box}`);
    await bench.waitForFunction((id) => document.getElementById(id)?.getAttribute('aria-pressed') === 'true', `key-box_${box}`);
  }
}

// Draws chosen cards by two touches each, each card once the dealer's page has the one before.
async function draw(...cards) {
  await tab('cards');
  for (const card of cards) {
    const lay = await page.locator('#table use[href^="#c-"]').count();
    await bench.click(`[data-rank="${card[0]}"]`);
    await bench.click(`[data-suit="${card[1]}"]`);
    await page.waitForFunction((n) => document.querySelectorAll('#table use[href^="#c-"]').length > n, lay);
  }
}

test('a round played only by keys and chosen cards is paid on the dealer’s page', async () => {
  await start('--by-hand');
  await asked('Open the bets');
  await press('bets');
  await asked('Place your bets');
  await chips(2, 5);
  await page.locator('#box-2 li').waitFor();
  await page.locator('#box-5 li').waitFor();
  await press('bets');
  await asked('Card to box 2');
  await draw('TS', '6H', '6D', 'AH', '5C');
  await asked('Pay Black Jack on box 2: 3:2'); // first, and then the call
  assert.equal(await page.locator('#prompt p').innerText(), 'Box 5: Card, Stand or Double?');
  await bench.locator('#prompt strong', { hasText: 'Pay Black Jack on box 2: 3:2' }).waitFor();
  await bench.locator('#lcd', { hasText: /Black Jack 2: PAY\s+3:2\s+BOX 5 CARD STAND\s+DBL\?/ }).waitFor();
  await bench.locator('#lamp-amber.on').waitFor();
  await press('double');
  await asked('Card to box 5');
  await draw('9S');
  await asked('Bank draws');
  await draw('KD', '8C');
  await asked('Pay and press Paid');
  assert.match(await page.locator('#box-2').innerText(), /\+3:2/);
  assert.match(await page.locator('#box-5').innerText(), /\+1:1 ×2/);
  assert.match(await page.locator('#bank').innerText(), /24/);
  await press('paid');
  await asked('Open the bets');
});

// What the dealer sees: where the round is, and what may be done.
const state = () => page.evaluate(() => ({
  moment: document.getElementById('keys').dataset.moment,
  phase: document.getElementById('keys').dataset.phase,
  keys: [...document.querySelectorAll('#keys .key')].map((key) => key.dataset.key),
}));

for (const house of few(['schaffhausen', 'wiesbaden', 'st-moritz', 'st-moritz-65', 'mendrisio', 'baden'], [])) {
  test(`a round in ${house} played only by the panel's keys`, async () => {
    await start('--by-hand', '--house', house);
    await press('bets');
    await asked('Place your bets');
    await chips(2, 5);
    await page.locator('#box-2 li').waitFor();
    await page.locator('#box-5 li').waitFor();
    await press('bets');
    for (let n = 0; ; n += 1) {
      assert.ok(n < 100, 'the round does not end');
      await page.waitForFunction(() => document.getElementById('keys').dataset.phase !== 'bets');
      const now = await state();
      if (now.phase === 'idle') {
        break;
      }
      if (now.keys.includes('insurance-closed')) {
        await press('bets');
      } else if (now.keys.includes('paid')) {
        await press('paid');
      } else if (now.keys.includes('rest')) {
        await press(n % 3 === 0 && now.keys.includes('higher') ? 'higher' : 'rest');
      } else {
        await tab('cards');
        await bench.click('[data-steps="draw"]');
      }
      await page.waitForFunction((was) => document.getElementById('keys').dataset.moment !== was, now.moment)
        .catch(async () => assert.fail(`nothing follows: ${JSON.stringify(now)}, ${await page.textContent('#prompt')}`));
    }
  });
}

soakTest('a misread card holds the round until the supervisor names it', async () => {
  await start('--by-hand');
  await press('bets');
  await asked('Place your bets');
  await chips(1);
  await page.locator('#box-1 li').waitFor();
  await press('bets');
  await asked('Card to box 1');
  await bench.click('[data-tab=cards]');
  await bench.click('[data-steps=unread]');
  await asked('STOP – unread card');
  const lies = await bench.locator('#log .card').first().textContent();
  assert.match(lies, /^(10|[2-9AJQK])[♠♥♦♣]$/);

  await bench.click('#way-identify');
  await bench.click(`[data-rank="${lies.slice(0, -1).replace('10', 'T')}"]`);
  await bench.click(`[data-suit="${'SHDC'['♠♥♦♣'.indexOf(lies.at(-1))]}"]`);
  await bench.locator('#said').waitFor();
  assert.match(await bench.locator('#said').textContent(), /supervisor/i, 'nobody is proven');

  await press('supervisor');
  await bench.getByText('Supervisor: demo-pit-key').waitFor();
  await bench.click('#way-identify');
  await bench.click(`[data-rank="${lies.slice(0, -1).replace('10', 'T')}"]`);
  await bench.click(`[data-suit="${'SHDC'['♠♥♦♣'.indexOf(lies.at(-1))]}"]`);
  await asked('Card to the bank');
  await bench.locator('#ways').waitFor({ state: 'hidden' });
});

soakTest('a cable pulled in mid-round is reported, and the round continues', async () => {
  await start('--by-hand');
  await press('bets');
  await asked('Place your bets');
  await chips(4);
  await page.locator('#box-4 li').waitFor();
  await press('bets');
  await asked('Card to box 4');
  await draw('9H');
  await asked('Card to the bank');
  await bench.click('[data-tab=faults]');
  await bench.click('#cable');
  await asked('STOP – shuffler offline');
  assert.match(await page.locator('#status .shoe').getAttribute('class'), /bad/);
  await bench.click('#cable');
  await asked('Card to the bank');
  await draw('9C', 'TD');
  await asked('Box 4: Card or Stand?');
});

soakTest('a key is long or short, sticks, and contradicts another', async () => {
  await start('--by-hand');
  await tab('keys');
  await bench.click('[data-how=stick]');
  await bench.click('#key-undo');
  await bench.locator('#key-undo.stuck').waitFor();
  await bench.click('#dealer');
  await bench.getByText('the key Undo is down').waitFor();
  await bench.click('[data-how=stick]');
  await bench.click('#key-undo');
  await bench.locator('#key-undo:not(.stuck):not(.closed)').waitFor();

  const button = bench.locator('#key-card');
  await button.hover();
  await bench.mouse.down();
  await bench.locator('#key-card.closed').waitFor();
  await bench.mouse.up();
  await bench.locator('#key-card:not(.closed)').waitFor();

  await button.focus();
  await bench.keyboard.down('Space');
  await bench.locator('#key-card.closed').waitFor();
  await bench.keyboard.up('Space');
  await bench.locator('#key-card:not(.closed)').waitFor();

  await bench.click('[data-how=two]');
  await bench.click('#key-card');
  await bench.click('#key-rest');
  await bench.getByText('Card and Rest: pressed').waitFor();
  await bench.locator('#lamp-buzzer.on').waitFor();
});

soakTest('the simulated dealer stops, and continues where a person leaves the round', async () => {
  await start('--pace', '50ms');
  await page.locator('#table use[href^="#c-"]').first().waitFor();
  await bench.click('[data-tab=cards]');
  await bench.click('[data-steps=draw]');
  await bench.locator('#said').waitFor();
  assert.match(await bench.locator('#said').textContent(), /Hands off/);

  await bench.click('#dealer');
  await bench.locator('#dealer.by-hand').waitFor();
  const view = async () => (await (await page.request.get(new URL('view.json', demo.url).href)).json());
  const { seq } = await view();
  await bench.click('[data-steps=unread]');
  await page.waitForFunction(() => document.querySelector('#prompt.stop'));
  assert.ok((await view()).seq > seq);

  const { round } = await view();
  await bench.click('#dealer');
  await bench.locator('#dealer:not(.by-hand)').waitFor();
  await until(page, async (was) => (await (await fetch('/view.json')).json()).round > was + 1, round);
});

soakTest('a wrong scenario is refused with its line, and a right one is played', async () => {
  await start('--by-hand');
  await bench.click('[data-tab=scenario]');
  await bench.fill('#text', 'wait 1ms\ndraw 11H\n');
  await bench.click('[data-run]');
  await bench.getByText('scenario:2:').waitFor();
  await bench.fill('#text', 'alarm cover\n');
  await bench.click('[data-run]');
  await bench.getByText('The scenario has ended').first().waitFor();
  await asked('STOP – shuffler alarm');
});

test('a key is down for as long as the finger was on it, however late the bench receives it', async () => {
  await start('--by-hand');
  await tab('keys');
  let deliver;
  const delivered = new Promise((resolve) => { deliver = resolve; });
  await bench.route('**/bench/keys', async (route) => {
    await delivered;
    await route.continue();
  }, { times: 1 });
  await bench.locator('#key-bets').click({ delay: 60 });
  deliver();
  await asked('Place your bets');
});

soakTest('with only the keyboard', async () => {
  await start('--by-hand');
  await bench.locator('[data-tab=keys]').focus();
  await bench.keyboard.press('Enter');
  await bench.locator('#key-bets').focus();
  await bench.keyboard.press('Enter', { delay: 60 });
  await asked('Place your bets');
  await bench.locator('#key-box_3').focus();
  await bench.keyboard.press('Space');
  await page.locator('#box-3 li').waitFor();
  await bench.locator('#key-bets').focus();
  await bench.keyboard.press('Space', { delay: 60 });
  await asked('Card to box 3');
  await bench.locator('[data-tab=cards]').focus();
  await bench.keyboard.press('Enter');
  await bench.keyboard.press('7');
  await bench.keyboard.press('h');
  await asked('Card to the bank');
  assert.equal(await page.locator('#box-3 use[href="#c-7H"]').count(), 1);
  await bench.keyboard.press('n');
  await asked('Card to box 3');
});

soakTest('the bench says when it is alone', async () => {
  await start('--by-hand');
  expected.push(/^Failed to load resource: net::ERR_/);
  demo.process.kill('SIGKILL');
  await bench.locator('#lost').waitFor();
  for (const one of [bench, page]) {
    await one.waitForEvent('requestfailed', (asked) => asked.failure().errorText === 'net::ERR_CONNECTION_REFUSED');
  }
});

soakTest('an address that names a panel opens it from the top', async () => {
  await start('--by-hand');
  for (const screen of screens) {
    await bench.setViewportSize(screen);
    await bench.goto('about:blank');
    await bench.goto(`${new URL('bench', demo.url).href}#faults`, { waitUntil: 'load' });
    await bench.locator('#faults').waitFor();
    const down = await bench.evaluate(() => [...document.querySelectorAll('*')].reduce((most, part) => Math.max(most, part.scrollTop), 0));
    assert.equal(down, 0, `${screen.width} by ${screen.height}`);
  }
});

soakTest('everything can be touched on every screen', async () => {
  await start('--by-hand', '--house', 'st-moritz');
  await bench.evaluate(() => document.fonts.ready);
  for (const screen of screens) {
    await bench.setViewportSize(screen);
    for (const name of tabs) {
      await bench.click(`[data-tab=${name}]`);
      const bad = await bench.evaluate(([least, phone]) => {
        const found = [];
        const seen = [...document.querySelectorAll('button, a')].filter((at) => at.getClientRects().length);
        for (const at of seen) {
          const { width, height, left, right, top, bottom } = at.getBoundingClientRect();
          const name = at.textContent.trim();
          if (!phone && (width < least || height < least)) found.push(`${name} is ${width} by ${height}`);
          if (phone && (width < 85 || height < 85)) found.push(`${name} is ${width} by ${height}`);
          if (left < 0 || right > innerWidth || (!phone && (top < 0 || bottom > innerHeight))) found.push(`${name} is off the screen`);
          if (at.tagName === 'BUTTON' && (at.scrollWidth > at.clientWidth || at.scrollHeight > at.clientHeight)) found.push(`${name} is cut`);
        }
        if (document.documentElement.scrollWidth > innerWidth) found.push('the page scrolls sideways');
        return found;
      }, [touch(screen.width), screen.width < 600]);
      assert.deepEqual(bad, [], `${name} at ${screen.width} by ${screen.height}`);
    }
  }
});
