'use strict';

// Shows what the pit calls people for, also while none of its pages is open.

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

self.addEventListener('push', (event) => {
  const said = event.data?.json() ?? {};
  event.waitUntil(self.registration.showNotification(said.title ?? 'Sabot', {
    body: said.body ?? '',
    tag: said.tag ?? 'sabot',
    renotify: !said.silent,
    silent: Boolean(said.silent),
    requireInteraction: !said.silent,
    icon: '/assets/icon.svg',
    data: { where: said.where },
  }));
});

// A notification leads to its table: in a page that is open, or in a new one.
self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const where = new URL(event.notification.data?.where ?? '/alerts', self.location.origin);
  if (where.origin !== self.location.origin) {
    return;
  }
  event.waitUntil((async () => {
    const open = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
    const there = open.find((one) => new URL(one.url).pathname === where.pathname) ?? open[0];
    if (!there) {
      await self.clients.openWindow(where.href);
      return;
    }
    await there.focus();
    if (new URL(there.url).pathname !== where.pathname) {
      await there.navigate(where.href).catch(() => self.clients.openWindow(where.href));
    }
  })());
});

// A push service may give a browser another address: the pit is told.
self.addEventListener('pushsubscriptionchange', (event) => {
  event.waitUntil((async () => {
    const options = event.oldSubscription?.options;
    const now = event.newSubscription ?? (options && await self.registration.pushManager.subscribe(options));
    if (!now) {
      return;
    }
    const { endpoint, keys } = now.toJSON();
    await fetch('/push', {
      method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ endpoint, p256dh: keys.p256dh, auth: keys.auth, first: false }),
    });
  })());
});
