// Practice with a score at the bench of the built demonstration, by touch, in two houses: what is answered, what comes
// back, what is put right at the table next to it, and what is kept.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { folder as temporary, inMemory, program as built } from '../../../internal/testkit/pages/programs.mjs';
import { padLies } from '../../../internal/testkit/pages/pad.mjs';
import { isFresh, openBrowser, overhear, ready, rotated, soakTest, until } from './table.mjs';

const sizes = [
  { width: 800, height: 480 },
  { width: 1024, height: 600 },
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
];
const languages = ['de', 'it', 'fr', 'en', 'zh'];
const touch = 44; // px

let folder;
let program;
let browser;
let demo;
let screen; // with one cookie jar for the page of practice and the dealer's
let page;
let complaints;

before(async () => {
  folder = temporary('practice');
  program = built('cmd/sabot-demo');
  browser = await openBrowser();
});

after(() => browser?.close());

beforeEach(() => { complaints = []; });

afterEach(async () => {
  await screen?.close();
  screen = undefined;
  await end();
  assert.deepEqual(complaints, []);
});

async function end() {
  demo?.process.kill('SIGINT');
  await demo?.ended;
  demo = undefined;
}

// Starts a demonstration whose results are in a file of that name, and looks at its page of practice.
async function start(results, ...flags) {
  const child = spawn(program, ['--web', '127.0.0.1:0', '--broker', '127.0.0.1:0', '--practice', join(folder, results), ...flags], { stdio: ['ignore', 'pipe', 'inherit'], env: inMemory });
  demo = { process: child, ended: new Promise((resolve) => child.once('exit', resolve)) };
  for await (const line of createInterface({ input: child.stdout })) {
    const found = /^\s*page\s+(http:\S+)/.exec(line);
    if (found) {
      [, demo.url] = found;
      break;
    }
  }
  child.stdout.resume();
  screen ??= await browser.newContext({ viewport: sizes[1], hasTouch: true });
  page = await open('bench');
}

async function open(path) {
  const opened = await screen.newPage();
  overhear(opened, complaints, { expected: [/status of 409/] });
  await opened.goto(new URL(path, demo.url).href, { waitUntil: 'domcontentloaded' });
  return opened;
}

const asked = (who, house, kind) => `bench/practice?${new URLSearchParams({ who, house, kind })}`;
const go = (path) => page.goto(new URL(path, demo.url).href, { waitUntil: 'domcontentloaded' });
const seed = () => page.locator('main').getAttribute('data-seed');
const done = () => page.locator('#done').getAttribute('class');

// Types an amount such as 37.50, and gives it as the answer.
async function pay(amount) {
  await padLies(page, '.pad');
  for (const digit of amount) {
    await page.locator(`[data-digit="${digit}"]`).tap();
  }
  await page.locator('[data-answer]').tap();
  await ready(page, '#done');
}

async function next() {
  await page.locator('[data-next]').tap();
  await ready(page, '#question');
}

// The right amount, as a wrong answer shows it.
const shown = async () => /([\d,]+\.\d\d)/.exec(await page.locator('#done .answer').textContent())[1].replace(',', '');

test('payouts in Wiesbaden: wrong, shown how, again, right', async () => {
  await start('payouts.json');
  await page.locator('a[href="/bench/practice"]').tap();
  await ready(page, '[data-letter=A]');
  for (const letter of 'ANNA') {
    await page.locator(`[data-letter=${letter}]`).tap();
  }
  await page.locator('[data-begin]').tap();
  await page.locator('.here [data-course=payouts]').tap();
  await ready(page, '#question');
  const question = await page.locator('#question').textContent();
  assert.match(question, /^What do you pay to box \d\?$/);
  assert.equal(await page.locator('#table .box').count(), 1);
  assert.ok(await page.locator('#table .box use').count() >= 2, 'cards lie there');
  const missed = await seed();
  await pay('1.23');
  assert.equal(await done(), 'wrong');
  const right = await shown();
  assert.match(await page.locator('#how').textContent(), /In all/);

  await page.reload();
  assert.equal(await done(), 'wrong', 'looking again changes nothing');
  await next();
  for (let n = 0; n < 2; n += 1) {
    assert.notEqual(await seed(), missed);
    await pay('1.23');
    await next();
  }
  assert.equal(await seed(), missed, 'it comes back after two others');
  await page.locator('.where em', { hasText: 'Again' }).waitFor();
  await pay(right);
  assert.equal(await done(), 'right');
  await next();
  assert.notEqual(await seed(), missed);
  const kept = JSON.parse(readFileSync(join(folder, 'payouts.json'), 'utf8')).trainees;
  assert.deepEqual(kept.map((one) => one.name), ['Anna']);
  assert.equal(kept[0].attempts.filter((one) => one.seed === Number(missed)).map((one) => one.right).join(), 'false,true');
});

