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

  /** Says what a table is waited for, and for how long, until it is stopped. */
  function wait(table, say) {
    let began = Date.now();
    let what = box.dataset.waits;
    const count = () => say(`${what.replace('{table}', table)} ${units.s.replace('{n}', Math.round((Date.now() - began) / 1000))}`);
    count();
    const counting = setInterval(count, 1000);
    return {
      for(state) {
        began = Date.now();
        what = state === 'waits' ? box.dataset.round : box.dataset.waits;
        count();
      },
      stop: () => clearInterval(counting),
    };
  }

  // The answer is a line of JSON each time that something has become of it; the last one is what it came to.
  async function send(at, what, fields, { stands = () => {}, signal } = {}) {
    const answer = await fetch(`${at}command/${what}`, {
      method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(fields), signal,
    }).catch(() => null);
    if (!answer) {
      return { state: 'not-sent', text: box.dataset.notSent };
    }
    if (!answer.ok) {
      return { state: 'not-sent', text: (await answer.text().catch(() => '')).trim() };
    }
    let last = { state: 'unknown', text: box.dataset.notSent };
    let rest = '';
    try {
      const lines = answer.body.pipeThrough(new TextDecoderStream()).getReader();
      for (let read = await lines.read(); !read.done; read = await lines.read()) {
        const whole = (rest + read.value).split('\n');
        rest = whole.pop();
        for (const line of whole) {
          const now = JSON.parse(line);
          if (now.text) {
            last = now;
          } else {
            stands(now.state);
          }
        }
      }
    } catch {
      // The pit is out of reach: what became of it is not known here.
    }
    return last;
  }

  /** Tells a table something without a dialog, and says in a moment's note what became of it. */
  window.order = async (at, table, what, fields) => {
    const waiting = wait(table, (said) => window.toast(said, true, 0));
    const { state, text } = await send(at, what, fields, { stands: waiting.for });
    waiting.stop();
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

  for (const dialog of document.querySelectorAll('dialog.order[data-what]')) {
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
      const waiting = wait(table, (said) => { wrong.textContent = said; });
      const given = new AbortController();
      let stands = '';
      dialog.addEventListener('close', () => {
        if (stands === 'waits') {
          given.abort(); // nothing was sent yet: it is given up
        }
      }, { once: true });
      const { state, text } = await send(at, what, fields, {
        signal: given.signal,
        stands: (now) => {
          stands = now;
          waiting.for(now);
        },
      });
      waiting.stop();
      go.disabled = false;
      delete dialog.dataset.waits;
      wrong.classList.remove('waits');
      const says = `${signs[state]} ${text}`;
      if (given.signal.aborted) {
        return;
      }
      if (state === 'done' || !dialog.open) {
        dialog.close();
        window.toast(says, state === 'done', state === 'done' ? 5000 : 15000);
      } else {
        wrong.textContent = says;
      }
    });
  }
})();
