// The other machines of this person, as the daemon lists them. Owns: the page's copy, on which one a new session or task begins, and
// whose sessions are folded. Refuses: to know sessions.
import { createSignal } from "solid-js";
import { call, isFault } from "../wire/api.ts";
import { type Host, hostOf } from "./words.ts";

const KEY = "duetty.folded_hosts";

export interface Hosts {
  /** By their names. Empty: there is only this machine. */
  all(): readonly Host[];
  /** What this machine calls itself. */
  me(): string;
  find(name: string | undefined): Host | undefined;
  /** The machine of a session, if it is another one and is not here now. */
  awayOf(id: string | null | undefined): Host | undefined;
  refresh(): Promise<void>;
  /** The machine that somebody chose for what they are about to begin. Empty: this one. */
  wanted(): string | undefined;
  want(host: string | undefined): void;
  isFolded(host: string): boolean;
  fold(host: string): void;
}

export function createHosts(): Hosts {
  const [listed, setListed] = createSignal<{ readonly me: string; readonly hosts: readonly Host[] }>({
    me: "this machine",
    hosts: [],
  });
  const [wanted, setWanted] = createSignal<string>();
  const [folded, setFolded] = createSignal<readonly string[]>(remembered());
  const find = (name: string | undefined) => listed().hosts.find(({ host }) => host === name);
  let lists = 0;
  return {
    all: () => listed().hosts,
    me: () => listed().me,
    find,
    awayOf(id) {
      const name = hostOf(id);
      const host = find(name);
      return host && host.reach !== "here" ? host : undefined;
    },
    async refresh() {
      const list = ++lists;
      const answer = await call("hosts", {});
      if (isFault(answer) || list !== lists) return;
      const hosts = answer.hosts.toSorted((a, b) => (a.host < b.host ? -1 : 1));
      const now = { me: answer.me, hosts };
      if (JSON.stringify(now) !== JSON.stringify(listed())) setListed(now);
    },
    wanted,
    want: setWanted,
    isFolded: (host) => folded().includes(host),
    fold(host) {
      const others = folded().filter((one) => one !== host);
      setFolded(others.length < folded().length ? others : [...others, host]);
      localStorage.setItem(KEY, JSON.stringify(folded()));
    },
  };
}

/** Takes only what this page may have written. */
function remembered(): readonly string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(kept) ? kept.filter((one) => typeof one === "string") : [];
  } catch {
    return [];
  }
}
