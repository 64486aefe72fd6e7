'use strict';

// ? and F1 open the help. While a sheet asks for something, the keyboard is its own.
document.addEventListener('keydown', (press) => {
  const asks = (press.key === '?' || press.key === 'F1') && !press.ctrlKey && !press.altKey && !press.metaKey;
  if (asks && !document.querySelector('[data-sheet]:not([hidden])')) {
    press.preventDefault();
    location.assign('/help');
  }
});
