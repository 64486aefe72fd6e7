'use strict';

// Tables are told something: a dialog asks for what is needed and says what will happen, and the page shows what the
// table answers.
(() => {
  const asks = 'asks' in document.documentElement.dataset;
  const box = document.getElementById('toast');
  const units = document.getElementById('units').dataset;
  let over = 0;

  /** Says something for a moment; fine is good news. */
  window.toast = (said, fine = false, lasts = 8000) => {
    clearTimeout(over);
    box.textContent = said;
    box.classList.toggle('fine', fine);
    box.hidden = !said;
    if (said && lasts) {
      over = setTimeout(() => { box.hidden = true; }, lasts);
    }
  };

  /** Counts how long a table is waited for, until it is stopped. */
  function wait(table, say) {
    const began = Date.now();
    const count = () => say(`${box.dataset.waits.replace('{table}', table)} ${units.s.replace('{n}', Math.round((Date.now() - began) / 1000))}`);
    count();
    const counting = setInterval(count, 1000);
    return () => clearInterval(counting);
  }

  async function send(at, what, fields) {
    const answer = await fetch(`${at}command/${what}`, {
      method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(fields),
    }).catch(() => null);
    if (!answer) {
      return { state: 'not-sent', text: box.dataset.notSent };
    }
    const text = await answer.text().catch(() => '');
    try {
      return answer.ok ? JSON.parse(text) : { state: 'not-sent', text: text.trim() };
    } catch {
      return { state: 'unknown', text: box.dataset.notSent };
    }
  }

  /** Tells a table something without a dialog, and says in a moment's note what became of it. */
  window.order = async (at, table, what, fields) => {
    const stop = wait(table, (said) => window.toast(said, true, 0));
    const { state, text } = await send(at, what, fields);
    stop();
    window.toast(`${signs[state]} ${text}`, state === 'done', state === 'done' ? 5000 : 15000);
  };

  const signs = { done: '✓', refused: '✕', unknown: '?', 'not-sent': '✕' };

  document.addEventListener('click', (touch) => {
    const key = touch.target.closest('[data-order]');
    if (!key) {
      return;
    }
    const dialog = document.getElementById(`order-${key.dataset.order}`);
    const form = dialog.querySelector('form');
    if (dialog.dataset.waits !== undefined) {
      dialog.showModal(); // it still waits
      return;
    }
    form.reset();
    dialog.querySelector('.answer').textContent = '';
    dialog.querySelector('.which').textContent = key.dataset.table;
    dialog.dataset.at = key.dataset.at;
    dialog.dataset.table = key.dataset.table;
    for (const field of form.querySelectorAll('input')) {
      field.value = key.dataset[field.name] ?? '';
    }
    if (asks) {
      form.elements.by.value = window.kept('pit-name') ?? '';
    }
    dialog.showModal();
    const empty = [...form.querySelectorAll('input, textarea')].find((one) => one.required && !one.value);
    (empty ?? form.querySelector('input, textarea') ?? form.querySelector('[data-closes]')).focus();
  });

  for (const dialog of document.querySelectorAll('dialog.order')) {
    const form = dialog.querySelector('form');
    const wrong = dialog.querySelector('.answer');
    const go = form.querySelector('[type="submit"]');
    form.addEventListener('submit', async (sent) => {
      sent.preventDefault();
      const fields = Object.fromEntries(new FormData(form));
      if (asks) {
        window.keep('pit-name', fields.by);
      }
      const { at, table, what } = dialog.dataset;
      go.disabled = true;
      dialog.dataset.waits = '';
      wrong.classList.add('waits');
      const stop = wait(table, (said) => { wrong.textContent = said; });
      const { state, text } = await send(at, what, fields);
      stop();
      go.disabled = false;
      delete dialog.dataset.waits;
      wrong.classList.remove('waits');
      const says = `${signs[state]} ${text}`;
      if (state === 'done' || !dialog.open) {
        dialog.close();
        window.toast(says, state === 'done', state === 'done' ? 5000 : 15000);
      } else {
        wrong.textContent = says;
      }
    });
  }
})();
