// Which key does what in the prompt. Refuses: to change anything itself; the composer does that.
import type { ShownSession } from "../app/page-state.ts";
import type { Composer } from "./composer.ts";
import type { HistorySearch } from "./history/search.ts";
import { isOnFirstLine, isOnLastLine } from "./words.ts";

/** A page of the list of past commands. */
const PAGE = 8;

/** True when we used the key. */
export function onKey(
  event: KeyboardEvent & { currentTarget: HTMLTextAreaElement },
  props: { composer: Composer; shown: ShownSession },
): boolean {
  const { composer, shown } = props;
  const { ctrlKey, altKey, shiftKey, metaKey, key } = event;
  if (metaKey) return false;
  if (key === "ArrowRight" && ctrlKey !== altKey && !shiftKey) return composer.history.take("word");
  if (ctrlKey && !altKey && !shiftKey) return onControl(key, event.currentTarget, composer, shown);
  if (key === "Enter" && altKey) return insert(event.currentTarget, "\n", composer);
  if (ctrlKey || altKey || shiftKey) return false;
  if (composer.history.search.past()) return onSearchKey(key, composer.history.search);
  return (
    (composer.completion.choices() ? onListKey(key, composer) : false) || onPlain(key, event.currentTarget, composer)
  );
}

function onControl(key: string, area: HTMLTextAreaElement, composer: Composer, shown: ShownSession): boolean {
  if (key === "r") {
    composer.completion.shut();
    composer.history.search.start();
    return true;
  }
  if (key === "u") return eraseToStart(area);
  // What is selected is copied.
  if (key !== "c" || area.selectionStart !== area.selectionEnd) return false;
  if (composer.history.search.past()) composer.history.search.close();
  else if (area.value !== "") composer.write({ text: "", caret: 0 });
  else if (shown.transcript.running()) shown.live.press("\x03");
  else return false;
  return true;
}

const MOVES: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: PAGE, PageUp: -PAGE };

/** Enter without a match does nothing: the text is a search, not a command. */
function onSearchKey(key: string, search: HistorySearch): boolean {
  const by = MOVES[key];
  if (by !== undefined) search.move(by);
  else if (key === "Enter") search.accept();
  else if (key === "Escape") search.close();
  else return false;
  return true;
}

function onListKey(key: string, { completion, ...composer }: Composer): boolean {
  const chosen = completion.chosen();
  // It only says why there is nothing.
  if (completion.choices()?.all.length === 0 && key !== "Escape") return false;
  if (key === "ArrowDown" || (key === "Tab" && !chosen)) completion.move(1);
  else if (key === "ArrowUp") completion.move(-1);
  else if (key === "Escape") completion.shut();
  else if (chosen && (key === "Enter" || key === "Tab")) composer.accept();
  else return false;
  return true;
}

function onPlain(key: string, area: HTMLTextAreaElement, composer: Composer): boolean {
  const { value, selectionEnd } = area;
  if (key === "Enter") composer.submit();
  // An empty prompt lets Tab through, so that nobody is trapped in it.
  else if (key === "Tab" && value.trim() !== "") void composer.complete();
  else if (key === "ArrowRight" || key === "End") return composer.history.take("all");
  else if (key === "ArrowUp" && isOnFirstLine(value, selectionEnd)) return composer.history.recall("older");
  else if (key === "ArrowDown" && isOnLastLine(value, selectionEnd)) return composer.history.recall("newer");
  else return false;
  return true;
}

/** As a shell does it, in the line that the caret is in. The field hears of it, and Ctrl+Z brings it back. */
function eraseToStart(area: HTMLTextAreaElement): boolean {
  const { value, selectionEnd } = area;
  area.setSelectionRange(value.lastIndexOf("\n", selectionEnd - 1) + 1, selectionEnd);
  if (area.selectionStart !== area.selectionEnd) document.execCommand("delete");
  return true;
}

function insert(area: HTMLTextAreaElement, text: string, composer: Composer): boolean {
  area.setRangeText(text, area.selectionStart, area.selectionEnd, "end");
  composer.write({ text: area.value, caret: area.selectionEnd });
  return true;
}
