'use strict';

// Keeps the guests' page true to the table: each message is all of it. Where nothing is heard,
// it says so: an amount that may be wrong is none.
(() => {
  const root = document.documentElement;

  // fit writes the paytables as large as there is room for: each house has others.
  function fit() {
    const pays = document.querySelector('#guest .pays');
    for (let size = 3.4; size >= 1; size -= 0.1) {
      pays.style.fontSize = `${size}rem`;
      if ([pays, ...pays.querySelectorAll('dt')].every((one) => one.scrollWidth <= one.clientWidth && one.scrollHeight <= one.clientHeight + 1)) {
        return;
      }
    }
  }

  function show(markup) {
    const sent = document.createElement('template');
    sent.innerHTML = markup;
    const table = sent.content.firstElementChild;
    if (table.dataset.build !== root.dataset.build) {
      location.reload();
      return true;
    }
    document.getElementById('guest').replaceWith(table);
    root.lang = table.lang;
    fit();
    return true;
  }

  addEventListener('resize', fit);
  fit();
  window.follow(show, (lost) => {
    const table = document.getElementById('guest');
    table.classList.toggle('lost', lost);
    table.querySelector('.stale').hidden = !lost;
  });
})();
