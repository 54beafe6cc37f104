// One of the docs, formatted. The file itself is one link away.
import { createResource, Match, Switch } from "solid-js";
import { Markdown } from "../agent/markdown-view.tsx";
import { addressOf, linked, readFile } from "./files.ts";

export function DocView(props: { name: string }) {
  const page = `${location.origin}/docs`;
  const [text] = createResource(
    () => props.name,
    async (name) => linked(await readFile(name), name, page),
  );
  /** A link to another doc is a step within this page, not a new window. */
  function onClick(event: MouseEvent): void {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (!link?.href.startsWith(`${page}#`) || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    location.hash = new URL(link.href).hash;
    window.scrollTo(0, 0);
  }
  return (
    <article class="doc">
      <p class="ways">
        <a href="#start">All docs</a> <a href={addressOf(props.name)}>As plain text</a>
      </p>
      <Switch fallback={<p class="mut">Loading.</p>}>
        <Match when={text.error}>
          <p role="alert">This page could not be loaded. Reload to try again.</p>
        </Match>
        <Match when={text()} keyed>
          {(known) => (
            <div role="none" onClick={onClick}>
              <Markdown text={known} />
            </div>
          )}
        </Match>
      </Switch>
    </article>
  );
}
