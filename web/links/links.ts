// Links in outputs of one session. An address opens at a click, unless its text does not say where it leads: then we ask. A
// name of a file becomes a link once the daemon has said that there is such a file. What that takes is loaded with the first one.
import { isPlain } from "../text/links.ts";
import type { Following, LinksParts } from "./following.ts";

export interface Links {
  /** Its links work from now on. */
  follow(output: HTMLElement): void;
  /** New lines were drawn into a part of it. `cwd`: the folder that they were printed in. */
  drawn(part: Element, cwd: string | null): void;
  /** For the terminal, which finds its links itself. */
  following(): Promise<Following>;
}

export function createLinks(session_id: string, parts: LinksParts): Links {
  let loaded: Promise<Following> | undefined;
  const following = () => {
    loaded ??= import("./following.ts").then(({ Following }) => new Following(session_id, parts));
    return loaded;
  };
  const pressed = (event: Event) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    // Enter on an address is a click.
    if (!link || (event instanceof KeyboardEvent && (event.key !== "Enter" || link.href !== ""))) return;
    if (link.href === "" ? !link.dataset.path : isPlain(link.textContent ?? "", link.href)) return;
    event.preventDefault();
    event.stopPropagation();
    // Who selects text with the mouse wants the text.
    if (event instanceof KeyboardEvent || (document.getSelection()?.isCollapsed ?? true))
      void following().then((own) => own.open(link));
  };
  return {
    follow(output) {
      for (const kind of ["click", "auxclick", "keydown"]) output.addEventListener(kind, pressed);
    },
    drawn(part, cwd) {
      if (part.querySelector("[data-place]")) void following().then((own) => own.light(part, cwd));
    },
    following,
  };
}
