// Below the text area, whose own text is transparent: the same text as it is seen, and what is suggested after it in grey. It gives
// the field its height. Owns: that the area has the composer's text and caret.
import { createEffect, on, onCleanup, onMount } from "solid-js";
import type { Composer } from "./composer.ts";

/** `area` stands in the same field, above it. */
export function Ink(props: { composer: Composer; area(): HTMLTextAreaElement | undefined }) {
  const { composer } = props;
  let layer: HTMLDivElement | undefined;
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
      {composer.written().text}
      <span class="ghost">{composer.history.suggestion.rest()}</span>
      {/* After a line end there is a line, too. */}
      {"\u200b"}
    </div>
  );
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
