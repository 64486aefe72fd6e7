// Runs suites one after the other, as run.mjs names them. A process of Node for each suite, each with a browser of its own,
// cost a fifth of what all page tests cost.

import { describe } from 'node:test';
import { closeBrowsers, shareBrowsers } from './browser.mjs';

shareBrowsers();
process.on('message', async (file) => {
  if (file) {
    describe(file, () => import(file));
    return;
  }
  await closeBrowsers();
  process.disconnect();
});
