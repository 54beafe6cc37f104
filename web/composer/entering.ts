// What a person enters while the beginning of their line may still stand at the shell's own prompt. Owns: entered texts that
// wait for it.
import type { ShownSession } from "../app/page-state.ts";

/** A shell that waits for the rest of a command has no line to give. */
const TAKE_TRIES_MAX = 3;

interface EnteringEvents {
  /** A text was entered, whole now. */
  entered(text: string): void;
  /** A half line came, and nothing was entered meanwhile. */
  taken(text: string, actor: string): void;
}

export interface Entering {
  enter(text: string): void;
  /** Takes the half line away from the shell. It is the beginning of what was entered, or written, meanwhile. */
  take(): Promise<void>;
  /** What waits. It is the caller's now. */
  withdraw(): string[];
}

export function createEntering({ shellLine, transcript }: ShownSession, on: EnteringEvents): Entering {
  let waiting: string[] = [];
  const isRunning = () => transcript.running() !== undefined;

  function withdraw(): string[] {
    const texts = waiting;
    waiting = [];
    return texts;
  }

  async function take(): Promise<void> {
    // Who asked first gets it.
    if (shellLine.isTaking()) return;
    let taken: Awaited<ReturnType<typeof shellLine.take>>;
    for (let tries = 0; !taken && tries < TAKE_TRIES_MAX; ) {
      const last = transcript.last()?.block_id;
      taken = await shellLine.take();
      if (isRunning()) break;
      // A line that was typed ahead ran meanwhile, so the shell was right to refuse.
      if (transcript.last()?.block_id === last) tries += 1;
    }
    // What was typed ahead runs now. Its end is the next occasion.
    if (!taken && isRunning()) return;
    shellLine.done();
    const [text, actor] = [taken?.text ?? "", taken?.actor ?? ""];
    const [first, ...others] = withdraw();
    if (first !== undefined) for (const entered of [text + first, ...others]) on.entered(entered);
    else if (text !== "") on.taken(text, actor);
  }

  return {
    enter(text) {
      if (!shellLine.isDue() && !shellLine.isTaking()) return on.entered(text);
      waiting.push(text);
      if (!isRunning()) void take();
    },
    take,
    withdraw,
  };
}
