'use strict';

// Alerts are taken up by a named person, and heard where nobody has taken them up: a sound while one stands, and a
// notification of the browser for each new one, where both were allowed.
(() => {
  const root = document.documentElement;
  const ask = document.getElementById('ask');
  const form = ask.querySelector('form');
  const wrong = document.getElementById('ask-wrong');
  const asks = 'asks' in root.dataset;
  let what = null;

  async function send(id, does, said) {
    const answer = await fetch(`/alerts/${encodeURIComponent(id)}/${does}`, {
      method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(said),
    }).catch(() => null);
    if (!answer) {
      return document.getElementById('toast').dataset.notSent;
    }
    return answer.ok ? '' : (await answer.text()).trim();
  }

  // What was noted here is told to the table, too, where it takes that.
  function tell({ does, at, table, code, called, by }) {
    if (code && does === 'seen') {
      window.order(at, table, 'acknowledge', { by, code });
    } else if (called && does === 'coming') {
      window.order(at, table, 'coming', { by });
    }
  }

  const told = ({ dataset: { alert: id, code, at, table, called } }) => ({ id, code, at, table, called: called !== undefined });

  // All that were put right are seen by one touch, with one note.
  const right = () => [...document.querySelectorAll('#open .alert.right:not(.seen)')];

  async function come(key, alert) {
    key.classList.add('sent');
    const failed = await send(alert.id, 'coming', { by: '', note: '' });
    key.classList.remove('sent');
    if (failed) {
      window.toast(failed);
    } else {
      tell({ ...alert, does: 'coming', by: '' });
    }
  }

  document.addEventListener('click', async (touch) => {
    const key = touch.target.closest('[data-does]');
    if (!key) {
      return;
    }
    const { does } = key.dataset;
    const alerts = (does === 'all-seen' ? right() : [key.closest('[data-alert]')]).map(told);
    what = { does: does === 'all-seen' ? 'seen' : does, alerts };
    if (does === 'coming' && !asks) {
      await come(key, alerts[0]);
      return;
    }
    document.getElementById('ask-title').textContent = ask.dataset[what.does];
    form.querySelector('[type="submit"]').textContent = ask.dataset[what.does];
    document.getElementById('ask-about').textContent = key.dataset.about;
    document.getElementById('ask-note').hidden = does === 'coming';
    document.getElementById('ask-tells').hidden = !alerts.some((one) => does === 'coming' ? one.called : one.code);
    wrong.textContent = '';
    form.reset();
    form.elements.by.value = window.kept('pit-name') ?? '';
    ask.showModal();
    (asks && !form.elements.by.value ? form.elements.by : form.elements.note).focus();
  });

  form.addEventListener('submit', async (sent) => {
    sent.preventDefault();
    const said = { by: form.elements.by.value, note: what.does === 'seen' ? form.elements.note.value : '' };
    wrong.textContent = '';
    for (const one of what.alerts) {
      const failed = await send(one.id, what.does, said);
      if (failed) {
        wrong.textContent = failed;
      } else {
        tell({ ...one, does: what.does, by: said.by });
      }
    }
    if (!wrong.textContent) {
      if (asks) {
        window.keep('pit-name', said.by);
      }
      ask.close();
    }
  });

  // Sound: two tones, again every ten seconds while something stands that nobody has taken up.
  let audio = null;
  let last = 0;
  function tone() {
    if (root.dataset.pitSound !== 'on' || !audio || Date.now() - last < 9500) {
      return;
    }
    last = Date.now();
    for (const [at, pitch] of [[0, 880], [0.25, 660], [0.5, 880]]) {
      const one = audio.createOscillator();
      const gain = audio.createGain();
      one.frequency.value = pitch;
      gain.gain.setValueAtTime(0.25, audio.currentTime + at);
      gain.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + at + 0.24);
      one.connect(gain).connect(audio.destination);
      one.start(audio.currentTime + at);
      one.stop(audio.currentTime + at + 0.25);
    }
    root.dataset.sounded = String(Number(root.dataset.sounded ?? 0) + 1);
  }

  // A browser sounds only after somebody has touched the page.
  function allow() {
    if (root.dataset.pitSound === 'on') {
      audio ??= new AudioContext();
      audio.resume();
    }
  }
  document.addEventListener('pointerdown', allow);
  document.addEventListener('keydown', allow);

  // A browser on a phone shows notifications only of a worker; another needs none, as while the worker starts.
  async function show(title, options) {
    const worker = await navigator.serviceWorker?.getRegistration('/').catch(() => null);
    if (worker?.active) {
      await worker.showNotification(title, options);
      return;
    }
    const note = new Notification(title, options);
    note.onclick = () => { window.focus(); note.close(); };
  }

  const notified = new Set();
  function loud() {
    return [...document.querySelectorAll('[data-loud]')];
  }
  function notify() {
    for (const one of loud()) {
      const name = one.dataset.loud;
      if (!notified.has(name)) {
        notified.add(name);
        if (ready && root.dataset.pitNotify === 'on' && root.dataset.pitPush !== 'on' && window.Notification?.permission === 'granted') {
          show(one.querySelector('h3').textContent, { body: one.querySelector('.how')?.textContent ?? '', tag: name, requireInteraction: true });
          root.dataset.notified = String(Number(root.dataset.notified ?? 0) + 1);
        }
        if (ready) {
          last = 0;
        }
      }
    }
    if (loud().length > 0) {
      tone();
    }
  }
  let ready = false; // what stood when the page was opened is no news
  notify();
  ready = true;
  document.addEventListener('floor', notify);
  setInterval(notify, 1000);

  document.addEventListener('set', async (set) => {
    if (!set.detail) {
      return; // only its keys are to be shown anew
    }
    allow();
    const unheard = document.getElementById('unheard');
    unheard.hidden = true;
    if (set.detail === 'pit-notify' && root.dataset.pitNotify === 'on') {
      const may = window.Notification ? await Notification.requestPermission() : 'denied';
      await navigator.serviceWorker?.register('/worker.js', { scope: '/' }).catch(() => null);
      if (may !== 'granted') {
        window.keep('pit-notify', 'off');
        unheard.hidden = false;
        document.dispatchEvent(new CustomEvent('set', { detail: '' }));
      }
    }
  });
})();
