'use strict';

// Slips take their steps, and chips are asked for: a dialog says what is about to be done, and the page what the table
// answers.
(() => {
  const step = document.getElementById('slip-step');
  const ask = document.getElementById('chips-ask');
  if (!step) {
    return;
  }
  const asks = 'asks' in document.documentElement.dataset;
  let about = null;

  function opens(dialog, title, says) {
    const form = dialog.querySelector('form');
    form.reset();
    dialog.querySelector('h2').textContent = title;
    dialog.querySelector('[type="submit"]').textContent = says;
    if (asks) {
      form.elements.by.value = window.kept('pit-name') ?? '';
    }
    dialog.showModal();
  }

  /** Who does it, as far as somebody is asked for that. */
  function by(form) {
    const name = form.elements.by?.value ?? '';
    if (asks) {
      window.keep('pit-name', name);
    }
    return name;
  }

  document.addEventListener('click', (touch) => {
    const key = touch.target.closest('[data-slips]');
    if (key) {
      about = { ...key.closest('li[data-slip]').dataset, what: key.dataset.slips };
      const why = step.querySelector('.why');
      why.hidden = about.what !== 'refuse';
      why.querySelector('textarea').required = !why.hidden;
      step.querySelector('.about').textContent = about.sum;
      opens(step, about.name, key.textContent);
      return;
    }
    const one = touch.target.closest('[data-wants]');
    if (one) {
      about = { ...one.dataset, what: one.dataset.wants };
      list(about.values.split(' '), about.names.split('|'));
      ask.querySelector('.answer').textContent = '';
      opens(ask, `${about.table}: ${one.textContent}`, one.textContent);
      total();
      ask.querySelector('fieldset input').focus();
    }
  });

  /** A field for each value. */
  function list(values, names) {
    ask.querySelector('fieldset').replaceChildren(...values.map((value, i) => {
      const label = document.createElement('label');
      const field = document.createElement('input');
      Object.assign(field, { inputMode: 'numeric', pattern: '[0-9]{0,5}', maxLength: 5, name: `of-${value}` });
      field.dataset.value = value;
      label.append(names[i], field);
      return label;
    }));
  }

  const pieces = () => [...ask.querySelectorAll('[data-value]')].map((one) => [one.dataset.value, Number(one.value)]).filter(([, n]) => n > 0);

  function total() {
    const sum = pieces().reduce((so, [value, n]) => so + value * n, 0);
    ask.querySelector('.total b').textContent = (sum / 10 ** about.digits).toLocaleString(document.documentElement.lang, { minimumFractionDigits: Number(about.digits) });
  }
  ask.addEventListener('input', total);

  step.querySelector('form').addEventListener('submit', (sent) => {
    sent.preventDefault();
    const form = sent.target;
    step.close();
    const { at, table, what, kind, slip, chips } = about;
    window.order(at, table, what, {
      by: by(form), kind, slip, text: what === 'refuse' ? form.elements.text.value : '',
      chips: what === 'sent' || what === 'received' ? chips : '',
    });
  });

  ask.querySelector('form').addEventListener('submit', (sent) => {
    sent.preventDefault();
    const chips = pieces().map(([value, n]) => `${value}x${n}`).join(' ');
    const wrong = ask.querySelector('.answer');
    if (!chips) {
      wrong.textContent = wrong.dataset.wrong;
      return;
    }
    ask.close();
    window.order(about.at, about.table, about.what, { by: by(sent.target), chips });
  });
})();
