'use strict';

// A past round does not change: this keeps the line at the bottom true, which says
// what the table wants meanwhile, and takes keys.
(() => {
  const silence = 1500; // ms without any message after which the table counts as lost
  const pause = 500; // ms between attempts to reach it again

  const now = document.getElementById('now');
  const headline = now.querySelector('b');
  let stream;
  let watch;
  let prompt = headline.textContent;

  function connect() {
    stream = new EventSource('/events');
    stream.onmessage = (message) => {
      const sent = document.createElement('template');
      sent.innerHTML = message.data;
      if (sent.content.querySelector('[data-build="over"]')) {
        location.reload();
        return;
      }
      const section = sent.content.querySelector('#prompt');
      if (section) {
        prompt = section.querySelector('h1').textContent;
        now.classList.toggle('stop', section.classList.contains('stop'));
      }
      heard();
    };
    stream.addEventListener('beat', heard);
    stream.onerror = gone;
    listen();
  }

  function listen() {
    clearTimeout(watch);
    watch = setTimeout(gone, silence);
  }

  function heard() {
    now.classList.remove('lost');
    headline.textContent = prompt;
    listen();
  }

  function gone() {
    now.classList.add('lost');
    headline.textContent = now.dataset.lost;
    stream.close();
    clearTimeout(watch);
    watch = setTimeout(connect, pause);
  }

  const ways = { Escape: 'back', ArrowLeft: 'earlier', ArrowRight: 'later', l: 'list', L: 'list' };
  document.addEventListener('keydown', (press) => {
    const way = document.getElementById(ways[press.key] ?? '');
    if (way && !press.ctrlKey && !press.altKey && !press.metaKey) {
      press.preventDefault();
      way.click();
    }
  });

  document.getElementById('steps').focus({ preventScroll: true });
  connect();
})();
