// The prompt, where a person writes commands and messages to the agent. Owns: the text and its caret, the position in
// past commands, and the result of the last line. Refused text comes back. Nothing is typed into the shell key by key.
import { type Accessor, createEffect, createRoot, createSignal } from "solid-js";
import type { ShownSession } from "../app/page-state.ts";
import type { Mode } from "../approvals/control.ts";
import { call, type Fault, isFault } from "../wire/api.ts";
import { type Completion, createCompletion } from "./completion.ts";
import { commonStart, type Meaning, meaningOf } from "./words.ts";

/** How long a line waits for the shell's prompt. The transcript shows its output, so we do not wait for its end. */
const PROMPT_MS = 5_000;
/** A shell shows an empty line within this time. */
const DISCARD_MS = 500;
/** We do not use the answer's output, so we ask for the least possible. */
const OUTPUT_CHARS = 100;

interface Written {
  readonly text: string;
  readonly caret: number;
}

export interface Composer {
  readonly written: Accessor<Written>;
  readonly fault: Accessor<Fault | undefined>;
  readonly completion: Completion;
  mode(): Mode;
  /** A person wrote something. */
  write(written: Written): void;
  submit(): Promise<void>;
  /** Clears the half-typed line in the terminal, then runs this one. */
  discardAndSubmit(): Promise<void>;
  complete(): Promise<void>;
  /** Replaces the completed word by the chosen candidate. */
  accept(): void;
  search(): Promise<void>;
  /** True when there was a past command to show. */
  recall(by: "older" | "newer"): boolean;
}

export function createComposer(shown: ShownSession, drafts: Map<string, string>): Composer {
  const draft = drafts.get(shown.id) ?? "";
  const [written, setWritten] = createSignal<Written>({ text: draft, caret: draft.length });
  const [fault, setFault] = createSignal<Fault>();
  const completion = createCompletion(shown.id);
  const past = createPast(completion, (text) => put(text));
  const filling = createFilling(completion, written, put);
  const mode = () => shown.control.facts.policy?.mode ?? "agent_terminal";

  function put(text: string, caret = text.length): void {
    setWritten({ text, caret });
    drafts.set(shown.id, text);
  }

  async function use(meaning: Meaning): Promise<void> {
    if (meaning.do === "nothing") return;
    const { text } = written();
    past.leave();
    completion.shut();
    setFault(undefined);
    put("");
    const refused = await (meaning.do === "ask" ? ask(shown, meaning.text) : run(shown, meaning.command));
    if (!refused) return;
    if (refused !== "notified") setFault(refused);
    if (written().text === "") put(text);
  }

  return {
    written,
    fault,
    completion,
    mode,
    write({ text, caret }) {
      const isNew = text !== written().text;
      put(text, caret);
      if (!isNew) return;
      past.leave();
      setFault(undefined);
      const open = completion.choices();
      completion.shut();
      if (!open) return;
      const line = open.kind === "path" ? text.slice(0, caret) : text;
      void completion.look(open.kind, line).then((found) => found && completion.open(found));
    },
    submit: () => use(meaningOf(written().text, mode())),
    async discardAndSubmit() {
      await discardLine(shown.id);
      await use(meaningOf(written().text, mode()));
    },
    ...filling,
    recall: (by) => past.go(by, written().text),
  };
}

type Filling = Pick<Composer, "complete" | "accept" | "search">;

/** Inserts the candidate, or the part that all candidates share. */
function createFilling(
  completion: Completion,
  written: Accessor<Written>,
  put: (text: string, caret: number) => void,
): Filling {
  function replace(from: number, instead: string): void {
    const { text, caret } = written();
    completion.shut();
    put(text.slice(0, from) + instead + text.slice(caret), from + instead.length);
  }
  return {
    async complete() {
      const { text, caret } = written();
      const found = await completion.look("path", text.slice(0, caret));
      if (!found || written().text !== text) return;
      const [only] = found.all;
      if (only && found.all.length === 1)
        return replace(found.from, only.kind === "file" ? `${only.text} ` : only.text);
      const start = commonStart(found.all.map((candidate) => candidate.text));
      if (start.length > caret - found.from) replace(found.from, start);
      completion.open(found);
    },
    accept() {
      const [open, chosen] = [completion.choices(), completion.chosen()];
      if (!open || !chosen) return;
      if (open.kind === "path") return replace(open.from, chosen.text);
      // A past command replaces the whole text.
      completion.shut();
      put(chosen.text, chosen.text.length);
    },
    async search() {
      const found = await completion.look("past", written().text);
      if (found) completion.open(found);
    },
  };
}

async function run({ id, control, transcript }: ShownSession, command: string): Promise<Fault | undefined> {
  // An agent's hold from its last prompt ends when a person runs something, because the new program is theirs.
  if (control.agentHolds()) await control.release();
  const begun = new AbortController();
  // Browsers allow six connections to a server. One that waits for a program's end could be the one that Stop needs.
  const unwatch = createRoot((dispose) => {
    createEffect(() => transcript.running()?.cmd === command && begun.abort());
    return dispose;
  });
  const line = { session_id: id, command, timeout_ms: PROMPT_MS, max_output_chars: OUTPUT_CHARS };
  const answer = await call("run_command", line, begun.signal);
  unwatch();
  return isFault(answer) && !begun.signal.aborted ? answer : undefined;
}

/** Clears the shell's line: to its end, then delete all. The shell must see this before it gets the next line. */
async function discardLine(session_id: string): Promise<void> {
  const then = { any: [{ change: true as const }], timeout_ms: DISCARD_MS };
  await call("pty_send", { session_id, keys: ["Ctrl+E", "Ctrl+U"], then });
}

/** The conversation notifies the person itself. */
async function ask({ agent }: ShownSession, text: string): Promise<"notified" | undefined> {
  return (await agent.ask(text)) ? undefined : "notified";
}

interface Past {
  go(by: "older" | "newer", text: string): boolean;
  leave(): void;
}

/** Commands that begin like the text, the newest first. After the newest comes the text itself. */
function createPast(completion: Completion, put: (text: string) => void): Past {
  let way: { readonly begun: string; readonly all: readonly string[]; at: number } | undefined;
  const show = () => way && put(way.all[way.at] ?? way.begun);
  return {
    go(by, text) {
      if (way) {
        way.at = Math.min(Math.max(way.at + (by === "older" ? 1 : -1), -1), way.all.length - 1);
        show();
        if (way.at < 0) way = undefined;
        return true;
      }
      if (by === "newer") return false;
      void completion.look("past", text).then((found) => {
        const all = (found?.all ?? []).map((candidate) => candidate.text).filter((line) => line.startsWith(text));
        if (all.length === 0) return;
        way = { begun: text, all, at: 0 };
        show();
      });
      return true;
    },
    leave() {
      way = undefined;
    },
  };
}
