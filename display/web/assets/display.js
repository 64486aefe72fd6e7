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

  window.follow(show, (lost) => { document.getElementById('lost').hidden = !lost; });
})();
