'use strict';

// The screen's light, which it keeps for all pages of Sabot; loaded before the page is painted, so that nothing
// flashes. And what takes a script: the keys for the light and for printing, and the choice of a table or a dealer.
(() => {
  const root = document.documentElement;
  const name = 'sabot-light';

  function kept() {
    try {
      return localStorage.getItem(name);
    } catch {
      return null; // a browser that keeps nothing shows the usual
    }
  }

  root.dataset.light = kept() ?? 'dark';

  // Sends what a form asks for. The page is loaded again once it is done, and else says why it is not.
  async function posts(form, path, asks) {
    const said = form.querySelector('[role="alert"]');
    const key = form.querySelector('button');
    key.disabled = true;
    try {
      const answer = await fetch(path, {
        method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(asks),
      });
      if (answer.ok) {
        location.reload();
        return;
      }
      said.textContent = (await answer.text()).trim();
    } catch {
      said.textContent = form.dataset.lost;
    }
    key.disabled = false;
  }

  // Signs the report as it is on the page: what was seen goes along, so that nobody signs another.
  function signFor(form) {
    const { night, shift, seen } = form.dataset;
    return posts(form, '/figures/report/sign', { night, shift: Number(shift), seen, by: form.elements.by?.value ?? '' });
  }

  // Sends what was in a drop box.
  function countDrop(form) {
    const { night, site, table, journal, record, currency } = form.dataset;
    const { by, amount, reason } = form.elements;
    return posts(form, '/figures/close/drop', {
      night, site, table, journal, record: Number(record), currency, amount: amount.value, reason: reason?.value ?? '', by: by?.value ?? '',
    });
  }

  document.addEventListener('DOMContentLoaded', () => {
    for (const form of document.querySelectorAll('form.drop')) {
      form.addEventListener('submit', (event) => {
        event.preventDefault();
        countDrop(form);
      });
    }
    const lights = document.querySelector('.lights');
    const press = () => {
      for (const key of lights.querySelectorAll('button')) {
        key.setAttribute('aria-pressed', String(key.dataset.to === root.dataset.light));
      }
    };
    lights.hidden = false;
    lights.addEventListener('click', (click) => {
      const to = click.target.dataset.to;
      if (to === undefined) {
        return;
      }
      root.dataset.light = to;
      try {
        localStorage.setItem(name, to);
      } catch {
        // It holds until the page is loaded again.
      }
      press();
    });
    press();
    const filter = document.querySelector('.filter');
    filter?.addEventListener('change', () => filter.requestSubmit());
    // The address has only what is asked for.
    filter?.addEventListener('formdata', (sent) => {
      for (const [name, value] of [...sent.formData]) {
        if (value === '') {
          sent.formData.delete(name);
        }
      }
    });
    const print = document.querySelector('.print');
    if (print !== null) {
      print.hidden = false;
      print.addEventListener('click', () => window.print());
    }
    const sign = document.querySelector('form.sign');
    if (sign !== null) {
      sign.hidden = false;
      sign.addEventListener('submit', (event) => {
        event.preventDefault();
        signFor(sign);
      });
    }
  });
})();
