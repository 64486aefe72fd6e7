'use strict';

// Keeps the page true to the table: each message holds the sections that changed,
// as markup, and each takes the place of the element with its id. Where nothing is
// heard, the page says so and asks again until it is answered.
(() => {
  const silence = 1500; // ms without any message after which the table counts as lost
  const pause = 500; // ms between attempts to reach it again

  const lost = document.getElementById('lost');
  let stream;
  let watch;

  function connect() {
    stream = new EventSource('/events');
    stream.onmessage = (message) => (show(message.data) ? heard() : gone());
    stream.addEventListener('beat', heard);
    stream.onerror = gone;
    listen();
  }

  function listen() {
    clearTimeout(watch);
    watch = setTimeout(gone, silence);
  }

  function heard() {
    lost.hidden = true;
    listen();
  }

  function gone() {
    lost.hidden = false;
    stream.close();
    clearTimeout(watch);
    watch = setTimeout(connect, pause);
  }

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

  connect();
})();
