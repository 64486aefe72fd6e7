// How much a test of the pages has to do. make test, which a landing needs, looks at each state once; make soak looks at
// each state in every language and on every screen.

import { test } from 'node:test';

/** Whether this is a run of make soak. */
export const soak = process.env.SABOT_TIER === 'soak';

/** A test that only make soak runs: one of its kind is in make test. */
export const soakTest = soak ? test : () => {};

/** A list as it is in make soak, and a few of it in make test. */
export const few = (all, some) => (soak ? all : some);

/**
 * Each of these states with a value of each axis, such as a language and a size. In make soak that is each with each. In
 * make test each state comes once, and every value of every axis does: the first axis goes on with each state, the next
 * one with it and by one more after each turn of the first, so that the same two do not always meet.
 */
export function rotated(states, ...axes) {
  if (soak) {
    return axes.reduce((all, axis) => all.flatMap((one) => axis.map((value) => [...one, value])), states.map((one) => [one]));
  }
  const most = Math.max(states.length, ...axes.map((axis) => axis.length));
  return Array.from({ length: most }, (_, i) => {
    const turns = Math.floor(i / (axes[0]?.length ?? 1));
    return [states[i % states.length], ...axes.map((axis, nth) => axis[(i + (nth > 0 ? turns : 0)) % axis.length])];
  });
}
