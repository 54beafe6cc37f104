// JSON values that unfold. What is folded is not drawn, however deep or long it is.
import { createSignal, For, Show } from "solid-js";
import { marked } from "../../src/core/base/invisible.ts";
import { grouped } from "../text/numbers.ts";

/** Entries that are drawn at once. */
const ENTRIES_STEP = 200;
/** A value so small is open from the start. */
const OPEN_ENTRIES_MAX = 30;
const OPEN_DEPTH = 3;
/** A longer text is shown by its beginning; the raw text has all of it. */
const TEXT_CHARS_MAX = 2_000;

export function JsonView(props: { values: readonly unknown[] }) {
  return (
    <div class="json">
      <Entries of={props.values.map((value) => [undefined, value])} depth={0} />
    </div>
  );
}

type Entry = readonly [name: string | undefined, value: unknown];

function Entries(props: { of: readonly Entry[]; depth: number }) {
  const [count, setCount] = createSignal(ENTRIES_STEP);
  const left = () => props.of.length - count();
  return (
    <>
      <For each={props.of.slice(0, count())}>
        {([name, value]) => <Value {...{ name, value }} depth={props.depth} />}
      </For>
      <Show when={left() > 0}>
        <button type="button" class="more" onClick={() => setCount(count() + ENTRIES_STEP)}>
          {grouped(left())} more
        </button>
      </Show>
    </>
  );
}

function Value(props: { name: string | undefined; value: unknown; depth: number }) {
  const { value } = props;
  const label = () => <Show when={props.name !== undefined}>{<b>{marked(props.name ?? "")}: </b>}</Show>;
  if (typeof value !== "object" || value === null)
    return (
      <div class="leaf">
        {label()}
        <span class={value === null ? "null" : typeof value}>{shortened(value)}</span>
      </div>
    );
  const entries: Entry[] = Array.isArray(value)
    ? value.map((each, i) => [String(i), each] as const)
    : Object.entries(value);
  const [isOpen, setOpen] = createSignal(props.depth < OPEN_DEPTH && entries.length <= OPEN_ENTRIES_MAX);
  const [open, shut] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  return (
    <details open={isOpen()} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {label()}
        {open}
        <Show when={!isOpen()}>
          {entries.length > 0 ? ` ${grouped(entries.length)} … ` : ""}
          {shut}
        </Show>
      </summary>
      <Show when={isOpen()}>
        <div class="inner">
          <Entries of={entries} depth={props.depth + 1} />
        </div>
        {shut}
      </Show>
    </details>
  );
}

function shortened(value: unknown): string {
  const text = marked(JSON.stringify(value) ?? "");
  return text.length > TEXT_CHARS_MAX ? `${text.slice(0, TEXT_CHARS_MAX)}… (${grouped(text.length)} characters)` : text;
}
