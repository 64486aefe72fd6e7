'use strict';

// A page without one of its styles looks wrong, and without one of its scripts it may stand still and not say so. Nobody
// at a table has a key to load it again. So the page asks for what did not arrive until it is there, and then loads
// itself again. This is loaded before all that it watches.
(() => {
  const pause = 1000; // ms between attempts

  async function arrives(address) {
    try {
      return (await fetch(address, { cache: 'reload' })).ok;
    } catch {
      return false;
    }
  }

  async function again(address) {
    while (!await arrives(address)) {
      await new Promise((resolve) => { setTimeout(resolve, pause); });
    }
    location.reload();
  }

  window.addEventListener('error', ({ target }) => {
    if (target instanceof Element && target.matches('link[rel="stylesheet"], script[src]')) {
      again(target.href ?? target.src);
    }
  }, { capture: true });
})();
