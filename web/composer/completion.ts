// Candidates for the prompt: what the session's shell offers at Tab. Owns: the list that is open, and the chosen entry. Refuses:
// to touch the text; the composer does that. The shell is asked at Tab alone, because to complete a line may run programs.
import { type Accessor, createSignal } from "solid-js";
import type { Output } from "../../src/protocol/ops.ts";
import { call, isFault } from "../wire/api.ts";
import type { LinePart } from "./words.ts";
import type { Written } from "./writing.ts";

type Candidate = Output<"complete">["candidates"][number];

export interface Choices {
  /** The replaced part begins here and ends at the caret. */
  readonly from: number;
  readonly all: readonly Candidate[];
  /** -1 means none yet. */
  readonly at: number;
  readonly more: number;
  /** Why the shell was not asked. */
  readonly note: string | null;
}

/** What Tab does: the part of the text becomes this, and the list shows the rest. */
interface Offered {
  readonly choices: Choices;
  readonly becomes: Written;
}

export interface Completion {
  readonly choices: Accessor<Choices | undefined>;
  readonly chosen: Accessor<Candidate | undefined>;
  /** Undefined when the text has changed since, a later question was quicker, or nobody answers. */
  offer(part: LinePart): Promise<Offered | undefined>;
  open(choices: Choices): void;
  /** The text changed. An open list has what still fits. */
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
    async offer({ at, line, caret, kind }) {
      asked += 1;
      const mine = asked;
      const answer = await call("complete", { session_id, line, caret, kind });
      if (isFault(answer) || mine !== asked) return undefined;
      const { candidates: all, more, note, becomes } = answer;
      return { choices: { from: at + answer.from, all, at: -1, more, note }, becomes };
    },
    // Who pressed Tab hears why there is nothing.
    open: (found) => setChoices(found.all.length > 0 || found.note ? found : undefined),
    follow(text, caret) {
      asked += 1;
      const open = choices();
      if (!open) return;
      const begun = text.slice(open.from, caret);
      const all = caret < open.from ? [] : open.all.filter((candidate) => candidate.text.startsWith(begun));
      completion.open({ ...open, all, at: -1, note: null });
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
