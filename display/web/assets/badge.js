'use strict';

// A reader types the number of a dealer's badge, as a keyboard would, and Enter. It types
// much faster than a person: so a character is held back for a moment, to see whether more
// follow. What a person has typed goes on to where it was meant for; a badge's number goes to
// the table alone, and no key of the page ever hears of it. This is loaded before everything
// else that listens to the keyboard.
(() => {
  const apart = 50; // ms between two characters of a reader at most
  const least = 6; // characters of a number

  const root = document.documentElement;
  const again = new WeakSet(); // what a person has typed, on its way again
  let held = []; // the characters that came quickly one after the other
  let timer;

  // release sends on what a person has typed. So many characters in so short a time are no
  // person's: without their Enter they are no badge either, and go nowhere.
  function release() {
    clearTimeout(timer);
    const typed = held;
    held = [];
    if (typed.length >= least) {
      return;
    }
    for (const press of typed) {
      const copy = new KeyboardEvent('keydown', { key: press.key, code: press.code, shiftKey: press.shiftKey, bubbles: true, cancelable: true });
      again.add(copy);
      const target = press.target.isConnected ? press.target : document.body;
      if (target.dispatchEvent(copy) && target.matches('input, textarea')) {
        target.setRangeText(press.key, target.selectionStart, target.selectionEnd, 'end');
        target.dispatchEvent(new InputEvent('input', { data: press.key, inputType: 'insertText', bubbles: true }));
      }
    }
  }

  function take(press) {
    press.preventDefault();
    press.stopImmediatePropagation();
  }

  async function read(number) {
    const say = (what) => window.sabot?.say(what);
    try {
      const response = await fetch('/dealer/badge', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ badge: number }),
      });
      document.dispatchEvent(new CustomEvent('badge', { detail: { ok: response.ok, ...await response.json() } }));
    } catch {
      say(document.getElementById('toast')?.dataset.notSent);
    }
  }

  window.addEventListener('keydown', (press) => {
    if (again.has(press) || !('badge' in root.dataset) || press.isComposing) {
      return;
    }
    const late = held.length > 0 && press.timeStamp - held.at(-1).timeStamp > apart;
    if (late) {
      release();
    }
    if (/^[0-9A-Za-z]$/.test(press.key) && !press.ctrlKey && !press.altKey && !press.metaKey) {
      take(press);
      if (!press.repeat) {
        held.push(press);
      }
      clearTimeout(timer);
      timer = setTimeout(release, apart);
    } else if (press.key === 'Enter' && held.length >= least) {
      take(press);
      clearTimeout(timer);
      const number = held.map((one) => one.key).join('');
      held = [];
      read(number);
    } else if (press.key !== 'Shift') {
      release();
    }
  }, { capture: true });
})();
