// A round at a real table: inputs as its screen sends them, cards from its simulated shoe.

import assert from 'node:assert/strict';
import { until } from '../../../internal/testkit/pages/browser.mjs';

/** Puts an input in as the screen does; the answer must be good. */
export async function put(page, input) {
  const { status, said } = await page.evaluate(async (body) => {
    const answered = await fetch('/input', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
    return { status: answered.status, said: await answered.text() };
  }, input);
  assert.equal(status, 200, `${JSON.stringify(input)}: ${said}`);
}

/**
 * Draws cards, and waits for each until it is shown on the felt. The number of the last input says nothing of a card:
 * an answer comes before the picture, and the table notes things by itself.
 */
async function draw(page, shoe, cards) {
  for (const card of cards.split(' ')) {
    const shown = await page.evaluate(felt);
    await shoe.draw(card);
    await until(page, felt, shown);
  }
}

/** How many cards are on the felt, if there are more than so many; runs in the page. */
async function felt(than = -1) {
  const { bank, boxes } = await (await fetch('/view.json')).json();
  const lie = [bank, ...boxes.flatMap((box) => box.hands ?? [])].reduce((sum, hand) => sum + (hand.cards?.length ?? 0), 0);
  return lie > than && lie;
}

/** Deals a round through the shoe, after it was opened: the box's 20 against the bank's 17. */
export async function dealOpened(page, shoe) {
  await put(page, { in: 'stake', box: 1, wager: 'main', bettor: '1', amount: 2000 });
  await put(page, { in: 'close' });
  await until(page, async () => (await (await fetch('/view.json')).json()).due.to === 'box');
  await draw(page, shoe, 'TS 7D KH');
  await put(page, { in: 'call', call: 'rest' });
  await draw(page, shoe, 'TH');
  await put(page, { in: 'paid' });
}
