// The browser of the tests of the pages: one for all suites that run one after the other in a process of Node. One for all
// processes would cost more than it saves, since each word to it would go through a process between.

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { setTimeout } from 'node:timers/promises';
import { browser } from './programs.mjs';

const { chromium } = createRequire(new URL('../../../display/web/e2e/', import.meta.url))('playwright-core');
export const patience = 120_000; // ms after which a page that does not become what is waited for has failed

// Chromium draws the suggestions of its address bar as pages of their own, in a process for each window, which costs more
// than most tests. The others are what Playwright 1.65 switches off, since the last list counts.
const withoutFeatures = [
  'WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup', 'WebUIOmniboxSimplification',
  'AimEnabled', 'AvoidCorsURLLoaderRestartOnRedirect', 'AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable', 'HttpsUpgrades', 'LensOverlay', 'MediaRouter', 'NetworkTimeServiceQuerying', 'OptimizationHints',
  'PaintHolding', 'PreconnectToSearch', 'ThirdPartyStoragePartitioning',
];

/** How Chromium is started. */
function options(notifies = false, names = {}) {
  return {
    executablePath: browser(notifies),
    args: [
      '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking',
      '--disable-component-update', '--disable-sync', `--disable-features=${withoutFeatures}`,
      ...Object.entries(names).map(([name, host]) => `--host-resolver-rules=MAP ${name} ${host}`),
    ],
  };
}

let shared; // the browsers of this process, by how they were started; undefined where each suite has its own

/** Has the suites of this process share browsers. */
export function shareBrowsers() { shared = new Map(); }

/** Closes the browsers that suites have shared. */
export async function closeBrowsers() {
  for (const one of shared?.values() ?? []) await one.close();
  shared?.clear();
}

/** A browser for a suite. One that notifies people has windows; for one, a name of a host may be that of an address. */
export async function openBrowser({ notifies = false, names } = {}) {
  const how = options(notifies, names);
  if (shared === undefined || notifies) { // what one suite is notified of another would see: all windows have one place for it
    return start(how);
  }
  const key = JSON.stringify(how);
  const opened = shared.get(key)?.isConnected() ? shared.get(key) : await start(how);
  shared.set(key, opened);
  return lent(opened);
}

async function start(how) {
  const opened = await chromium.launch(how);
  const plain = opened.newContext.bind(opened);
  opened.newContext = async (more) => {
    const context = await plain({ reducedMotion: 'reduce', ...more });
    context.setDefaultTimeout(patience);
    await context.addInitScript(unhurried);
    context.on('page', refuseAsync);
    return context;
  };
  return opened;
}

/** A browser that stays when the suite closes it. What the suite has opened in it goes. */
function lent(opened) {
  const close = () => Promise.all(opened.contexts().map((context) => context.close()));
  return new Proxy(opened, { get: (of, name) => (name === 'close' ? close : bound(of, of[name])) });
}

const bound = (of, what) => (typeof what === 'function' ? what.bind(of) : what);

/**
 * Waits until a page answers what it is asked, by a function that may be asynchronous, with something that is true; returns
 * that. A page that is loaded anew meanwhile is asked again.
 */
export async function until(page, asks, arg) {
  for (const end = Date.now() + patience; ;) {
    const said = await page.evaluate(asks, arg).catch((error) => {
      if (!/context was destroyed|because of a navigation/.test(error.message)) throw error;
    });
    if (said) return said;
    assert.ok(Date.now() < end, `waited ${patience / 1000} s in vain until ${asks}`);
    await setTimeout(10);
  }
}

/** Waits for something on a page whose scripts have run: before that, what is touched does nothing. */
export const ready = (page, selector) => page.waitForFunction(
  (want) => document.readyState === 'complete' && document.querySelector(want) !== null, selector,
);

/**
 * Waits until a page has said something at its edge. That is seen for some seconds, which may be over when a slow
 * machine looks, but what was said last still stands in the page: a test that waits for the same words again empties it first.
 */
export const toast = (page, what) => page.waitForFunction(
  (want) => document.getElementById('toast')?.textContent.includes(want), what,
);

/** Playwright's own way to wait takes a promise for a yes: a test that asks by one would not wait at all. */
function refuseAsync(page) {
  const waits = page.waitForFunction.bind(page);
  page.waitForFunction = (asks, ...more) => {
    assert.notEqual(asks.constructor.name, 'AsyncFunction', 'waitForFunction does not wait for a promise: use until');
    return waits(asks, ...more);
  };
}

// Runs in each page before its scripts: window.later lets the next touch and the next key come that much later, and
// window.posts is how many of its posts are not answered yet. A computer that stands still for two seconds has no page say
// that it has lost its table, and go dark: what is not about that goes on.
function unhurried() {
  if (window.silence === undefined) window.silence = 120_000;
  const { get } = Object.getOwnPropertyDescriptor(Event.prototype, 'timeStamp');
  let late = 0;
  Object.defineProperty(Event.prototype, 'timeStamp', { get() { return get.call(this) + late; }, configurable: true });
  window.later = (ms) => { late += ms; };
  const { fetch } = window;
  window.posts = 0;
  window.fetch = async (...asked) => {
    const post = asked[1]?.method === 'POST' ? 1 : 0;
    window.posts += post;
    try {
      return await fetch(...asked);
    } finally {
      window.posts -= post;
    }
  };
}

/** Has a page, from its next load on, say as soon as at a table that it hears nothing. */
export const watchful = (page) => page.addInitScript(() => { window.silence = null; });

/** Has the next touch of a page come so long after the last one that it is not the bounce of it. */
export const rested = (page) => page.evaluate(() => window.later(301));