test('the tray is counted, with the sum of each value where it was wrong', async () => {
  await start('tray.json', '--by-hand');
  await page.setViewportSize(sizes[0]);
  await go(asked('Cara', 'wiesbaden', 'tray'));
  assert.equal(await page.locator('#question').textContent(), 'How much lies in the tray?');
  const lies = await page.$$eval('#tray p', (rows) => rows.map((row) => [...row.children].map((one) => Number(one.textContent.replace(/[ ×,]/g, '')))));
  const sum = lies.reduce((all, [pieces, value]) => all + pieces * value, 0);
  assert.ok(lies.length >= 4 && sum > 0, JSON.stringify(lies));
  await pay('1');
  assert.equal(await done(), 'wrong');
  assert.equal(Number(await shown()), sum);
  assert.equal(await page.locator('#how .lines > div').count(), lies.length + 1);
  for (let n = 0; n < 3; n += 1) {
    await next();
    await pay(n < 2 ? '1' : String(sum));
  }
  assert.equal(await done(), 'right', 'the first comes back after two others');
});

soakTest('the bank in Mendrisio, calls chip by chip; a restart keeps the results, and they can be deleted', async () => {
  await start('kept.json', '--house', 'mendrisio', '--by-hand');
  await go(asked('Ben', 'mendrisio', 'bank'));
  await page.locator('[data-choice=draw]').tap();
  await page.locator('#done').waitFor();
  const first = await done();
  await go(asked('Ben', 'mendrisio', 'calls'));
  await page.locator('[data-choice=card]').tap();
  await page.locator('[data-choice=rest]').tap();
  await page.locator('[data-answer]').tap();
  await page.locator('#done').waitFor();
  await go(asked('Ben', 'mendrisio', 'payouts'));
  await page.locator('[data-chip]').first().tap();
  await page.locator('[data-chip]').first().tap();
  const value = Number(await page.locator('[data-chip]').first().getAttribute('data-chip'));
  assert.equal(Number(await page.locator('#amount').textContent()) * 100, 2 * value);
  const open = await seed();
  await end();

  await start('kept.json', '--house', 'mendrisio', '--by-hand');
  await go(asked('Ben', 'mendrisio', 'payouts'));
  assert.equal(await seed(), open, 'what was not answered is asked again');
  await go('bench/practice/results?who=Ben');
  assert.equal(await page.locator('.courses tbody tr').count(), 2);
  assert.equal(await page.locator('.days tbody tr').count(), 1);
  const bank = page.locator('.courses tbody tr', { hasText: 'The bank' });
  assert.match(await bank.textContent(), first === 'right' ? /100 %/ : /0 %/);
  await page.emulateMedia({ media: 'print' });
  assert.equal(await page.locator('[data-print]').isVisible(), false, 'keys are not printed');
  await page.emulateMedia({ media: 'screen' });
  await go('bench/practice/results');
  await page.locator('.all a', { hasText: 'Ben' }).tap();
  await ready(page, '[data-forget]');
  await page.locator('[data-forget]').tap();
  await page.locator('[data-delete]').tap();
  await page.waitForURL(/practice$/);
  await go('bench/practice/results');
  await page.getByText('Nothing done yet').waitFor();
  assert.deepEqual(JSON.parse(readFileSync(join(folder, 'kept.json'), 'utf8')).trainees, []);
});

// Has something go wrong at the table, and returns the dealer's page.
async function incident(who, house, story) {
  await go(asked(who, house, 'incidents'));
  await page.locator('[data-incident=start]').tap();
  await ready(page, '.story .do');
  assert.match(await page.locator('.story').textContent(), story);
  return open('');
}

soakTest('at the table in Wiesbaden: a key that came too late, put right, and with a card too many', async () => {
  await start('wiesbaden.json', '--pace', '20ms');
  for (const [who, early] of [['Ida', false], ['Jan', true]]) {
    const dealer = await incident(who, 'wiesbaden', /before you pressed the key/);
    if (early) {
      await page.locator('[data-incident=draw]').tap();
      await until(dealer, async () => (await (await fetch('/view.json')).json()).held?.arrived > 0);
      await isFresh(dealer);
    }
    await dealer.locator('#keys .key', { hasText: 'Accept' }).tap();
    await ready(page, '#done');
    assert.equal(await done(), early ? 'wrong' : 'right');
    if (early) {
      await page.getByText('A card was drawn meanwhile').waitFor();
    }
    await dealer.close();
    await page.locator('[data-incident=next]').tap();
    await page.locator('[data-incident=start]').waitFor();
  }
});

