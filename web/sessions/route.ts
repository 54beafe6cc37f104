// Which session is selected, and which of its commands: the address's hash (address.ts), so that reload, back, bookmarks and links
// to a command work.
import { type Accessor, createMemo, createSignal, onCleanup } from "solid-js";
import { type Place, readAddress, sessionAddress } from "./address.ts";

export interface Route {
  readonly view: Accessor<Place["view"]>;
  readonly selected: Accessor<string | undefined>;
  /** The command in the address. It is set again each time a person goes there. */
  readonly block: Accessor<{ readonly id: string } | undefined>;
  /** replace: for choices that the page made itself, which "back" must skip. */
  select(id: string | undefined, history?: "push" | "replace"): void;
}

export function createRoute(): Route {
  const read = () => readAddress(location.hash);
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
      const address = id === undefined ? location.pathname : sessionAddress(id);
      if (history === "push") window.history.pushState(null, "", address);
      else window.history.replaceState(null, "", address);
      follow();
    },
  };
}
