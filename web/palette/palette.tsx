// The palette: a line to type into, and everything it may mean. Owns: the typed text. The entries are in
// entries.ts, and their order is in ranking.ts.
import { createEffect, createMemo, createSignal, For, on, onCleanup, onMount, Show } from "solid-js";
import type { Block } from "../../src/protocol/ops/blocks.ts";
import type { PageState } from "../app/page-state.ts";
import { Dialog, DialogField } from "../widgets/dialog.tsx";
import { grouping } from "../widgets/grouping.ts";
import { createPicker } from "../widgets/picker.ts";
import { call, isFault } from "../wire/api.ts";
import { commandsSince } from "../wire/commands.ts";
import { type Check, type PaletteEntry, paletteEntries, wordEntries } from "./entries.ts";
import { type Ranked, rank, rest } from "./ranking.ts";
import { noteUsed, recentIds } from "./recent.ts";

type Found = Ranked<PaletteEntry>;

export function Palette(props: { page: PageState }) {
  const { page } = props;
  let field: HTMLInputElement | undefined;
  const [query, setQuery] = createSignal("");
  const found = createFound(page, query);
  const picker = createPicker(() => found().length, query, choose);

  function choose(at: number): void {
    const entry = found()[at]?.entry;
    if (!entry) return;
    noteUsed(entry.id);
    // We close first, so that the action may take the focus.
    page.setOverlay("none");
    entry.run();
  }

  return (
    <Dialog name="Commands" class="palette" first={() => field} onClose={() => page.setOverlay("none")}>
      <DialogField onClose={() => page.setOverlay("none")}>
        <input
          ref={field}
          role="combobox"
          aria-label="Search or run a command"
          aria-expanded="true"
          aria-controls="palette-list"
          aria-autocomplete="list"
          aria-activedescendant={found().length > 0 ? `entry-${picker.at()}` : undefined}
          placeholder="Search or run a command…"
          autocomplete="off"
          spellcheck={false}
          value={query()}
          onInput={(event) => setQuery(event.currentTarget.value)}
          onKeyDown={picker.onKey}
        />
      </DialogField>
      <Entries found={found()} at={picker.at()} onPoint={picker.setAt} onChoose={choose} />
      <p class="foot mut">
        <kbd>↑</kbd> <kbd>↓</kbd> choose <kbd>⏎</kbd> do it <kbd>Esc</kbd> close
      </p>
    </Dialog>
  );
}

function createFound(page: PageState, query: () => string): () => readonly Found[] {
  const [checks, setChecks] = createSignal<readonly Check[]>([]);
  const recent = recentIds();
  onMount(async () => {
    const session_id = page.info()?.session_id;
    if (session_id === undefined) return;
    const answer = await call("checks", { session_id });
    if (!isFault(answer)) setChecks(answer.checks);
  });
  const past = createPast(page, () => query().trim() !== "");
  const entries = createMemo(() => paletteEntries(page, checks(), past()));
  return createMemo(() => {
    const text = query().trim();
    if (text === "") return rest(entries(), recent);
    const words = wordEntries(page, text).map((entry) => ({ entry, at: [] }));
    return [...byGroup(rank(entries(), text, recent)), ...words];
  });
}

/** All commands of the shown session, from the time when somebody looks for one. */
function createPast(page: PageState, wanted: () => boolean): () => readonly Block[] | undefined {
  const [past, setPast] = createSignal<readonly Block[]>();
  const leave = new AbortController();
  onCleanup(() => leave.abort());
  createEffect(
    on(createMemo(wanted), async (isWanted) => {
      const id = page.shown()?.id;
      if (!isWanted || id === undefined || past()) return;
      const all = await commandsSince(id, 0, leave.signal);
      if (!leave.signal.aborted) setPast(all);
    }),
  );
  return past;
}

/** The group of the best entry first; what belongs together stays together. */
function byGroup(found: readonly Found[]): Found[] {
  return grouping(found, ({ entry }) => entry.group).flatMap(([, group]) => group);
}

interface EntriesProps {
  readonly found: readonly Found[];
  readonly at: number;
  onPoint(at: number): void;
  onChoose(at: number): void;
}

function Entries(props: EntriesProps) {
  let list: HTMLDivElement | undefined;
  createEffect(
    on(
      () => props.at,
      (at) => list?.querySelector(`#entry-${at}`)?.scrollIntoView({ block: "nearest" }),
    ),
  );
  return (
    <div class="list" id="palette-list" role="listbox" aria-label="Commands" ref={list}>
      <For each={props.found}>
        {({ entry, at }, i) => (
          <>
            <Show when={props.found[i() - 1]?.entry.group !== entry.group}>
              <div class="group" role="presentation">
                {entry.group}
              </div>
            </Show>
            {/* biome-ignore lint/a11y/useKeyWithClickEvents: its keys are the field's */}
            {/* biome-ignore lint/a11y/useFocusableInteractive: the field names the active one */}
            <div
              class="entry"
              role="option"
              id={`entry-${i()}`}
              aria-selected={props.at === i()}
              onPointerMove={() => props.at !== i() && props.onPoint(i())}
              onClick={() => props.onChoose(i())}
            >
              <span class="title">
                <Marked text={entry.title} at={at} />
              </span>
              <Show when={entry.note}>{(note) => <small>{note()}</small>}</Show>
              <Show when={entry.keys}>{(keys) => <kbd>{keys()}</kbd>}</Show>
            </div>
          </>
        )}
      </For>
      <Show when={props.found.length === 0}>
        <p class="none mut">Nothing matches.</p>
      </Show>
    </div>
  );
}

/** Text with some of its letters marked. */
function Marked(props: { text: string; at: readonly number[] }) {
  const pieces = () => {
    const marked = new Set(props.at);
    const out: { text: string; marked: boolean }[] = [];
    for (let i = 0; i < props.text.length; i += 1) {
      const last = out.at(-1);
      if (last && last.marked === marked.has(i)) last.text += props.text.charAt(i);
      else out.push({ text: props.text.charAt(i), marked: marked.has(i) });
    }
    return out;
  };
  return <For each={pieces()}>{(piece) => (piece.marked ? <mark>{piece.text}</mark> : piece.text)}</For>;
}
