// The list of sessions as the daemon tells it. Owns: asking again, and whether we are signed in.
// Asks only while somebody can see the answer. Refuses: to know which session is selected.
import { type Accessor, createSignal, onCleanup } from "solid-js";
import { createStore, reconcile } from "solid-js/store";
import type { SessionInfo } from "../../src/protocol/session.ts";
import { call, isFault } from "../wire/api.ts";
import { isOver } from "./words.ts";

/** The daemon cannot call us yet; this is how old a state dot may be. */
const POLL_MS = 1_500;

export type Reach = "loading" | "ok" | "offline" | "signed_out";

export interface Sessions {
  readonly reach: Accessor<Reach>;
  running(): SessionInfo[];
  ended(): SessionInfo[];
  find(id: string): SessionInfo | undefined;
  refresh(): Promise<void>;
  /** What an operation just answered is newer than the last list. */
  put(info: SessionInfo): void;
}

export function createSessions(): Sessions {
  const [store, setStore] = createStore<{ all: SessionInfo[] }>({ all: [] });
  const [reach, setReach] = createSignal<Reach>("loading");
  const leave = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asking: Promise<void> | undefined;

  async function ask(): Promise<void> {
    const answer = await call("pty_list", { all: true }, leave.signal);
    if (leave.signal.aborted) return;
    if (!isFault(answer)) {
      setStore("all", reconcile(answer.sessions, { key: "session_id" }));
      setReach("ok");
    } else setReach(answer.code === "auth.required" ? "signed_out" : "offline");
  }

  function refresh(): Promise<void> {
    clearTimeout(timer);
    // Nobody sees it; becoming visible asks at once.
    if (document.hidden) return Promise.resolve();
    asking ??= ask().finally(() => {
      asking = undefined;
      // Signed out, only a person's return is a reason to ask again.
      const stop = document.hidden || leave.signal.aborted || reach() === "signed_out";
      if (!stop) timer = setTimeout(refresh, POLL_MS);
    });
    return asking;
  }

  const seen = () => (document.hidden ? clearTimeout(timer) : void refresh());
  document.addEventListener("visibilitychange", seen, { signal: leave.signal });
  window.addEventListener("focus", seen, { signal: leave.signal });
  onCleanup(() => {
    leave.abort();
    clearTimeout(timer);
  });
  void refresh();

  return {
    reach,
    running: () => store.all.filter((session) => !isOver(session.state)),
    ended: () => store.all.filter((session) => isOver(session.state)).sort(latestFirst),
    find: (id) => store.all.find((session) => session.session_id === id),
    refresh,
    put(info) {
      const at = store.all.findIndex((session) => session.session_id === info.session_id);
      setStore("all", at === -1 ? store.all.length : at, info);
    },
  };
}

function latestFirst(a: SessionInfo, b: SessionInfo): number {
  return (b.ended_at ?? b.created_at) - (a.ended_at ?? a.created_at);
}
