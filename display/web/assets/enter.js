'use strict';

// Lets this screen in with its key: the one behind the # of the address, or the one
// that somebody types. The key is never part of an address that is asked for.
(() => {
  const form = document.getElementById('enter');
  const key = document.getElementById('key');
  const said = document.getElementById('said');
  const button = form.querySelector('button');

  async function enter(text) {
    button.disabled = true;
    said.textContent = '';
    try {
      const answer = await fetch('/enter', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ key: text }),
      });
      if (answer.ok) {
        location.replace('/');
        return;
      }
      said.textContent = answer.status === 429 ? form.dataset.later : form.dataset.wrong;
    } catch {
      said.textContent = form.dataset.lost;
    }
    button.disabled = false;
    key.select();
  }

  form.addEventListener('submit', (press) => {
    press.preventDefault();
    enter(key.value);
  });

  const given = location.hash.slice(1);
  if (given) {
    history.replaceState(null, '', location.pathname);
    enter(given);
  } else {
    key.focus();
  }
})();
