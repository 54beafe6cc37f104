// What the written line may become: a command that a person ran before, in grey after the caret. Owns: the last one that fitted.
// Refuses: to touch the text.
import { type Accessor, createEffect, createSignal, on } from "solid-js";
import { call, isFault } from "../../wire/api.ts";
import type { Written } from "../writing.ts";

/** A longer line is not being typed from memory. */
const TEXT_CHARS_MAX = 500;

export interface Suggestion {
  /** What would be added. Empty: nothing is suggested. */
  readonly rest: Accessor<string>;
  /** Its first word, with the blank before it. */
  word(): string;
}

/** `isWanted`: whether this text is a command that a person writes, with nothing secret about. */
export function createSuggestion(
  session_id: string,
  written: Accessor<Written>,
  isWanted: (text: string) => boolean,
): Suggestion {
  const [best, setBest] = createSignal("");
  let isAsking = false;
  const text = () => written().text;
  const isOpen = () => text().trim() !== "" && text().length <= TEXT_CHARS_MAX && !text().includes("\n");
  const fits = () => isOpen() && best().startsWith(text());

  /** One question at a time. While it is under way, the newest text is the only one that counts. */
  async function ask(): Promise<void> {
    if (isAsking) return;
    isAsking = true;
    for (let about: string | undefined; about !== text() && isOpen() && isWanted(text()) && !fits(); ) {
      about = text();
      const answer = await call("history", { session_id, text: about, use: "suggest" });
      setBest(isFault(answer) ? "" : (answer.commands[0]?.cmd ?? ""));
    }
    isAsking = false;
  }

  createEffect(
    on(text, (now) => {
      // What ran meanwhile counts for the next line.
      if (now === "") setBest("");
      else void ask();
    }),
  );
  const rest = () =>
    fits() && written().caret === text().length && isWanted(text()) ? best().slice(text().length) : "";
  return { rest, word: () => /^\s*\S*/.exec(rest())?.[0] ?? "" };
}
