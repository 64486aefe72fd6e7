'use strict';

// Searches the help: what does not speak of it is hidden. Esc first ends the search, then leads
// back to the table.
(() => {
  const search = document.getElementById('search');
  const plain = (text) => text.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '');

  function find() {
    const wanted = plain(search.value).split(/\s+/).filter(Boolean);
    const speaks = (text) => wanted.every((word) => plain(text).includes(word));
    let any = false;
    for (const section of document.querySelectorAll('#steps section')) {
      const title = section.querySelector('h2').textContent;
      let shown = 0;
      for (const part of section.querySelectorAll('.part')) {
        part.hidden = !speaks(`${title} ${part.textContent}`);
        shown += Number(!part.hidden);
      }
      section.hidden = shown === 0;
      any ||= shown > 0;
    }
    document.getElementById('nothing').hidden = any;
  }

  search.addEventListener('input', find);
  document.addEventListener('keydown', (press) => {
    if (press.key === 'Escape' && search.value) {
      press.stopImmediatePropagation();
      search.value = '';
      find();
    } else if (press.key === '/' && document.activeElement !== search) {
      press.preventDefault();
      search.focus();
    }
  }, { capture: true });
})();
