// The list of the search in history, above the prompt. The prompt keeps the focus; Tab leads to the filters.
import { createEffect, For } from "solid-js";
import { marked } from "../../../src/core/base/invisible.ts";
import type { PastCommand } from "../../../src/protocol/ops/blocks.ts";
import { fitOf } from "../../../src/protocol/plain/fuzzy.ts";
import { statusOf } from "../../sessions/command-words.ts";
import { holderOf, shortPath } from "../../sessions/labels.ts";
import { ageOf } from "../../text/numbers.ts";
import { optionId } from "../list.tsx";
import type { HistorySearch, Past, Scope } from "./search.ts";

const SCOPES: readonly (readonly [Scope, string])[] = [
  ["all", "All sessions"],
  ["folder", "This folder"],
  ["session", "This session"],
];
/** Of a long command its beginning is shown; it is put into the prompt as a whole. */
const SHOWN_CHARS_MAX = 300;

interface PanelProps {
  readonly id: string;
  readonly past: Past;
  readonly search: HistorySearch;
  onClose(): void;
}

export function HistoryPanel(props: PanelProps) {
  let list: HTMLDivElement | undefined;
  createEffect(() => {
    const { at } = props.past;
    if (at >= 0) list?.children[at]?.scrollIntoView({ block: "nearest" });
  });
  return (
    <div class="choices past" data-escape="own">
      <div class="list" id={props.id} role="listbox" aria-label="History" aria-busy={!props.past.isKnown} ref={list}>
        <For each={props.past.all}>
          {(command, at) => (
            <div
              class="choice"
              id={optionId(props.id, at())}
              role="option"
              tabIndex={-1}
              aria-selected={at() === props.past.at}
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => props.search.accept(at())}
              onKeyDown={() => undefined}
            >
              <Line cmd={command.cmd} query={props.past.text} />
              <Facts command={command} />
            </div>
          )}
        </For>
      </div>
      <Filters {...props} />
      <p class="mut" role="status">
        {said(props.past)} <kbd>↑↓</kbd> choose · <kbd>⏎</kbd> put into the prompt · <kbd>Esc</kbd> back
      </p>
    </div>
  );
}

/** The command in one line, with the letters that were searched for. */
function Line(props: { cmd: string; query: string }) {
  const pieces = () => {
    const text = marked(props.cmd.slice(0, SHOWN_CHARS_MAX));
    return litUp(text, new Set(fitOf(props.query, text)?.at));
  };
  return (
    <span class="line">
      <For each={pieces()}>{(piece) => (piece.lit ? <b>{piece.text}</b> : piece.text)}</For>
    </span>
  );
}

function litUp(text: string, at: ReadonlySet<number>): { readonly text: string; readonly lit: boolean }[] {
  const pieces: { text: string; lit: boolean }[] = [];
  for (let i = 0; i < text.length; i += 1) {
    const [last, lit] = [pieces.at(-1), at.has(i)];
    if (last?.lit === lit) last.text += text.charAt(i);
    else pieces.push({ text: text.charAt(i), lit });
  }
  return pieces;
}

function Facts(props: { command: PastCommand }) {
  const status = () => statusOf(props.command);
  const who = () => holderOf(props.command.actor);
  const cwd = () => marked(props.command.cwd ?? "");
  return (
    <span class="facts">
      <span class="who" data-kind={who().kind}>
        {who().kind === "agent" ? `✦ ${who().word}` : who().word}
      </span>
      <span class="in" title={cwd()}>
        {shortPath(cwd())}
      </span>
      <span class="ended" data-tone={status().tone}>
        {status().word}
      </span>
      <span title={new Date(props.command.ts_begin).toLocaleString()}>
        {ageOf(Date.now() - props.command.ts_begin)}
      </span>
    </span>
  );
}

function Filters(props: PanelProps) {
  return (
    <fieldset
      class="filters"
      aria-label="Where to search"
      onKeyDown={(event) => event.key === "Escape" && props.onClose()}
    >
      <For each={SCOPES}>
        {([scope, label]) => (
          <button
            type="button"
            aria-pressed={props.past.scope === scope}
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => props.search.ask({ scope })}
          >
            {label}
          </button>
        )}
      </For>
      <button
        type="button"
        aria-pressed={props.past.failed}
        onPointerDown={(event) => event.preventDefault()}
        onClick={() => props.search.ask({ failed: !props.past.failed })}
      >
        Failed
      </button>
    </fieldset>
  );
}

function said({ all, more, isKnown }: Past): string {
  if (all.length === 0) return isKnown ? "History: no match ·" : "History ·";
  const count = more > 0 ? `${all.length} of ${all.length + more}` : String(all.length);
  return `${count} ${count === "1" ? "command" : "commands"} ·`;
}
