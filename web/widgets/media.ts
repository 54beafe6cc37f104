// A media query as a signal.
import { type Accessor, createSignal, onCleanup } from "solid-js";

export function createMedia(query: string): Accessor<boolean> {
  const media = window.matchMedia(query);
  const [matches, setMatches] = createSignal(media.matches);
  const follow = () => setMatches(media.matches);
  media.addEventListener("change", follow);
  onCleanup(() => media.removeEventListener("change", follow));
  return matches;
}
