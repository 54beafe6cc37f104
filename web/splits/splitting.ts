// A new half: a new shell beside the one with the keyboard, in its folder, or a session that is there already.
import type { ActionsPage } from "../app/page-state.ts";
import { hostFor } from "../hosts/words.ts";
import { call, isFault } from "../wire/api.ts";
import { HALVES_MAX, type Side } from "./tree.ts";

type Ground = Pick<ActionsPage, "info" | "layout" | "sessions" | "toasts" | "focus">;

export async function splitOff(page: Ground, side: Side): Promise<void> {
  const at = page.info();
  if (!at || isFull(page)) return;
  const wrote = writingFromNow();
  const answer = await call("pty_open", { cwd: at.cwd, ...hostFor(at.session_id) });
  // A line that was begun meanwhile ends where it began.
  const keyboard = wrote() ? "stays" : "new";
  if (isFault(answer)) return page.toasts.fault(answer);
  page.sessions.put(answer);
  page.layout.add(answer.session_id, at.session_id, side, keyboard);
}

/** Whether the person has written anything since, as of when it is asked. Ask once. */
function writingFromNow(): () => boolean {
  let wrote = false;
  const heard = ({ key, ctrlKey, altKey, metaKey }: KeyboardEvent) => {
    wrote ||= key.length === 1 && !ctrlKey && !altKey && !metaKey;
  };
  window.addEventListener("keydown", heard, { capture: true });
  return () => {
    window.removeEventListener("keydown", heard, { capture: true });
    return wrote;
  };
}

export function showBeside(page: Ground, session_id: string, side: Side): void {
  const at = page.info()?.session_id;
  if (at === undefined || at === session_id) return;
  if (!page.layout.leaves().includes(session_id) && isFull(page)) return;
  page.layout.add(session_id, at, side);
  page.focus();
}

function isFull({ layout, toasts }: Ground): boolean {
  const is = layout.leaves().length >= HALVES_MAX;
  if (is) toasts.notify(`No more than ${HALVES_MAX} sessions share the page. Close one of these halves first.`);
  return is;
}
