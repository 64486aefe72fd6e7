'use strict';

// What a touch of the screen does. A key with data-put carries the inputs that it puts
// in, and is sent with the moment that it was drawn for: the table takes it at no other.
// A key with data-opens shows a sheet that asks for more. Keys of a keyboard do what the
// key on the screen does that names them in aria-keyshortcuts.
(() => {
  const twice = 300; // ms in which a second touch is the first one's bounce
  const shown = 4000; // ms for which a touch that was not taken is spoken of

  const toast = document.getElementById('toast');
  let last = -twice;
  let open = ''; // the sheet that is open
  let clear;
  let queue = Promise.resolve(); // what was sent before

  function say(what) {
    toast.textContent = what;
    toast.hidden = false;
    clearTimeout(clear);
    clear = setTimeout(() => { toast.hidden = true; }, shown);
  }

  // send puts inputs in, given as JSON, one touch after the other: what was touched first
  // is taken first.
  function send(inputs) {
    const moment = document.getElementById('keys').dataset.moment;
    const sent = queue.then(async () => {
      const response = await fetch('/touch', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: `{"moment":${JSON.stringify(moment)},"put":${inputs}}`,
      });
      return response.json();
    });
    queue = sent.catch(() => {});
    return sent;
  }

  // put sends what a key carries. Whether it was taken is seen on the table itself; of
  // what the table cannot show, the page speaks.
  async function put(key) {
    key.classList.add('sent');
    try {
      const answer = await send(key.dataset.put);
      toast.hidden = true;
      if (answer.rejected === 'moved-on') {
        say(toast.dataset.movedOn);
      } else if (answer.error) {
        say(answer.error);
      }
    } catch {
      say(toast.dataset.notSent);
    } finally {
      key.classList.remove('sent');
    }
  }

  function show(sheet) {
    open = sheet;
    for (const one of document.querySelectorAll('[data-sheet]')) {
      one.hidden = one.dataset.sheet !== sheet;
    }
    document.body.classList.toggle('asking', Boolean(document.querySelector('[data-sheet]:not([hidden])')));
    document.querySelector('[data-sheet]:not([hidden]) button')?.focus({ preventScroll: true });
  }

  document.addEventListener('click', (touch) => {
    const key = touch.target.closest('button, a');
    if (!key) {
      return;
    }
    if (!('quick' in key.dataset)) {
      if (touch.timeStamp - last < twice) {
        touch.preventDefault();
        return;
      }
      last = touch.timeStamp;
    }
    if (key.dataset.put) {
      put(key);
      show('');
    } else if (key.dataset.opens) {
      show(key.dataset.opens);
    } else if ('closes' in key.dataset) {
      show('');
    }
  });

  // A new picture of the table: what was asked is still asked, if it still can be.
  document.addEventListener('table', () => show(open));

  function named(press) {
    const name = press.key.length === 1 ? press.key.toLowerCase() : press.key;
    const all = [...document.querySelectorAll('[aria-keyshortcuts]')];
    return all.find((key) => key.getAttribute('aria-keyshortcuts') === name && key.checkVisibility());
  }

  document.addEventListener('keydown', (press) => {
    if (press.repeat || press.ctrlKey || press.altKey || press.metaKey || press.target.closest('input')) {
      return;
    }
    const key = named(press);
    if (key) {
      press.preventDefault();
      key.click();
    }
  });

  // What the page's other scripts send and say goes the same way.
  window.sabot = { send, say };
})();
