// Takes the picture of the bench: a person deals, and the second card of box 5 was
// misread; and that of a wrong answer in practice, by somebody who has done well before.
//
//   node bench.mjs SABOT-DEMO FOLDER

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { openBrowser } from '../../display/web/e2e/table.mjs';
import { packed } from './png.mjs';

const [program, folder] = process.argv.slice(2);
assert.ok(program && folder, 'usage: node bench.mjs SABOT-DEMO FOLDER');

const kept = mkdtempSync(join(tmpdir(), 'sabot-practice-'));
const results = join(kept, 'practice.json');
const attempts = [...Array(10).keys()].map((seed) => ({
  at: '2026-11-22T14:00:00Z', house: 'mendrisio', kind: 'payouts', level: 2, seed, topic: 'main/tie', about: 'main/tie', given: '0.00', right: true, took_ms: 4000,
}));
writeFileSync(results, JSON.stringify({ version: 1, trainees: [{ name: 'Anna', attempts }] }));

const table = spawn(program, ['--by-hand', '--practice', results, '--web', '127.0.0.1:0', '--broker', '127.0.0.1:0'], { stdio: ['ignore', 'pipe', 'inherit'] });
const ended = new Promise((resolve) => table.once('exit', resolve));
const browser = await openBrowser();
try {
  const page = await browser.newPage({ viewport: { width: 1024, height: 600 } });
  const address = await addressOf(table);
  await page.goto(address, { waitUntil: 'domcontentloaded' });
  const asked = (text) => page.locator('#prompt strong', { hasText: text }).waitFor();
  const draw = async (rank, suit) => {
    await page.click(`[data-rank="${rank}"]`);
    await page.click(`[data-suit="${suit}"]`);
  };
  await page.click('[data-tab=keys]');
  await page.click('#key-bets', { delay: 60 });
  await asked('Place your bets');
  await page.click('#key-box_2');
  await page.click('#key-box_5');
  await page.locator('#lcd', { hasText: '2 5' }).waitFor();
  await page.click('#key-bets', { delay: 60 });
  await asked('Card to box 2');
  await page.click('[data-tab=cards]');
  await draw('T', 'S');
  await asked('Card to box 5');
  await draw('8', 'H');
  await draw('6', 'D');
  await draw('A', 'H');
  await page.click('[data-steps=unread]');
  await asked('STOP – unread card');
  await page.locator('#lamp-red.on').waitFor();
  writeFileSync(join(folder, 'bench.png'), packed(await page.screenshot()));
  console.log('bench.png');

  await page.goto(`${address}/practice?who=Anna&house=mendrisio&kind=payouts`);
  await page.click('[data-answer]');
  await page.click('[data-next]');
  await page.click('[data-digit="1"]');
  await page.click('[data-answer]');
  await page.locator('#done.wrong').waitFor();
  writeFileSync(join(folder, 'practice.png'), packed(await page.screenshot()));
  console.log('practice.png');
} finally {
  await browser.close();
  table.kill('SIGTERM');
  await ended;
  rmSync(kept, { recursive: true });
}

// addressOf reads where the bench is from what the demonstration says at its start.
async function addressOf({ stdout }) {
  for await (const line of createInterface({ input: stdout })) {
    const found = /^\s*bench\s+(http:\S+)/.exec(line);
    if (found) {
      stdout.resume();
      return found[1];
    }
  }
  throw new Error('the demonstration ended without saying where its bench is');
}
