// Finding text in what this session, or every session, printed, and going there.
import { createMemo, For, Show } from "solid-js";
import type { PageState } from "../app/page-state.ts";
import { namesOf } from "../hosts/words.ts";
import { grouped } from "../text/numbers.ts";
import { Dialog, DialogField } from "../widgets/dialog.tsx";
import { PatternButton } from "../widgets/pattern-button.tsx";
import { createPicker } from "../widgets/picker.ts";
import { type Hit, hitsOf } from "./hits.ts";
import { SearchHits } from "./hits-view.tsx";
import type { Search, SearchScope } from "./search.ts";

export function SearchPanel(props: { page: PageState }) {
  const { page } = props;
  const { search } = page;
  let field: HTMLInputElement | undefined;
  const hits = createMemo(() => hitsOf(page));
  const picker = createPicker(
    () => hits().length,
    () => search.found()?.query,
    (at) => go(hits()[at]),
  );
  function go(hit: Hit | undefined): void {
    if (!hit) return;
    page.setOverlay("none");
    hit.go();
  }
  return (
    <Dialog name="Search" class="search" first={() => field} onClose={() => page.setOverlay("none")}>
      <DialogField onClose={() => page.setOverlay("none")}>
        <input
          ref={(own) => {
            field = own;
            queueMicrotask(() => own.select());
          }}
          role="combobox"
          aria-label="Text to find"
          aria-expanded="true"
          aria-controls="search-list"
          aria-activedescendant={hits().length > 0 ? `hit-${picker.at()}` : undefined}
          placeholder={search.scope() === "session" ? "Find in this session…" : "Find in all sessions…"}
          autocomplete="off"
          spellcheck={false}
          value={search.query()}
          onInput={(event) => search.setQuery(event.currentTarget.value)}
          onKeyDown={picker.onKey}
        />
      </DialogField>
      <Choices page={page} />
      <SearchHits hits={hits()} at={picker.at()} onPoint={picker.setAt} onChoose={(at) => go(hits()[at])} />
      <Foot search={search} count={hits().length} others={page.hosts.all().length} />
    </Dialog>
  );
}

function Choices(props: { page: PageState }) {
  const { search } = props.page;
  const scopes: readonly (readonly [SearchScope, string])[] = [
    ["session", "This session"],
    ["everywhere", "Everywhere"],
  ];
  const isExact = () => search.letters() === "sensitive";
  return (
    <div class="choose">
      <span class="seg" role="radiogroup" aria-label="Where">
        <For each={scopes}>
          {([scope, title]) => (
            // biome-ignore lint/a11y/useSemanticElements: looks like the other switches of the page
            <button
              type="button"
              role="radio"
              aria-checked={search.scope() === scope}
              disabled={scope === "session" && !props.page.info()}
              onClick={() => search.setScope(scope)}
            >
              {title}
            </button>
          )}
        </For>
      </span>
      <button
        type="button"
        class="sw"
        role="switch"
        aria-checked={isExact()}
        onClick={() => search.setLetters(isExact() ? "insensitive" : "sensitive")}
      >
        <i />
        Match case
      </button>
      <PatternButton kind={search.kind()} onKind={search.setKind} />
    </div>
  );
}

function Foot(props: { search: Search; count: number; others: number }) {
  const { search } = props;
  const missing = () => search.found()?.missing ?? [];
  const words = () => {
    const isFirst = search.found()?.query !== search.query();
    const machines = props.others === 1 ? "the other machine" : `${props.others} other machines`;
    if (search.looking() && search.scope() === "everywhere" && props.others > 0 && !isFirst)
      return `${grouped(props.count)} found here. Asking ${machines}…`;
    if (search.looking()) return "Looking…";
    if (!search.found()) return "Type what to look for.";
    if (props.count === 0) return "Nothing was found.";
    const more = search.found()?.next || search.found()?.truncated;
    return `${grouped(props.count)}${more ? " and more" : ""} found`;
  };
  return (
    <p class="foot mut" role="status">
      <Show when={search.fault()} fallback={words()}>
        {(fault) => (
          <span class="wrong">
            {fault().message} {fault().hint}
          </span>
        )}
      </Show>
      <Show when={!search.looking() && missing().length > 0}>
        <span class="warn">
          {namesOf(missing())} {missing().length > 1 ? "were" : "was"} not searched: not here now.
        </span>
      </Show>
      <span class="grow" />
      <Show when={!search.looking() && search.found()?.next}>
        <button type="button" onClick={() => search.more()}>
          More
        </button>
      </Show>
    </p>
  );
}
