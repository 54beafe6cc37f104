// Which session is selected: the address's hash (#/s_xxxx), so that reload, back and bookmarks work.
import { type Accessor, createSignal, onCleanup } from "solid-js";

export interface Route {
  readonly selected: Accessor<string | undefined>;
  /** replace: for choices the page made by itself, which "back" must not lead to. */
  select(id: string | undefined, history?: "push" | "replace"): void;
}

export function createRoute(): Route {
  const read = () => /^#\/([\w-]+)$/.exec(location.hash)?.[1];
  const [selected, setSelected] = createSignal(read());
  const follow = () => setSelected(read());
  window.addEventListener("hashchange", follow);
  window.addEventListener("popstate", follow);
  onCleanup(() => {
    window.removeEventListener("hashchange", follow);
    window.removeEventListener("popstate", follow);
  });
  return {
    selected,
    select(id, history = "push") {
      if (id === read()) return;
      const address = id === undefined ? location.pathname : `#/${id}`;
      if (history === "push") window.history.pushState(null, "", address);
      else window.history.replaceState(null, "", address);
      follow();
    },
  };
}