soakTest('at the table in Mendrisio: the cable is put in, and a card that nobody read is burnt, which is wrong', async () => {
  await start('mendrisio.json', '--house', 'mendrisio', '--by-hand');
  const first = await incident('Tom', 'mendrisio', /cable/);
  await page.locator('[data-incident=mend]').tap();
  await ready(page, '#done');
  assert.equal(await done(), 'right');
  await first.close();
  await page.locator('[data-incident=next]').tap();
  await page.locator('[data-incident=start]').waitFor();

  const dealer = await incident('Kim', 'mendrisio', /could not read it/);
  await page.locator('[data-incident=supervisor]').tap();
  await dealer.locator('#keys', { hasText: 'demo-pit-key' }).waitFor();
  await dealer.locator('#keys .key', { hasText: 'Burn' }).tap();
  await page.locator('#done.wrong').waitFor();
  await page.getByText('Not the right way').waitFor();
  assert.match(await page.locator('#done').textContent(), /Right is identify \d?[0-9AJQK][♠♥♦♣]/);
});

// Whatever is said lies on the screen and within its box, and whatever is touched is large enough.
function faults(least) {
  const found = [];
  const wide = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth > wide) found.push(`the page scrolls sideways: ${document.documentElement.scrollWidth}`);
  for (const part of document.querySelectorAll('h1, h2, h3, p, b, small, td, th, cite, em, .key, .sum, li span')) {
    const at = part.getBoundingClientRect();
    if (!at.width || part.closest('[hidden], noscript')) continue;
    if (at.right > wide + 1 || at.left < -1) found.push(`beside the screen: ${part.textContent.slice(0, 30)}`);
    if (part.scrollWidth > part.clientWidth + 1 && getComputedStyle(part).display !== 'inline') found.push(`cut: ${part.className} ${part.textContent.slice(0, 30)}`);
    const key = part.closest('.key');
    if (key && part !== key) {
      const within = key.getBoundingClientRect();
      if (at.left < within.left - 1 || at.right > within.right + 1 || at.top < within.top - 1 || at.bottom > within.bottom + 1) found.push(`out of its key: ${part.textContent}`);
    }
  }
  for (const part of document.querySelectorAll('.box, #bank, #question')) {
    if (part.scrollHeight > part.clientHeight + 1) found.push(`cut below: ${part.id}, by ${part.scrollHeight - part.clientHeight} px`);
  }
  for (const part of document.querySelectorAll('.key, input')) {
    const at = part.getBoundingClientRect();
    if (at.width && (at.width < least - 0.5 || at.height < least - 0.5)) found.push(`small: ${part.textContent} ${at.width} x ${at.height}`);
  }
  return found;
}

soakTest('nothing is cut, and keys are large enough, in every language and size', async () => {
  // Who has done well before has the hardest exercises: three guests with side bets on a box, which are not counted.
  const attempts = [['payouts', 'main/tie'], ['tray', 'tray/missing']].flatMap(([kind, topic]) => [...Array(15).keys()].map((n) => ({
    at: '2026-11-22T14:00:00Z', house: 'schaffhausen', kind, level: 1 + Math.floor(n / 5), seed: n, topic, about: topic, given: '0.00', right: true, took_ms: 4000,
  })));
  const trainees = languages.map((language) => ({ name: `Maximiliane ${language}`, attempts }));
  writeFileSync(join(folder, 'sizes.json'), JSON.stringify({ version: 1, trainees }));
  await start('sizes.json', '--by-hand');
  const exercise = (house, kind) => async (who, look) => {
    await go(asked(who, house, kind));
    await look(kind);
    await page.locator(kind === 'bank' ? '[data-choice=draw]' : '[data-answer]').tap();
    await page.locator('#done').waitFor();
    await look(`${kind} done`);
  };
  const single = (what, path) => async (who, look) => {
    await go(path(who));
    await look(what);
  };
  const parts = [
    single('start', () => 'bench/practice'), exercise('schaffhausen', 'payouts'), exercise('baden', 'bank'), exercise('mendrisio', 'calls'),
    exercise('schaffhausen', 'tray'),
    single('choice', (who) => `bench/practice?who=${who}`), single('incident', (who) => asked(who, 'wiesbaden', 'incidents')),
    single('results', (who) => `bench/practice/results?who=${who}`), single('all', () => 'bench/practice/results'),
  ];
  for (const [part, language] of rotated(parts, languages)) {
    await go(`bench/practice?lang=${language}`);
    await part(`Maximiliane ${language}`, async (what) => {
      for (const size of sizes) {
        await page.setViewportSize(size);
        assert.deepEqual(await page.evaluate(faults, touch), [], `${what}, ${language}, ${size.width} by ${size.height}`);
      }
    });
  }
});
