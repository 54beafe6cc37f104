// What is written in a session's prompt. Owns: the text and its caret, who began it, and why it was refused. It outlives the
// prompt: it is there when the session is shown again.
import { createSignal } from "solid-js";
import type { Fault } from "../wire/api.ts";

export interface Written {
  readonly text: string;
  readonly caret: number;
}

export type Writing = ReturnType<typeof createWriting>;
/** By session id. */
export type Drafts = Map<string, Writing>;

export function writingOf(drafts: Drafts, session_id: string): Writing {
  const writing = drafts.get(session_id) ?? createWriting();
  drafts.set(session_id, writing);
  return writing;
}

function createWriting() {
  const [written, setWritten] = createSignal<Written>({ text: "", caret: 0 });
  const [fault, setFault] = createSignal<Fault>();
  const [owner, setOwner] = createSignal<string>();
  function put(text: string, caret = text.length): void {
    setWritten({ text, caret });
    if (text === "") setOwner(undefined);
  }
  function before(text: string): void {
    const { text: own, caret } = written();
    put(text + own, text.length + caret);
  }
  function empty(): string {
    const { text } = written();
    setFault(undefined);
    put("");
    return text;
  }
  /** Resolves when the lines that were entered before the session was left are with the shell. */
  const left: Promise<void> = Promise.resolve();
  /** Keys of this page stood or may stand at the shell's own prompt when the session was left. */
  const isAhead = false;
  return { written, put, before, fault, setFault, owner, setOwner, empty, left, isAhead };
}
