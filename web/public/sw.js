// Shows what the daemon tells a paired device while nobody looks at its page, and opens the page when it is touched.
self.addEventListener("push", (event) => event.waitUntil(show(event.data?.json() ?? {})));

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data));
});

async function show({ title = "duetty", body = "", tag = "duetty", session_id = null }) {
  const pages = await self.clients.matchAll({ type: "window" });
  // Who looks at the page sees it there.
  if (pages.some(({ visibilityState }) => visibilityState === "visible")) return;
  await self.registration.showNotification(title, { body, tag, data: session_id, icon: "/icon-192.png" });
}

async function open(session_id) {
  const address = session_id === null ? "/" : `/#/${session_id}`;
  const [page] = await self.clients.matchAll({ type: "window" });
  if (!page) return self.clients.openWindow(address);
  await page.focus();
  return page.navigate(address);
}
