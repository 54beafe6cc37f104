// Asks about the foreground program while attached, at a limited pace and only after something happened. Owns: the pace.
import type { Client } from "../../client/client.ts";
import { agentWords } from "../../protocol/plain/agent-words.ts";
import type { AttachState } from "./state.ts";

const PROBE_MS = 1_000;

export class SessionProbes {
  #probe: () => Promise<void>;
  #at = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;

  constructor(probe: () => Promise<void>) {
    this.#probe = probe;
  }

  soon(): void {
    if (this.#timer || this.#isOver) return;
    const wait = Math.max(0, this.#at + PROBE_MS - performance.now());
    this.#timer = setTimeout(() => void this.#now(), wait);
  }

  stop(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
  }

  async #now(): Promise<void> {
    this.#at = performance.now();
    await this.#probe();
    this.#timer = undefined;
  }
}

type Found = Pick<AttachState, "program" | "echo" | "state" | "cli">;

export async function lookedAt(client: Client, session_id: string): Promise<Found> {
  const asked = { session_id };
  const [screen, { session }] = await Promise.all([client.pty_screen_status(asked), client.status(asked)]);
  const { foreground, echo, state } = screen;
  const words = session ? agentWords(session) : undefined;
  const cli = words === undefined ? undefined : { words, asks: session?.agent_state?.state === "blocked" };
  return { program: foreground?.name ?? null, echo, state, cli };
}
