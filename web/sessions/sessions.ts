// The list of sessions of all machines as the daemon tells it. Owns: asking again, and whether we are signed in.
// Refuses: to know which session is selected, and when to ask again (wire/news.ts).
import { type Accessor, createSignal, onCleanup } from "solid-js";
import { createStore, reconcile } from "solid-js/store";
import type { SessionInfo } from "../../src/protocol/ops/session.ts";
import { byHost, hostOf } from "../hosts/words.ts";
import { call, isFault } from "../wire/api.ts";
import { isOver } from "./labels.ts";

type Reach = "loading" | "ok" | "offline" | "signed_out";

export interface Sessions {
  readonly reach: Accessor<Reach>;
  running(): SessionInfo[];
  ended(): SessionInfo[];
  find(id: string): SessionInfo | undefined;
  /** It is known, or its machine has not told what it has. */
  mayBe(id: string): boolean;
  refresh(): Promise<void>;
  /** Takes over an operation's answer, which is newer than the last list. */
  put(info: SessionInfo): void;
}

export function createSessions(): Sessions {
  const [store, setStore] = createStore<{ all: SessionInfo[] }>({ all: [] });
  const [reach, setReach] = createSignal<Reach>("loading");
  const [missing, setMissing] = createSignal<readonly string[]>([]);
  const leave = new AbortController();
  let asking: Promise<void> | undefined;
  let again = false;

  async function ask(): Promise<void> {
    const answer = await call("pty_list", { all: true, hosts: "all" }, leave.signal);
    if (leave.signal.aborted) return;
    if (!isFault(answer)) {
      setStore("all", reconcile(answer.sessions, { key: "session_id" }));
      setMissing(answer.missing ?? []);
      setReach("ok");
    } else setReach(answer.code === "auth.required" ? "signed_out" : "offline");
  }

  /** A request during another one is repeated afterwards, because the first answer may be older. */
  function refresh(): Promise<void> {
    again = asking !== undefined;
    asking ??= ask().finally(() => {
      asking = undefined;
      if (again && !leave.signal.aborted) void refresh();
    });
    return asking;
  }

  onCleanup(() => leave.abort());
  void refresh();

  const find = (id: string) => store.all.find((session) => session.session_id === id);
  return {
    reach,
    running: () => store.all.filter((session) => !isOver(session.state)).sort(oldestFirst),
    ended: () => store.all.filter((session) => isOver(session.state)).sort(latestFirst),
    find,
    mayBe: (id) => find(id) !== undefined || missing().includes(hostOf(id) ?? ""),
    refresh,
    put(info) {
      const at = store.all.findIndex((session) => session.session_id === info.session_id);
      setStore("all", at === -1 ? store.all.length : at, info);
    },
  };
}

/** An order that never changes by itself, because keys lead to positions. */
function oldestFirst(a: SessionInfo, b: SessionInfo): number {
  return byHost(a.session_id, b.session_id) || a.created_at - b.created_at || (a.session_id < b.session_id ? -1 : 1);
}

function latestFirst(a: SessionInfo, b: SessionInfo): number {
  return (b.ended_at ?? b.created_at) - (a.ended_at ?? a.created_at);
}
