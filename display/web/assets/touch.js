'use strict';

// What a touch of the screen does. A key with data-put carries the inputs that it puts
// in, and is sent with the moment that it was drawn for: the table takes it at no other.
// A key whose data-opens names a sheet shows it instead: it asks for more. Keys of a keyboard do what the
// key on the screen does that names them in aria-keyshortcuts.
(() => {
  const bounce = 80; // ms in which a second touch of the same place is the first one's bounce
  const twice = 300; // ms in which nobody has seen what the first one did: the second is not taken
  const apart = 40; // px from which on it is another place
  const shown = 4000; // ms for which a touch that was not taken is spoken of

  const toast = document.getElementById('toast');
  let last = { at: -twice, x: 0, y: 0 }; // the last touch
  let open = ''; // the sheet that is open
  let opener = ''; // the key that opened it
  let focused = ''; // the key that has the focus
  let clear;
  let queue = Promise.resolve(); // what was sent before

  // say speaks of what was not taken. What was taken is seen on the table.
  function say(what) {
    toast.textContent = what;
    toast.hidden = false;
    clearTimeout(clear);
    clear = setTimeout(() => { toast.hidden = true; }, shown);
  }

  // send puts inputs in, given as JSON, one touch after the other: what was touched first
  // is taken first. A supervisor's name and PIN are for these inputs alone.
  function send(inputs, moment = document.getElementById('keys').dataset.moment, { name, pin } = {}) {
    const proof = pin ? `,"name":${JSON.stringify(name)},"pin":${JSON.stringify(pin)}` : '';
    const sent = queue.then(async () => {
      const response = await fetch('/touch', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: `{"moment":${JSON.stringify(moment)},"put":${inputs}${proof}}`,
      });
      return response.json();
    });
    queue = sent.catch(() => {});
    return sent;
  }

  // why says what is wrong with what was sent.
  function why(answer) {
    return answer.refused === 'too-often' ? toast.dataset.tooOften : answer.error ?? '';
  }

  // came speaks of what came of inputs that the table cannot show.
  function came(answer) {
    toast.hidden = true;
    if (answer.rejected === 'moved-on') {
      say(toast.dataset.movedOn);
    } else if (answer.error) {
      say(why(answer));
    } else if (answer.told) {
      document.dispatchEvent(new CustomEvent('told', { detail: answer.told }));
    }
  }

  // put sends what a key carries, for the moment that it was meant for. Whether it was
  // taken is seen on the table itself; of what the table cannot show, the page speaks. Where the supervisor's key is turned, it
  // proves at the table's own screen alone: another one asks for a PIN.
  async function put(inputs, moment, key) {
    try {
      const answer = await send(inputs, moment);
      if (answer.refused === 'needs-pin' && sheetNamed('pin')) {
        show('pin', key);
      } else {
        came(answer);
      }
    } catch {
      say(toast.dataset.notSent);
    }
  }

  async function touched(key) {
    key.classList.add('sent');
    await put(key.dataset.put, 'always' in key.dataset ? '' : document.getElementById('keys').dataset.moment, key);
    key.classList.remove('sent');
  }

  const sheetNow = () => document.querySelector('[data-sheet]:not([hidden])');
  const sheetNamed = (name) => (name ? document.querySelector(`[data-sheet="${CSS.escape(name)}"]`) : null);
  const keyNamed = (name) => (name ? document.querySelector(`[data-key="${CSS.escape(name)}"]`) : null);

  // show opens a sheet, "" for none. The focus goes into it, and in the end back to the
  // key that opened it.
  function show(sheet, by) {
    for (const one of document.querySelectorAll('[data-sheet]')) {
      one.hidden = one.dataset.sheet !== sheet;
    }
    const was = open;
    open = sheetNow()?.dataset.sheet ?? '';
    document.body.classList.toggle('asking', Boolean(open));
    if (open === was) {
      return;
    }
    if (!was) {
      opener = by?.dataset.key ?? '';
    }
    (open ? sheetNow().querySelector('button:not([data-closes])') : keyNamed(opener))?.focus({ preventScroll: true });
    document.dispatchEvent(new CustomEvent('sheet', { detail: { name: open, by } }));
  }

  document.addEventListener('click', (touch) => {
    const key = touch.target.closest('button, a');
    if (!key) {
      return;
    }
    if (!('quick' in key.dataset)) {
      const far = touch.detail > 0 && Math.hypot(touch.clientX - last.x, touch.clientY - last.y) > apart;
      if (touch.timeStamp - last.at < twice && !far) {
        touch.preventDefault();
        if (touch.timeStamp - last.at > bounce) {
          say(toast.dataset.twice);
        }
        return;
      }
      last = { at: touch.timeStamp, x: touch.clientX, y: touch.clientY };
    }
    if (sheetNamed(key.dataset.opens)) {
      show(key.dataset.opens, key);
    } else if (key.dataset.put) {
      touched(key);
      show('');
    } else if ('closes' in key.dataset) {
      show('');
    }
  });

  // A new picture of the table: what was asked is still asked, if it still can be.
  // The key that had the focus has it still, if it still is there.
  document.addEventListener('table', () => {
    show(open);
    if (document.activeElement === document.body) {
      keyNamed(focused)?.focus({ preventScroll: true });
    }
  });

  document.addEventListener('focusin', (event) => { focused = event.target.dataset.key ?? ''; });

  // While a sheet is open, the keyboard is its own.
  function named(press) {
    const name = press.key.length === 1 ? press.key.toLowerCase() : press.key;
    const all = [...(sheetNow() ?? document).querySelectorAll('[aria-keyshortcuts]')];
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

  // What the page's other scripts send, say and open goes the same way.
  window.sabot = { send, put, came, say, why, open: show };
})();
