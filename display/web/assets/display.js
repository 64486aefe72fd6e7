'use strict';

// Keeps the page true to the table: each message holds the sections that changed,
// as markup, and each takes the place of the element with its id. Where nothing is
// heard, the page says so and asks again until it is answered.
(() => {
  // show returns false where the page lacks a section: it must be sent everything.
  function show(markup) {
    const sent = document.createElement('template');
    sent.innerHTML = markup;
    for (const part of [...sent.content.children]) {
      if (part.dataset.build && part.dataset.build !== document.documentElement.dataset.build) {
        location.reload();
        return true;
      }
      const old = document.getElementById(part.id);
      if (!old) {
        return false;
      }
      old.replaceWith(part);
    }
    document.dispatchEvent(new Event('table'));
    for (const due of document.querySelectorAll('.box.active, .box.active .due')) {
      due.scrollIntoView({ block: 'nearest' });
    }
    return true;
  }

  // While a key is pressed, the picture stays as it was when the finger came down: the browser knows of no touch whose key was
  // taken away in between. All of it stays, the moment with the keys, so that a touch is never sent for a later one. A finger
  // that rests on the screen keeps nothing back for longer.
  const longest = 1000; // ms
  const late = 100; // ms after the finger has left, by which the click has come
  const waiting = []; // what was sent meanwhile
  let pressed = 0; // the timer that ends it

  function take(markup) {
    if (!pressed) {
      return show(markup);
    }
    waiting.push(markup);
    return true;
  }

  function release() {
    clearTimeout(pressed);
    pressed = 0;
    if (!waiting.splice(0).every(show)) {
      again();
    }
  }

  function endIn(time) {
    clearTimeout(pressed);
    pressed = setTimeout(release, time);
  }

  document.addEventListener('pointerdown', ({ target }) => target.closest('button, a') && !pressed && endIn(longest), { capture: true });
  for (const kind of ['pointerup', 'pointercancel']) {
    document.addEventListener(kind, () => pressed && endIn(late), { capture: true });
  }
  window.addEventListener('click', () => pressed && release()); // after all that the page does with it

  const again = window.follow(take, (lost) => { document.getElementById('lost').hidden = !lost; });
})();
