// The table's pads of figures: whoever can type on one finds each figure in its place on every other.

import assert from 'node:assert/strict';

/** Asserts that the pad in sight in a part of a page has 1 2 3, 4 5 6, 7 8 9 and, below 8 and 9, 0 and ⌫. */
export async function padLies(page, within) {
  const wrong = await page.evaluate((part) => {
    const at = new Map();
    for (const key of document.querySelectorAll(`${part} button`)) {
      const sign = key.textContent.trim();
      if (/^[0-9⌫]$/.test(sign) && key.checkVisibility()) {
        const { left, top, width, height } = key.getBoundingClientRect();
        at.set(sign, { x: left + width / 2, y: top + height / 2, twice: at.has(sign) });
      }
    }
    const rows = ['123', '456', '789', ' 0⌫'];
    const missing = [...rows.join('')].filter((sign) => sign !== ' ' && (!at.has(sign) || at.get(sign).twice));
    if (missing.length > 0) return [`${missing} are not there once each`];
    const near = (a, b) => Math.abs(a - b) < 3;
    return rows.flatMap((row, y) => [...row].flatMap((sign, x) => {
      const key = at.get(sign);
      if (!key) return [];
      const column = at.get(rows[0][x]);
      const left = [...row][x - 1] === ' ' ? undefined : at.get([...row][x - 1]);
      const above = y > 0 ? at.get([...rows[y - 1]][x]) : undefined;
      const lies = near(key.x, column.x) && (!left || near(key.y, left.y) && key.x > left.x + 9) && (!above || key.y > above.y + 9);
      return lies ? [] : [`${sign} is at ${Math.round(key.x)}, ${Math.round(key.y)}`];
    }));
  }, within);
  assert.deepEqual(wrong, [], `the pad in ${within}`);
}
