// Takes the pictures: runs the demonstration, waits for a moment that tells
// something, holds everything still, and takes what the page shows.
//
//   node take.mjs SABOTD FOLDER

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { openBrowser } from '../../display/web/e2e/table.mjs';
import { packed } from './png.mjs';

// The seed deals a first round with a split, Twins, Black Jacks and a stand-off.
const demo = ['--demo', '--seed', '37', '--pace', '100ms', '--web', '127.0.0.1:0', '--broker', '127.0.0.1:0'];

// The moments, in the order in which they come in a round: the beginning of what
// the page asks for.
const moments = [
  { picture: 'play.png', prompt: /^Box \d+, hand 2: / },
  { picture: 'payment.png', prompt: /^Pay and press Paid/ },
];

const [program, folder] = process.argv.slice(2);
assert.ok(program && folder, 'usage: node take.mjs SABOTD FOLDER');

const table = spawn(program, demo, { stdio: ['ignore', 'pipe', 'inherit'] });
const ended = new Promise((resolve) => table.once('exit', resolve));
const browser = await openBrowser();
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.goto(await addressOf(table), { waitUntil: 'domcontentloaded' });
  for (const moment of moments) {
    await take(page, moment);
  }
} finally {
  await browser.close();
  table.kill('SIGCONT');
  table.kill('SIGTERM');
  await ended;
}

// addressOf reads where the page is from what the demonstration says at its start.
async function addressOf({ stdout }) {
  for await (const line of createInterface({ input: stdout })) {
    const found = /^\s*page\s+(http:\S+)/.exec(line);
    if (found) {
      stdout.resume();
      return found[1];
    }
  }
  throw new Error('the demonstration ended without saying where its page is');
}

// take waits for a moment and keeps it. The table is stopped meanwhile, which the
// page notices and says if it takes long.
async function take(page, { picture, prompt }) {
  await page.waitForFunction(
    (source) => new RegExp(source).test(document.querySelector('#prompt h1')?.textContent ?? ''),
    prompt.source,
    { timeout: 120_000 },
  );
  table.kill('SIGSTOP');
  const png = await page.screenshot();
  const asked = await page.textContent('#prompt h1');
  const lost = await page.isVisible('#lost');
  table.kill('SIGCONT');
  assert.ok(prompt.test(asked) && !lost, `${picture} was taken too late: run this again`);
  writeFileSync(join(folder, picture), packed(png));
  console.log(`${picture}: ${asked}`);
}
