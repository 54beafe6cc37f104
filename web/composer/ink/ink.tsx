// Below the text area, whose own text is transparent: the same text as it is seen, and what is suggested after it in grey. It gives
// the field its height. Owns: that the area has the composer's text and caret.
import { createEffect, createMemo, createSignal, For, Index, on, onCleanup, onMount } from "solid-js";
import { marked } from "../../../src/core/base/invisible.ts";
import type { ShownSession } from "../../app/page-state.ts";
import type { Composer } from "../composer.ts";
import { meaningOf } from "../words.ts";
import type { Called, Piece } from "./pieces.ts";
import { createUnknown } from "./unknown.ts";

interface InkProps {
  readonly shown: ShownSession;
  readonly composer: Composer;
  /** It stands in the same field, above the ink. */
  area(): HTMLTextAreaElement | undefined;
}

export function Ink(props: InkProps) {
  const { composer } = props;
  let layer: HTMLDivElement | undefined;
  const { pieces, missing } = createPieces(props.shown, composer);
  onMount(() => {
    const area = props.area();
    if (!area || !layer) return;
    const under = layer;
    const scroll = () => {
      under.scrollTop = area.scrollTop;
    };
    const moved = () => {
      if (document.activeElement === area) composer.write({ text: area.value, caret: area.selectionEnd });
    };
    area.addEventListener("scroll", scroll);
    document.addEventListener("selectionchange", moved);
    onCleanup(() => document.removeEventListener("selectionchange", moved));
    createEffect(
      on(composer.written, ({ text, caret }) => {
        if (area.value !== text) {
          replace(area, text);
          area.setSelectionRange(caret, caret);
        }
        scroll();
      }),
    );
  });
  return (
    <>
      <div class="ink" aria-hidden="true" ref={layer}>
        <Index each={pieces()}>{(piece) => <span class={`ink-${piece().tone}`}>{shown(piece().text)}</span>}</Index>
        <span class="ghost">{composer.history.suggestion.rest()}</span>
        {/* After a line end there is a line, too. */}
        {"\u200b"}
      </div>
      <span class="unseen" role="status">
        <For each={missing()}>{(name) => `The shell knows no command ${name}. `}</For>
      </span>
    </>
  );
}

/** What is not seen is named, though the caret then stands beside its letter. */
function shown(text: string): string {
  return marked(text, { controls: "text", blanks: "mark" });
}

interface Reading {
  readonly pieces: readonly Piece[];
  readonly called: readonly Called[];
}

/** Colours are for commands only. Until they are loaded, the text is plain. */
function createPieces({ id, transcript, control }: ShownSession, { written, mode, history, owner }: Composer) {
  const [read, setRead] = createSignal<(text: string) => Reading>(plainly);
  onMount(async () => {
    const { piecesOf, calledIn } = await import("./pieces.ts");
    setRead(() => (text: string) => {
      const pieces = piecesOf(text);
      return { pieces, called: calledIn(pieces) };
    });
  });
  const reading = createMemo((): Reading => {
    const { text } = written();
    if (history.search.past() || meaningOf(text, mode()).do !== "run") return plainly(text);
    // In a conversation `!` begins a command.
    if (mode() !== "agent") return read()(text);
    const { pieces, called } = read()(text.slice(1));
    return {
      pieces: [...plain(text.slice(0, 1)), ...pieces],
      called: called.map((one) => ({ ...one, at: one.at + 1 })),
    };
  });
  const prompt = createMemo(() => {
    const last = transcript.last();
    return `${last?.block_id} ${last?.state}`;
  });
  // What somebody else has written is no reason to ask the shell, and an agent's shell is not asked.
  const isOurs = () => owner() === undefined && !transcript.running() && !control.agentHolds();
  const called = createMemo(() => (isOurs() ? reading().called : []));
  const unknown = createUnknown(id, prompt, called);
  const missing = () => called().filter(({ name }) => unknown().has(name));
  const pieces = createMemo(() => {
    const at = new Set(missing().map((one) => one.at));
    return reading().pieces.map(({ tone, text }, n) => ({ tone: at.has(n) ? ("unknown" as const) : tone, text }));
  });
  return { pieces, missing: () => missing().map(({ name }) => name) };
}

function plainly(text: string): Reading {
  return { pieces: plain(text), called: [] };
}

function plain(text: string): readonly Piece[] {
  return [{ tone: "plain", text }];
}

/** Inserted as if typed, so that the browser can undo it. */
function replace(area: HTMLTextAreaElement, text: string): void {
  if (document.activeElement === area) {
    const old = area.value;
    let [from, same] = [0, 0];
    while (from < old.length && old[from] === text[from]) from += 1;
    const most = Math.min(old.length, text.length) - from;
    while (same < most && old[old.length - 1 - same] === text[text.length - 1 - same]) same += 1;
    area.setSelectionRange(from, old.length - same);
    const added = text.slice(from, text.length - same);
    document.execCommand(added === "" ? "delete" : "insertText", false, added);
  }
  // Without the focus, or where a browser refuses.
  if (area.value !== text) area.value = text;
}
