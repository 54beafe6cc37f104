// Lines on their way from the prompt to the shell. Owns: their order. One is handed over at a time, and the next one when the
// command of the one before is over. Refused lines come back, with all that were written after them.
import { type Accessor, createEffect, createRoot, createSignal } from "solid-js";
import { INCOMPLETE_LINE } from "../../src/core/base/fault.ts";
import type { Block } from "../../src/protocol/ops/blocks.ts";
import { isPerson } from "../../src/protocol/plain/person-name.ts";
import type { ShownSession } from "../app/page-state.ts";
import { hostOf } from "../hosts/words.ts";
import { call, type Fault, isFault } from "../wire/api.ts";

/** How long a line waits for the shell's prompt. The transcript shows its output, so we do not wait for its end. */
const PROMPT_MS = 600_000;
/** We do not use the answer's output, so we ask for the least possible. */
const OUTPUT_CHARS = 100;

export interface Outbox {
  /** Lines that no shell has taken yet. */
  readonly waiting: Accessor<readonly string[]>;
  add(command: string): void;
  /** The lines that the daemon does not have yet. They are the caller's now. */
  withdraw(): string[];
  /** The session is no longer shown. Its lines still run there, one after the other. Resolves when the shell took the last one. */
  leave(): Promise<void>;
  /** Gives up the line that waits for the shell. It comes back as refused. */
  cancel(): void;
  /** Whether a line of this page became this command. */
  began(block: Block): boolean;
}

interface OutboxEvents {
  /** `text`: the refused line and the ones after it. */
  refused(text: string, fault: Fault | undefined): void;
}

/** `earlier`: lines of the same session that go first. */
export function createOutbox(shown: ShownSession, earlier: Promise<void>, on: OutboxEvents): Outbox {
  const [queue, setQueue] = createSignal<readonly string[]>([]);
  const [sent, setSent] = createSignal<string>();
  let begun: string | undefined;
  const [isLeft, setLeft] = createSignal(false);
  let [working, giveUp]: [Promise<void>?, AbortController?] = [];

  const emptied = () => [...queue(), ...setQueue([])];

  async function work(): Promise<void> {
    await earlier;
    while (queue().length > 0) {
      await when(() => queue().length === 0 || isLeft() || isFree(shown) || isCut(shown));
      if (queue().length > 0 && !isLeft() && isCut(shown)) on.refused(emptied().join("\n"), cutFrom(shown.id));
      const [command, ...others] = queue();
      if (command === undefined) break;
      setQueue(others);
      await send(command);
    }
    working = undefined;
  }

  async function send(command: string): Promise<void> {
    giveUp = new AbortController();
    setSent(command);
    if (!isLeft()) shown.live.claimSize();
    const refused = await run(shown, command, giveUp.signal, (block) => {
      begun = block.block_id;
    });
    setSent(undefined);
    if (refused === undefined) return;
    const after = emptied();
    // The next line may be the rest of it.
    if (refused !== "given up" && isIncomplete(refused) && after.length > 0) {
      setQueue([[command, ...after].slice(0, 2).join("\n"), ...after.slice(1)]);
      return;
    }
    on.refused([command, ...after].join("\n"), refused === "given up" ? undefined : refused);
  }

  return {
    waiting: () => [...(sent() === undefined ? [] : [sent() ?? ""]), ...queue()],
    add(command) {
      setQueue((lines) => [...lines, command]);
      working ??= work();
    },
    withdraw: emptied,
    async leave() {
      setLeft(true);
      await working;
    },
    cancel() {
      if (sent() !== undefined) return giveUp?.abort();
      const lines = emptied();
      if (lines.length > 0) on.refused(lines.join("\n"), undefined);
    },
    began: ({ block_id }) => block_id === begun,
  };
}

/** While a person's command runs, what they write is meant for it. Without a connection nobody would hear of it. */
function isFree({ transcript, live }: ShownSession): boolean {
  return !isPerson(transcript.running()?.actor ?? "") && live.facts.phase === "open";
}

/** The session is on another machine, and the way there is lost. What is entered now would run at a time that nobody chose. */
export function isCut({ id, live }: ShownSession): boolean {
  return hostOf(id) !== undefined && live.facts.phase === "reconnecting";
}

export function cutFrom(id: string): Fault {
  const [message, hint] = [`${hostOf(id)} is not here: the line was not sent`, "Enter it again when it is back."];
  return { fault: true, code: "host.gone", message, hint };
}

async function run(
  { id, transcript }: ShownSession,
  command: string,
  givenUp: AbortSignal,
  onBegun: (block: Block) => void,
): Promise<Fault | "given up" | undefined> {
  let hasBegun = false;
  const enough = new AbortController();
  givenUp.addEventListener("abort", () => enough.abort());
  // Browsers allow six connections to a server. One that waits for a program's end could be the one that Stop needs.
  const unwatch = createRoot((dispose) => {
    createEffect(() => {
      const block = transcript.running();
      if (!block || block.run_id === null || block.cmd !== command) return;
      onBegun(block);
      hasBegun = true;
      enough.abort();
    });
    return dispose;
  });
  const line = { session_id: id, command, timeout_ms: PROMPT_MS, max_output_chars: OUTPUT_CHARS };
  const answer = await call("run_command", line, enough.signal);
  unwatch();
  if (hasBegun || !isFault(answer)) return undefined;
  return givenUp.aborted ? "given up" : answer;
}

/** The shell waits for the rest of the line. */
export function isIncomplete({ message }: Fault): boolean {
  return message === INCOMPLETE_LINE;
}

/** Resolves when `check` says so. It is asked again whenever something changes that it looked at. */
function when(check: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    createRoot((dispose) => {
      createEffect(() => {
        if (!check()) return;
        resolve();
        queueMicrotask(dispose);
      });
    });
  });
}
