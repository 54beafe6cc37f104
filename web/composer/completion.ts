// Candidates for the prompt: files for the word before the caret. Owns: the list that is open, and the chosen entry. Refuses: to touch the text; the composer does that.
import { type Accessor, createSignal } from "solid-js";
import type { Output } from "../../src/protocol/ops.ts";
import { call, isFault } from "../wire/api.ts";

type Candidate = Output<"complete">["candidates"][number];

export interface Choices {
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
  look(line: string): Promise<Choices | undefined>;
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
    async look(line) {
      asked += 1;
      const mine = asked;
      const answer = await call("complete", { session_id, line });
      if (isFault(answer) || mine !== asked) return undefined;
      const { from, candidates: all, more } = answer;
      return { from, all, at: -1, more };
    },
    open: (found) => setChoices(found.all.length > 0 ? found : undefined),
    follow(text, caret) {
      const open = choices();
      if (!open) return completion.shut();
      const line = text.slice(0, caret);
      completion.open(narrowed(open, line));
      void completion.look(line).then((found) => found && completion.open(found));
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
  const all = open.all.filter(({ text }) => text.startsWith(line.slice(open.from)));
  return { ...open, all, at: -1, more: 0 };
}
