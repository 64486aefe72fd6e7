'use strict';

// Whether this browser is called for alerts also while no page of the pit is open. What it says is how it is: the browser
// is asked, and the pit.
(() => {
  const root = document.documentElement;
  const box = document.getElementById('push');
  const why = document.getElementById('push-why');
  root.dataset.pitPush = 'off';
  if (!box) {
    return;
  }

  function say(text) {
    why.textContent = text;
    why.hidden = !text;
  }

  function is(on) {
    root.dataset.pitPush = on ? 'on' : 'off';
    for (const key of box.querySelectorAll('[data-push]')) {
      key.setAttribute('aria-pressed', String((key.dataset.push === 'on') === on));
    }
  }

  // cannot says why this browser cannot be called, '' if it can.
  function cannot() {
    if (!window.isSecureContext) {
      return why.dataset.insecure;
    }
    return navigator.serviceWorker && window.PushManager && window.Notification ? '' : why.dataset.missing;
  }

  async function post(path, said) {
    const answer = await fetch(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(said) }).catch(() => null);
    if (!answer) {
      return document.getElementById('toast').dataset.notSent;
    }
    return answer.ok ? '' : (await answer.text()).trim();
  }

  async function subscription() {
    const worker = await navigator.serviceWorker.getRegistration('/');
    return await worker?.pushManager.getSubscription() ?? null;
  }

  // ours says whether a subscription was made with the pit's key.
  function ours(one) {
    const bytes = new Uint8Array(one.options.applicationServerKey ?? []);
    const text = btoa(String.fromCharCode(...bytes)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
    return text === box.dataset.key;
  }

  async function tell(one, first) {
    const { endpoint, keys } = one.toJSON();
    const wrong = await post('/push', { endpoint, p256dh: keys.p256dh, auth: keys.auth, first });
    if (wrong) {
      await one.unsubscribe();
    }
    return wrong;
  }

  async function switchOn() {
    if (await Notification.requestPermission() !== 'granted') {
      return why.dataset.denied;
    }
    try {
      await navigator.serviceWorker.register('/worker.js', { scope: '/' });
      const worker = await navigator.serviceWorker.ready;
      const one = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: box.dataset.key });
      return await tell(one, true);
    } catch {
      return why.dataset.failed;
    }
  }

  async function switchOff() {
    const one = await subscription();
    if (!one) {
      return '';
    }
    const wrong = await post('/push/end', { endpoint: one.endpoint });
    return await one.unsubscribe() ? '' : wrong; // the pit notices, too, that it is gone
  }

  // Who enters with a browser is called on it, and not who used it before.
  async function renew() {
    const had = await subscription();
    if (!had) {
      return is(false);
    }
    if (!ours(had)) {
      await had.unsubscribe();
      const wrong = await switchOn();
      say(wrong);
      return is(!wrong);
    }
    const told = [had.endpoint, root.lang, box.dataset.who].join(' ');
    if (sessionStorage.getItem('sabot-push') !== told) {
      const wrong = await tell(had, false);
      if (wrong) {
        say(wrong);
        return is(false);
      }
      sessionStorage.setItem('sabot-push', told);
    }
    return is(true);
  }

  // Who leaves is not called here any more.
  window.leaving = async () => {
    if (!cannot()) {
      await switchOff().catch(() => '');
    }
  };

  const no = cannot();
  if (no) {
    say(no);
    for (const key of box.querySelectorAll('[data-push]')) {
      key.disabled = true;
    }
    return;
  }
  renew().catch(() => is(false));
  box.addEventListener('click', async (touch) => {
    const key = touch.target.closest('[data-push]');
    if (!key || box.ariaBusy === 'true') {
      return;
    }
    box.ariaBusy = 'true';
    say('');
    const on = key.dataset.push === 'on';
    const wrong = await (on ? switchOn() : switchOff());
    say(wrong);
    is(on ? !wrong : Boolean(wrong));
    box.ariaBusy = 'false';
  });
})();
