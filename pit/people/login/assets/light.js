'use strict';

// The light that this screen has chosen, before anything is painted.
(() => {
  let light = 'dark';
  try {
    light = localStorage.getItem('sabot-light') ?? light;
  } catch {
    // A browser that keeps nothing shows the usual.
  }
  document.documentElement.dataset.light = light;
})();
