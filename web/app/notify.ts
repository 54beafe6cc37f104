// Notifies a person who is elsewhere that they are needed: a question, a password, an agent that is done. Owns: that each
// notice comes once. Refuses: to ask for the browser's permission (settings/notifications.ts).
import { createEffect, createMemo, on } from "solid-js";
import { wants } from "../../src/core/base/question-words.ts";
import { shorten, whoAsks } from "../approvals/words.ts";
import { labelOf } from "../sessions/labels.ts";
import type { SettingsStore } from "../settings/settings.ts";
import type { PageState } from "./page-state.ts";

interface Need {
  /** The same need has the same key. */
  readonly key: string;
  readonly title: string;
  readonly body: string;
  readonly session_id: string | null;
}

export function notifyPerson(page: PageState): void {
  const open = new Map<string, Notification>();
  const notified = new Set<string>();
  const needs = createMemo(() => needsOf(page));
  createEffect(() => {
    const now = needs();
    const keys = new Set(now.map(({ key }) => key));
    for (const [key, notification] of open) if (!keys.has(key)) notification.close();
    for (const need of now) {
      if (notified.has(need.key)) continue;
      notified.add(need.key);
      const shown = isAway(page.settings) ? notify(need, page) : undefined;
      if (shown) open.set(need.key, shown);
    }
  });
  // Things that were there when the page loaded are not new.
  const ended = createMemo(() => page.shown()?.agent.events.findLast((event) => event.type === "ended"));
  createEffect(
    on(ended, (event, before) => {
      const info = page.info();
      if (!event || !info || before === undefined || event.seq <= before.seq || !isAway(page.settings)) return;
      const body = `${labelOf(info)}: ${event.outcome}`;
      notify({ key: `ended ${event.seq}`, title: "The agent is done", body, session_id: info.session_id }, page);
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

function needsOf({ approvals, sessions }: PageState): Need[] {
  const asked = approvals.pending.map((approval) => ({
    key: approval.approval_id,
    title: `${whoAsks(approval)} ${wants(approval)}`,
    body: shorten(approval.text),
    session_id: approval.session_id,
  }));
  const passwords = sessions.running().flatMap((session) => {
    const { waiting, session_id } = session;
    if (waiting?.kind !== "password") return [];
    const title = `${waiting.program} waits for a password`;
    const key = `password ${session_id} ${session.running?.block_id ?? ""}`;
    return [{ key, title, body: labelOf(session), session_id }];
  });
  return [...asked, ...passwords];
}

function notify({ key, title, body, session_id }: Need, page: PageState): Notification | undefined {
  const notification = made(title, { body, tag: key });
  if (!notification) return undefined;
  notification.onclick = () => {
    window.focus();
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
