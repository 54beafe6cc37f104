// Which session is selected, and which of its commands: the address's hash (#/s_xxxx or #/s_xxxx/b_xxxx_7), so that reload,
// back, bookmarks and links to a command work. #/board and #/s_xxxx/diff show the board and what a session changed.
import { type Accessor, createMemo, createSignal, onCleanup } from "solid-js";

export const BOARD = "#/board";

export interface Route {
  readonly view: Accessor<View>;
  readonly selected: Accessor<string | undefined>;
  /** The command in the address. It is set again each time a person goes there. */
  readonly block: Accessor<{ readonly id: string } | undefined>;
  /** replace: for choices that the page made itself, which "back" must skip. */
  select(id: string | undefined, history?: "push" | "replace"): void;
}

type View = "session" | "board" | "diff";

interface Place {
  readonly view: View;
  readonly session: string | undefined;
  readonly block: string | undefined;
}

export function createRoute(): Route {
  const [place, setPlace] = createSignal(read());
  // Derived, so that nobody sees a new view with the session of the old one.
  const selected = createMemo(() => place().session);
  const follow = () => setPlace(read());
  window.addEventListener("hashchange", follow);
  window.addEventListener("popstate", follow);
  onCleanup(() => {
    window.removeEventListener("hashchange", follow);
    window.removeEventListener("popstate", follow);
  });
  return {
    view: () => place().view,
    selected,
    block: () => {
      const { block } = place();
      return block === undefined ? undefined : { id: block };
    },
    select(id, history = "push") {
      const now = read();
      if (id === now.session && now.view === "session") return;
      const address = id === undefined ? location.pathname : `#/${id}`;
      if (history === "push") window.history.pushState(null, "", address);
      else window.history.replaceState(null, "", address);
      follow();
    },
  };
}

function read(): Place {
  const [, session, block] = /^#\/([\w-]+)(?:\/([\w-]+))?$/.exec(location.hash) ?? [];
  if (location.hash === BOARD) return { view: "board", session: undefined, block: undefined };
  return block === "diff" ? { view: "diff", session, block: undefined } : { view: "session", session, block };
}

export function diffAddress(session: string): string {
  return `#/${session}/diff`;
}

export function blockAddress(session: string, block: string): string {
  return `${location.origin}${location.pathname}#/${session}/${block}`;
}
