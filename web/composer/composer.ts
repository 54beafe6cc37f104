// The prompt, where a person writes commands and messages to the agent. Owns: the text and its caret, the position in
// past commands, and the result of the last line. Refused text comes back. Nothing is typed into the shell key by key.
import { type Accessor, onCleanup } from "solid-js";
import type { Block } from "../../src/protocol/ops/blocks.ts";
import type { ShownSession } from "../app/page-state.ts";
import type { Mode } from "../approvals/control.ts";
import type { Fault } from "../wire/api.ts";
import { type Completion, createCompletion } from "./completion.ts";
import { createEntering, type Entering } from "./entering.ts";
import { createOutbox, isIncomplete, type Outbox } from "./outbox.ts";
import { commonStart, meaningOf } from "./words.ts";
import { type Drafts, type Writing, type Written, writingOf } from "./writing.ts";

export interface Composer {
  readonly written: Accessor<Written>;
  readonly fault: Accessor<Fault | undefined>;
  /** Who typed what was taken over from the shell, if it was somebody else. */
  readonly owner: Accessor<string | undefined>;
  /** Lines that the shell has not taken yet. */
  readonly waiting: Accessor<readonly string[]>;
  readonly completion: Completion;
  mode(): Mode;
  /** A person wrote something. */
  write(written: Written): void;
  submit(): void;
  /** Gives up the line that waits for the shell. */
  cancel(): void;
  /** Moves the half line of the shell's prompt here, before what is written here. */
  takeShellLine(): Promise<void>;
  /** Runs the half line of the shell's prompt. What is written here stays. */
  runShellLine(): Promise<void>;
  discardShellLine(): Promise<void>;
  /** What was written since this command began, as keys for it. Undefined when the command is not this prompt's doing. */
  keysFor(block: Block): string | undefined;
  complete(): Promise<void>;
  /** Replaces the completed word by the chosen candidate. */
  accept(): void;
  search(): Promise<void>;
  /** True when there was a past command to show. */
  recall(by: "older" | "newer"): boolean;
}

export function createComposer(shown: ShownSession, drafts: Drafts): Composer {
  const writing = writingOf(drafts, shown.id);
  const { written, put, before, fault, setFault, owner, setOwner, empty } = writing;
  const completion = createCompletion(shown.id);
  const past = createPast(completion, (text) => put(text));
  const mode = () => shown.control.facts.policy?.mode ?? "agent_terminal";
  const outbox = createOutbox(shown, writing.left, {
    refused(text, why) {
      const isOpen = why !== undefined && isIncomplete(why);
      setFault(isOpen ? undefined : why);
      before(written().text === "" && !isOpen ? text : `${text}\n`);
    },
  });
  const entering = createEntering(shown, {
    entered: (text) => void use(text),
    taken(text, actor) {
      before(text);
      if (actor !== "person") setOwner(actor);
    },
  });
  keepBetweenShows(shown, writing, outbox, entering);

  /** The conversation notifies the person itself. */
  async function use(text: string): Promise<void> {
    const meaning = meaningOf(text, mode());
    if (meaning.do === "run") outbox.add(meaning.command);
    if (meaning.do === "ask" && !(await shown.agent.ask(meaning.text)) && written().text === "") put(text);
  }

  function leave(): string {
    past.leave();
    completion.shut();
    return empty();
  }
  return {
    written,
    fault,
    owner,
    waiting: outbox.waiting,
    completion,
    mode,
    write({ text, caret }) {
      const before = written().text;
      put(text, caret);
      if (text === before) return;
      past.leave();
      setFault(undefined);
      completion.follow(text, caret);
    },
    submit: () => entering.enter(leave()),
    cancel: outbox.cancel,
    ...createShellLineChoices(shown, entering, outbox, () => setFault(undefined)),
    keysFor(block) {
      if (!outbox.began(block) && !shown.shellLine.isDue()) return undefined;
      return [...outbox.withdraw(), ...entering.withdraw(), leave()].join("\n").replaceAll("\n", "\r");
    },
    ...createFilling(completion, written, put),
    recall: (by) => past.go(by, written().text),
  };
}

/** What was entered runs where it was entered, whatever is shown. A line whose beginning the shell still has is kept. */
function keepBetweenShows({ shellLine }: ShownSession, writing: Writing, outbox: Outbox, entering: Entering): void {
  if (writing.isAhead) shellLine.typed();
  onCleanup(() => {
    writing.left = outbox.leave();
    writing.isAhead = shellLine.isDue();
    for (const text of entering.withdraw().reverse()) writing.before(`${text}\n`);
  });
}

type ShellLineChoices = Pick<Composer, "takeShellLine" | "runShellLine" | "discardShellLine">;

/** What can be done with the half line at the shell's own prompt. */
function createShellLineChoices(
  { shellLine, live }: ShownSession,
  entering: Entering,
  outbox: Outbox,
  onChosen: () => void,
): ShellLineChoices {
  return {
    async takeShellLine() {
      await entering.take();
      onChosen();
    },
    async runShellLine() {
      const taken = await shellLine.take();
      if (taken?.text) outbox.add(taken.text);
      onChosen();
    },
    async discardShellLine() {
      // A shell that waits for the rest of a command has no line to give.
      if (!(await shellLine.take())) live.press("\x03");
      onChosen();
    },
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
      // At once, so that what is typed next is part of the search.
      completion.open({ kind: "past", from: 0, all: [], at: -1, more: 0, isKnown: false });
      const found = await completion.look("past", written().text);
      if (found) completion.open(found);
    },
  };
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
