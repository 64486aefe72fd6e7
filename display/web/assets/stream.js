'use strict';

// follow hears what the table sends, and where nothing is heard asks again until it is
// answered. take is given each message, and returns false for one that it can do nothing
// with; lost is told whether the table is out of reach. It returns a function that asks for everything anew.
window.follow = (take, lost) => {
  const silence = 1500; // ms without any message after which the table counts as lost
  const pause = 500; // ms between attempts to reach it again

  let stream;
  let watch;

  function connect() {
    stream = new EventSource(document.documentElement.dataset.stream ?? '/events');
    stream.onmessage = (message) => (take(message.data) ? heard() : gone());
    stream.addEventListener('beat', heard);
    stream.onerror = gone;
    listen();
  }

  function listen() {
    clearTimeout(watch);
    watch = setTimeout(gone, silence);
  }

  function heard() {
    lost(false);
    listen();
  }

  function gone() {
    lost(true);
    stream.close();
    clearTimeout(watch);
    watch = setTimeout(connect, pause);
  }

  connect();
  return gone;
};
