'use strict';

// Makes the felt as wide as there is room for it: it is drawn 64rem wide, upright 37.5rem. On a phone it is as the table's
// own page is on a phone, as wide as it goes.
(() => {
  function fit() {
    const table = document.getElementById('table');
    const felt = table?.querySelector('.felt');
    if (!felt) {
      return;
    }
    if (matchMedia('(max-width: 30rem)').matches) {
      felt.style.removeProperty('--felt-zoom');
    } else {
      const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
      const wide = matchMedia('(orientation: portrait)').matches ? 37.5 : 64;
      felt.style.setProperty('--felt-zoom', (table.clientWidth / (wide * rem)).toFixed(4));
    }
    document.dispatchEvent(new Event('table')); // fit.js fits the boxes
  }
  document.addEventListener('floor', fit);
  window.addEventListener('resize', fit);
  fit();
})();
