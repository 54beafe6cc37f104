// Below the text area, whose own text is transparent: the same text as it is seen, and what is suggested after it in grey. It gives
// the field its height. Owns: that the area has the composer's text and caret.
import { createEffect, createMemo, createSignal, Index, on, onCleanup, onMount } from "solid-js";
import type { Composer } from "../composer.ts";
import { meaningOf } from "../words.ts";
import type { Piece } from "./pieces.ts";

/** `area` stands in the same field, above it. */
export function Ink(props: { composer: Composer; area(): HTMLTextAreaElement | undefined }) {
  const { composer } = props;
  let layer: HTMLDivElement | undefined;
  const pieces = createPieces(composer);
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
    <div class="ink" aria-hidden="true" ref={layer}>
      <Index each={pieces()}>{(piece) => <span class={`ink-${piece().tone}`}>{piece().text}</span>}</Index>
      <span class="ghost">{composer.history.suggestion.rest()}</span>
      {/* After a line end there is a line, too. */}
      {"\u200b"}
    </div>
  );
}

/** Colours are for commands only. Until they are loaded, the text is plain. */
function createPieces({ written, mode, history }: Composer): () => readonly Piece[] {
  const [read, setRead] = createSignal<(text: string) => readonly Piece[]>(plain);
  onMount(async () => {
    const { piecesOf } = await import("./pieces.ts");
    setRead(() => piecesOf);
  });
  return createMemo(() => {
    const { text } = written();
    if (history.search.past() || meaningOf(text, mode()).do !== "run") return plain(text);
    // In a conversation `!` begins a command.
    return mode() === "agent" ? [...plain(text.slice(0, 1)), ...read()(text.slice(1))] : read()(text);
  });
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
