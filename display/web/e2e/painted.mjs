// Watches a table's page for a benchmark: reports when each new card was painted, and how
// large the page has become.
//
//   node painted.mjs URL
//
// It prints "ready", then for each change of the cards the time at which it was painted,
// in milliseconds since 1970. A line on its input is answered with "heap BYTES nodes
// COUNT", after the browser has freed what it can.

import { createInterface } from 'node:readline';
import { openBrowser } from './table.mjs';

const browser = await openBrowser();
const page = await browser.newPage({ viewport: { width: 1024, height: 600 } });
await page.exposeFunction('painted', (at) => console.log(at));
await page.goto(process.argv[2], { waitUntil: 'domcontentloaded' });
await page.waitForFunction(() => document.querySelectorAll('.box').length > 0);
await page.evaluate(() => {
  const cards = () => [...document.querySelectorAll('#table .cards use')].map((use) => use.getAttribute('href')).join();
  let seen = cards();
  document.addEventListener('table', () => {
    const now = cards();
    if (now === seen) {
      return;
    }
    seen = now;
    // A change made before a frame is on the screen once the frame is over.
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => window.painted(performance.timeOrigin + performance.now());
      port2.postMessage(null);
    });
  });
});
const inspector = await page.context().newCDPSession(page);
await inspector.send('Performance.enable');
console.log('ready');

for await (const _ of createInterface({ input: process.stdin })) {
  await inspector.send('HeapProfiler.collectGarbage');
  const { metrics } = await inspector.send('Performance.getMetrics');
  const value = (name) => metrics.find((metric) => metric.name === name).value;
  console.log(`heap ${value('JSHeapUsedSize')} nodes ${value('Nodes')}`);
}
await browser.close();
