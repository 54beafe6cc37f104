// A file was opened in a session of its own: the page goes there, and comes back when the editor was left.
import { createEffect, createSignal } from "solid-js";
import type { SessionInfo } from "../../src/protocol/ops/session.ts";
import { isOver } from "../sessions/labels.ts";
import type { Route } from "../sessions/route.ts";
import type { Sessions } from "../sessions/sessions.ts";

export function createThereAndBack(sessions: Sessions, route: Route): (opened: SessionInfo) => void {
  const [trip, setTrip] = createSignal<{ readonly from: string | undefined; readonly to: string }>();
  createEffect(() => {
    const now = trip();
    const there = now && sessions.find(now.to);
    if (!there || !isOver(there.state)) return;
    setTrip(undefined);
    // Who has gone elsewhere stays there; who wants to read why it failed, too.
    if (route.selected() === now.to && there.exit_code === 0) route.select(now.from);
  });
  return (opened) => {
    setTrip({ from: route.selected(), to: opened.session_id });
    sessions.put(opened);
    route.select(opened.session_id);
  };
}
