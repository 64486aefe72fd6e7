'use strict';

(() => {
  // follow hears what the table sends, and where nothing is heard asks again until it is
  // answered. take is given each message, and returns false for one that it can do nothing
  // with; lost is told whether the table is out of reach. Where still is false, messages are
  // taken while a key is pressed, too; beat is given what the table's beat says.
  window.follow = (take, lost, { still = true, beat = () => {} } = {}) => {
    const silence = window.silence ?? 1500; // ms without any message after which the table counts as lost
    const pause = 500; // ms between attempts to reach it again
    const root = document.documentElement;
    const show = still ? unpressed(draw, gone) : draw;

    let stream;
    let watch;

    function connect() {
      stream = new EventSource(document.documentElement.dataset.stream ?? '/events');
      stream.onmessage = ({ data, lastEventId }) => (show({ data, seq: lastEventId }) ? heard() : gone());
      stream.addEventListener('beat', ({ data, lastEventId }) => {
        heard();
        beat(data);
        show({ seq: lastEventId });
      });
      stream.onerror = gone;
      listen();
    }

    // draw has the page say in data-seq which view it shows: a beat with a number says that nothing in that view is new.
    function draw({ data, seq }) {
      if (data !== undefined && !take(data)) {
        return false;
      }
      if (seq) {
        root.dataset.seq = seq;
      }
      return true;
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
  };

  // While a key is pressed, the picture stays as it was when the finger came down: the browser knows of no touch whose key was
  // taken away in between. All of it stays, the moment with the keys, so that a touch is never sent for a later one. A finger
  // that rests on the screen keeps nothing back for longer.
  const longest = 1000; // ms
  const late = 100; // ms after the finger has left, by which the click has come

  /** Keeps messages from take while a key is pressed; again is called where take could do nothing with one of them. */
  function unpressed(take, again) {
    const waiting = []; // what was sent meanwhile
    let pressed = 0; // the timer that ends it

    function release() {
      clearTimeout(pressed);
      pressed = 0;
      if (!waiting.splice(0).every(take)) {
        again();
      }
    }

    function endIn(time) {
      clearTimeout(pressed);
      pressed = setTimeout(release, time);
    }

    document.addEventListener('pointerdown', ({ target }) => target.closest('button, a, summary') && !pressed && endIn(longest), { capture: true });
    for (const kind of ['pointerup', 'pointercancel']) {
      document.addEventListener(kind, () => pressed && endIn(late), { capture: true });
    }
    window.addEventListener('click', () => pressed && release()); // after all that the page does with it

    return (message) => {
      if (!pressed) {
        return take(message);
      }
      waiting.push(message);
      return true;
    };
  }
})();

// amounts knows how amounts are written from the server's example: 1234567 units of the currency, and its decimals.
window.amounts = (example) => {
  const [, thousands, point = '', decimals = ''] = /^1([^0-9]*)234[^0-9]*567(?:([^0-9]+)([0-9]+))?$/.exec(example) ?? [];
  const digits = decimals.length;
  const unit = 10 ** digits;
  return {
    digits,
    unit,
    // money writes minor units.
    money: (minor) => {
      const whole = String(Math.floor(minor / unit)).replace(/\B(?=([0-9]{3})+$)/g, thousands);
      return digits === 0 ? whole : whole + point + String(minor % unit).padStart(digits, '0');
    },
    // minor is what figures with a point come to, in minor units.
    minor: (figures) => {
      const [whole, part = ''] = figures.split('.');
      return Number(whole || '0') * unit + Number(part.padEnd(digits, '0').slice(0, digits) || '0');
    },
    // takes says whether a figure may follow, or a point: nine before the point, and all decimals behind it.
    takes: (figures, figure) => {
      const at = figures.indexOf('.');
      if (figure === '.') {
        return at < 0 && digits > 0;
      }
      return at < 0 ? figures.length < 9 : figures.length - at <= digits;
    },
  };
};
