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
      return { kind, from: answer.from, all: answer.candidates, at: kind === "past" ? 0 : -1, more: answer.more };
    },
    // A search of the past without a match says so.
    open: (found) => setChoices(found.all.length > 0 || found.kind === "past" ? found : undefined),
    follow(text, caret) {
      const kind = choices()?.kind;
      completion.shut();
      if (!kind) return;
      const line = kind === "path" ? text.slice(0, caret) : text;
      void completion.look(kind, line).then((found) => found && completion.open(found));
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
