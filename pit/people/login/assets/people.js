'use strict';

// Sends what stands in a form with data-post there, as JSON, and shows what is answered. A form
// with data-sure asks before that.
(() => {
  /** What is in a form's named fields. */
  function fields(form) {
    const values = {};
    for (const field of form.querySelectorAll('[name]')) {
      if (field.type !== 'radio' || field.checked) {
        values[field.name] = field.value;
      }
    }
    return values;
  }

  /** Asks, and says whether it is to be done. */
  function sure(what) {
    const dialog = document.getElementById('sure');
    document.getElementById('sure-what').textContent = what;
    dialog.returnValue = '';
    dialog.showModal();
    return new Promise((tell) => {
      dialog.addEventListener('close', () => tell(dialog.returnValue === 'yes'), { once: true });
    });
  }

  /** Shows a starting password, until it was written down. */
  function show(title, password) {
    const dialog = document.getElementById('start');
    document.getElementById('start-title').textContent = title;
    document.getElementById('start-password').textContent = password;
    dialog.showModal();
    return new Promise((tell) => {
      dialog.addEventListener('close', tell, { once: true });
    });
  }

  async function send(form) {
    const said = form.querySelector('.said');
    const again = form.querySelector('[data-again]');
    if (again && again.value !== document.getElementById(again.dataset.again).value) {
      said.textContent = form.dataset.differ;
      again.select();
      return;
    }
    if (form.dataset.sure && !(await sure(form.dataset.sure))) {
      return;
    }
    const button = form.querySelector('button');
    button.disabled = true;
    said.textContent = '';
    try {
      const reply = await fetch(form.dataset.post, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(fields(form)),
      });
      const answer = await reply.json();
      if (reply.ok) {
        if (answer.start) {
          await show(answer.title, answer.start);
        }
        if (answer.then) {
          location.replace(answer.then);
        } else {
          location.reload();
        }
        return;
      }
      said.textContent = answer.error;
    } catch {
      said.textContent = document.body.dataset.lost;
    }
    button.disabled = false;
    form.querySelector('input[type=password]')?.select();
  }

  for (const form of document.querySelectorAll('form[data-post]')) {
    form.addEventListener('submit', (press) => {
      press.preventDefault();
      send(form);
    });
  }
})();
