// Tells a person who is elsewhere that they are needed: notifications of the browser, the page's icon, the app's badge. Loaded
// with the first need. Owns: that each need is told once. Refuses: to ask for the browser's permission (settings/notifications.ts).
import { createEffect, createMemo, createRoot, on } from "solid-js";
import { noticeOf } from "../../src/core/base/question-words.ts";
import type { Need } from "../../src/protocol/words/need.ts";
import type { PageState } from "../app/page-state.ts";
import { hostOf } from "../hosts/words.ts";
import { labelOf } from "../sessions/labels.ts";
import type { SettingsStore } from "../settings/settings.ts";

/** More are told as such. */
const COUNT_MAX = 9;

interface Notice {
  /** The same need has the same tag. */
  readonly tag: string;
  readonly title: string;
  readonly body: string;
  readonly session_id: string | null;
}

export function tellOutside(page: PageState): void {
  createRoot(() => {
    notifyOfNeeds(page);
    notifyOfTurns(page);
    createEffect(() => showCount(page.needs.all().length));
    // Nobody counts on.
    window.addEventListener("pagehide", () => showCount(0));
  });
}

function notifyOfNeeds(page: PageState): void {
  const open = new Map<string, Notification>();
  const told = new Set<string>();
  createEffect(() => {
    const now = page.needs.all();
    for (const [tag, notification] of open)
      if (!now.some((need) => need.tag === tag)) {
        notification.close();
        open.delete(tag);
      }
    for (const need of now) {
      if (told.has(need.tag)) continue;
      told.add(need.tag);
      const shown = isAway(page.settings) ? notify(noticeAt(need), page) : undefined;
      if (shown) open.set(need.tag, shown);
    }
  });
}

function noticeAt(need: Need): Notice {
  const host = hostOf(need.session_id ?? need.approval_id);
  const notice = noticeOf(need);
  return host === undefined ? notice : { ...notice, title: `${host}: ${notice.title}` };
}

/** A turn of the built-in agent or a hosted one in the shown session. Those that were over when the page loaded are not new. */
function notifyOfTurns(page: PageState): void {
  const ended = createMemo(() => page.shown()?.agent.events.findLast((event) => event.type === "ended"));
  createEffect(
    on(ended, (event, before) => {
      const info = page.info();
      if (!event || !info || before === undefined || event.seq <= before.seq || !isAway(page.settings)) return;
      const body = `${labelOf(info)}: ${event.outcome}`;
      notify({ tag: `ended ${event.seq}`, title: "The agent is done", body, session_id: info.session_id }, page);
    }),
  );
}

function isAway(settings: SettingsStore): boolean {
  return (
    document.hidden &&
    settings.now.notifications === "on" &&
    "Notification" in window &&
    Notification.permission === "granted"
  );
}

function notify({ tag, title, body, session_id }: Notice, page: PageState): Notification | undefined {
  const notification = made(title, { body, tag });
  if (!notification) return undefined;
  notification.onclick = () => {
    window.focus();
    // What lies over the page would hide the question.
    page.setOverlay("none");
    if (session_id !== null) page.select(session_id);
    notification.close();
  };
  return notification;
}

function made(title: string, options: NotificationOptions): Notification | undefined {
  try {
    return new Notification(title, options);
  } catch {
    // Browsers of phones let only a service worker notify. A paired one is told by settings/push.tsx.
    return undefined;
  }
}

/** On the tab's icon, and on the app's where the page is installed as one. */
function showCount(count: number): void {
  const icon = document.querySelector<HTMLLinkElement>("link[rel=icon]");
  if (icon) icon.href = count === 0 ? "/icon.svg" : `data:image/svg+xml,${encodeURIComponent(badged(count))}`;
  // A browser may refuse it, and nobody misses anything.
  if ("setAppBadge" in navigator) navigator.setAppBadge(count).catch(() => undefined);
}

function badged(count: number): string {
  const text = count > COUNT_MAX ? `${COUNT_MAX}+` : String(count);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#b3541e"/><text x="16" y="23" font-family="sans-serif" font-weight="700" font-size="20" text-anchor="middle" fill="#fff">${text}</text></svg>`;
}
