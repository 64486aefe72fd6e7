'use strict';

// Keeps a page true to the floor: each message holds the sections that changed, as markup, and each takes the place of the
// element with its id. Where nothing is heard, the page says so, and since when what it shows is old.
(() => {
  const root = document.documentElement;
  const lost = document.getElementById('lost');
  const units = document.getElementById('units').dataset;
  let heard = Date.now(); // by this screen's clock
  let ahead = 0; // how much the pit's clock is ahead of this screen's

  // What somebody has typed or chosen in a search, and not yet sent.
  const sent = (one) => one.defaultValue ?? ([...one.options].find((option) => option.defaultSelected) ?? one.options[0])?.value;
  const typed = (part) => [...part.querySelectorAll('form[id] :is(input, select, textarea)')].filter((one) => one.value !== sent(one));
  const twin = (one, part) => part.querySelector(`#${one.form.id} [name="${one.name}"]`);

  // What has the focus keeps it, where there is still such a thing, lists stay where they were scrolled to, and what was typed
  // stays where it was.
  function replace(old, part) {
    const focus = old.contains(document.activeElement) ? document.activeElement : null;
    const scrolled = [...old.querySelectorAll('ol[tabindex], details[id]')].map((one) => [one, one.scrollTop, one.open]);
    const find = (one) => {
      if (one.id) {
        return document.getElementById(one.id);
      }
      if (one.dataset.does) {
        return part.querySelector(`[data-alert="${CSS.escape(one.closest('[data-alert]').dataset.alert)}"] [data-does="${one.dataset.does}"]`);
      }
      if (one.dataset.order) {
        return part.querySelector(`[data-order="${one.dataset.order}"]`);
      }
      if (one.form?.id) {
        return twin(one, part);
      }
      return one.tagName === 'A' ? [...part.querySelectorAll('a')].find((other) => other.getAttribute('href') === one.getAttribute('href')) : part.querySelector(one.tagName);
    };
    old.replaceWith(part);
    for (const one of typed(old)) {
      const now = twin(one, part);
      if (now) {
        now.value = one.value;
      }
    }
    for (const [one, top, open] of scrolled) {
      const there = one.id ? document.getElementById(one.id) : part.querySelector('ol[tabindex]');
      if (there) {
        there.scrollTop = top;
        if (one.tagName === 'DETAILS') {
          there.open = open;
        }
      }
    }
    if (focus) {
      find(focus)?.focus({ preventScroll: true });
    }
  }

  // patch replaces what differs. A page that is sent as a whole, as to a screen that was away, is looked at part by part: what is
  // the same stays, with what somebody does in it.
  function patch(old, part) {
    if (old.isEqualNode(part)) {
      return;
    }
    const had = [...old.children];
    const has = [...part.children];
    const alike = part.tagName === 'MAIN' && old.cloneNode().isEqualNode(part.cloneNode()) && had.length === has.length
      && had.every((one, i) => one.tagName === has[i].tagName && one.id === has[i].id);
    if (alike) {
      had.forEach((one, i) => patch(one, has[i]));
    } else {
      replace(old, part);
    }
  }

  // show returns false where the page lacks a section: it must be sent everything.
  function show(markup) {
    const told = document.createElement('template');
    told.innerHTML = markup;
    for (const part of [...told.content.children]) {
      if (part.dataset.build && part.dataset.build !== root.dataset.build) {
        location.reload();
        return true;
      }
      const old = document.getElementById(part.id);
      if (!old) {
        return false;
      }
      patch(old, part);
    }
    document.dispatchEvent(new Event('floor'));
    return true;
  }

  function age(ms) {
    const s = Math.max(0, Math.round(ms / 1000));
    const fill = (text, n) => text.replace('{n}', n);
    if (s < 60) return fill(units.s, s);
    if (s < 3600) return fill(units.m, Math.floor(s / 60));
    if (s < 7200) return `${fill(units.h, Math.floor(s / 3600))} ${fill(units.m, Math.floor(s / 60) % 60)}`;
    if (s < 2 * 86400) return fill(units.h, Math.floor(s / 3600));
    return fill(units.d, Math.floor(s / 86400));
  }

  // Times are the house's, wherever the screen is.
  const houseTime = (at, how) => new Date(at).toLocaleTimeString(root.lang, { ...how, hour12: false, timeZone: root.dataset.zone });

  function ages() {
    const now = Date.now() + ahead;
    for (const time of document.querySelectorAll('time.age[data-at]')) {
      const said = age(now - Date.parse(time.dataset.at));
      if (time.textContent !== said) {
        time.textContent = said;
      }
    }
    const clock = document.getElementById('clock');
    const said = houseTime(now, { hour: '2-digit', minute: '2-digit' });
    if (clock && clock.textContent !== said) {
      clock.textContent = said;
    }
    if (!lost.hidden) {
      lost.querySelector('time').textContent = `${houseTime(heard + ahead, {})} (${age(Date.now() - heard)})`;
    }
  }

  // The pit says what time it is there: ages do not depend on this screen's clock.
  const Source = window.EventSource;
  window.EventSource = class extends Source {
    constructor(...args) {
      super(...args);
      this.addEventListener('beat', (beat) => { heard = Date.now(); ahead = Number(beat.data) - heard || 0; });
      this.addEventListener('message', () => { heard = Date.now(); });
    }
  };
  window.follow((markup) => {
    const shown = show(markup);
    ages();
    return shown;
  }, (is) => {
    lost.hidden = !is;
    ages();
  });
  ages();
  setInterval(ages, 1000);

  document.addEventListener('click', (touch) => {
    const opens = touch.target.closest('[data-opens]');
    if (opens) {
      document.getElementById(opens.dataset.opens).showModal();
    }
    const closes = touch.target.closest('[data-closes]');
    if (closes) {
      closes.closest('dialog').close();
    }
  });

  document.addEventListener('click', async (touch) => {
    const key = touch.target.closest('[data-posts]');
    if (key) {
      if (key.dataset.posts === '/leave') {
        await window.leaving?.();
      }
      const answer = await fetch(key.dataset.posts, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' }).catch(() => null);
      if (answer) {
        location.reload();
      }
    }
  });

  // The address of a search has only what is asked for.
  document.addEventListener('formdata', (sent) => {
    for (const [name, value] of [...sent.formData]) {
      if (value === '') {
        sent.formData.delete(name);
      }
    }
  });
})();
