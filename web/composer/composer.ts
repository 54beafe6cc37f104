// The prompt, where a person writes commands and messages to the agent. Owns: the text and its caret, the position in
// past commands, and the result of the last line. Refused text comes back. Nothing is typed into the shell key by key.
import { type Accessor, createEffect, on, onCleanup } from "solid-js";
import type { Block } from "../../src/protocol/ops/blocks.ts";
import type { ShownSession } from "../app/page-state.ts";
import type { Mode } from "../approvals/control.ts";
import type { Fault } from "../wire/api.ts";
import { type Completion, createCompletion } from "./completion.ts";
import { createEntering, type Entering } from "./entering.ts";
import { createHistory, type History } from "./history/history.ts";
import { createOutbox, cutFrom, isCut, isIncomplete, type Outbox } from "./outbox.ts";
import { type LinePart, linePart, meaningOf } from "./words.ts";
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
  readonly history: History;
}

export function createComposer(shown: ShownSession, drafts: Drafts): Composer {
  const writing = writingOf(drafts, shown.id);
  const { written, put, before, fault, setFault, owner, setOwner, empty } = writing;
  const completion = createCompletion(shown.id);
  const mode = () => shown.control.facts.policy?.mode ?? "agent_terminal";
  const history = createHistory(shown, writing, mode, () => completion.choices() !== undefined);
  const outbox = createOutbox(shown, writing.left, {
    refused(text, why) {
      history.search.close();
      const isOpen = why !== undefined && isIncomplete(why);
      setFault(isOpen ? undefined : why);
      before(written().text === "" && !isOpen ? text : `${text}\n`);
    },
  });
  const entering = createEntering(shown, {
    entered: (text) => void use(text, mode(), { shown, writing, outbox }),
    taken(text, actor) {
      history.search.close();
      before(text);
      if (actor !== "person") setOwner(actor);
    },
  });
  giveBackWhenCut(shown, writing, entering);
  keepBetweenShows(shown, writing, outbox, entering);
  onCleanup(history.leave);

  function leave(): string {
    history.leave();
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
      if (history.search.past()) return history.search.follow(text);
      history.wrote();
      setFault(undefined);
      completion.follow(text, caret);
    },
    submit: () =>
      history.search.past() ? history.search.accept() : tellsCut(shown, writing) || entering.enter(leave()),
    cancel: outbox.cancel,
    ...createShellLineChoices(shown, entering, outbox, () => setFault(undefined)),
    keysFor(block) {
      if (!outbox.began(block) && !shown.shellLine.isDue()) return undefined;
      return [...outbox.withdraw(), ...entering.withdraw(), leave()].join("\n").replaceAll("\n", "\r");
    },
    ...createFilling(completion, writing, () => linePart(written(), mode(), owner() !== undefined)),
    history,
  };
}

interface Uses {
  readonly shown: ShownSession;
  readonly writing: Writing;
  readonly outbox: Outbox;
}

/** The conversation notifies the person itself. */
async function use(text: string, mode: Mode, { shown, writing, outbox }: Uses): Promise<void> {
  const meaning = meaningOf(text, mode);
  if (meaning.do === "run") outbox.add(meaning.command);
  if (meaning.do === "ask" && !(await shown.agent.ask(meaning.text)) && writing.written().text === "")
    writing.put(text);
}

/** Whether nothing can be entered now. The text stays, and the person is told why. */
function tellsCut(shown: ShownSession, { written, setFault }: Writing): boolean {
  const is = isCut(shown) && written().text.trim() !== "";
  if (is) setFault(cutFrom(shown.id));
  return is;
}

/** Entered texts that wait for the shell's half line, when the way to its machine is lost. */
function giveBackWhenCut(shown: ShownSession, { before, setFault }: Writing, entering: Entering): void {
  createEffect(
    on(
      () => isCut(shown),
      (is) => {
        const text = is && entering.withdraw().join("\n");
        if (!text) return;
        before(text);
        setFault(cutFrom(shown.id));
      },
    ),
  );
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

type Filling = Pick<Composer, "complete" | "accept">;

/** Inserts the candidate, or what the shell would insert. */
function createFilling(completion: Completion, { written, put }: Writing, partNow: () => LinePart): Filling {
  function replace(from: number, instead: string): void {
    const { text, caret } = written();
    completion.shut();
    put(text.slice(0, from) + instead + text.slice(caret), from + instead.length);
  }
  return {
    async complete() {
      const { text, caret } = written();
      const part = partNow();
      const found = await completion.offer(part);
      const now = written();
      if (!found || now.text !== text || now.caret !== caret) return;
      const { choices, becomes } = found;
      const end = text.slice(part.at + part.line.length);
      put(text.slice(0, part.at) + becomes.text + end, part.at + becomes.caret);
      if (choices.all.length !== 1) completion.open(choices);
    },
    accept() {
      const [open, chosen] = [completion.choices(), completion.chosen()];
      if (!open || !chosen) return;
      replace(open.from, chosen.text);
    },
  };
}
