'use strict';

// One touch prints the sheet.
(() => {
  const print = document.getElementById('print');
  print.addEventListener('click', () => window.print());
  document.addEventListener('keydown', (press) => {
    if (press.key.toLowerCase() === 'p' && !press.ctrlKey && !press.altKey && !press.metaKey) {
      print.click();
    }
  });
})();
