// Candidates for the prompt: files for the word before the caret, and past commands. Owns: the list that is
// open, and the chosen entry. Refuses: to touch the text; the composer does that.
import { type Accessor, createSignal } from "solid-js";
import type { Output } from "../../src/protocol/ops.ts";
import { call, isFault } from "../wire/api.ts";

type Candidate = Output<"complete">["candidates"][number];
type Kind = "path" | "past";

export interface Choices {
  readonly kind: Kind;
  /** The replaced part begins here and ends at the caret. */
  readonly from: number;
  readonly all: readonly Candidate[];
  /** -1 means none yet. */
  readonly at: number;
  readonly more: number;
  /** False while the daemon is asked. */
  readonly isKnown: boolean;
}

export interface Completion {
  readonly choices: Accessor<Choices | undefined>;
  readonly chosen: Accessor<Candidate | undefined>;
  /** Undefined when a later question was quicker, or nobody answers. */
  look(kind: Kind, line: string): Promise<Choices | undefined>;
  open(choices: Choices): void;
  /** The text changed. An open list is made again for it. */
  follow(text: string, caret: number): void;
  move(by: 1 | -1): void;
  point(at: number): void;
  shut(): void;
}

export function createCompletion(session_id: string): Completion {
  const [choices, setChoices] = createSignal<Choices>();
  let asked = 0;
  const completion: Completion = {
    choices,
    chosen: () => choices()?.all[choices()?.at ?? -1],
    async look(kind, line) {
      asked += 1;
      const mine = asked;
      const answer = await call("complete", { session_id, line, kind });
      if (isFault(answer) || mine !== asked) return undefined;
      const [{ from, candidates: all, more }, at] = [answer, kind === "past" ? 0 : -1];
      return { kind, from, all, at, more, isKnown: true };
    },
    // A search of the past without a match says so.
    open: (found) => setChoices(found.all.length > 0 || found.kind === "past" ? found : undefined),
    follow(text, caret) {
      const open = choices();
      if (!open) return completion.shut();
      const line = open.kind === "path" ? text.slice(0, caret) : text;
      completion.open(narrowed(open, line));
      void completion.look(open.kind, line).then((found) => found && completion.open(found));
    },
    move: (by) =>
      setChoices((open) => open && { ...open, at: (Math.max(open.at + by, -1) + open.all.length) % open.all.length }),
    point: (at) => setChoices((open) => open && { ...open, at }),
    shut() {
      // We ignore an answer that is still on its way.
      asked += 1;
      setChoices(undefined);
    },
  };
  return completion;
}

/** Until the daemon answers. A key that comes meanwhile must not find the list closed, nor choose what no longer fits. */
function narrowed(open: Choices, line: string): Choices {
  const fits = ({ text }: Candidate) =>
    open.kind === "past" ? text.includes(line) : text.startsWith(line.slice(open.from));
  const all = open.all.filter(fits);
  return { ...open, all, at: open.kind === "past" && all.length > 0 ? 0 : -1, more: 0, isKnown: false };
}
