// A person's answers where the task was given: yes or no to a proposal, and "go on" when the agent pauses. Owns:
// standard input while there is a question. Refuses: to block on it; the output goes on, and an answer given elsewhere
// counts as well.
import type { Client } from "../../client/client.ts";

/** Keys typed before the question could be read are not an answer to it. */
const ARM_MS = 400;

export const ANSWER_KEYS = {
  proposal: "y Enter allows it, n Enter denies it",
  pause: "Enter takes this step, r Enter goes on without pauses, Ctrl+C stops",
} as const;

type OpenQuestion =
  | { readonly about: "proposal"; readonly approval_id: string; readonly at: number }
  | { readonly about: "pause"; readonly at: number };

export class TypedAnswers {
  #client: Client;
  #session_id: string;
  #say: (text: string) => void;
  #question: OpenQuestion | undefined;
  #line = "";

  constructor(client: Client, session_id: string, say: (text: string) => void) {
    this.#client = client;
    this.#session_id = session_id;
    this.#say = say;
  }

  propose(approval_id: string): void {
    this.#ask({ about: "proposal", approval_id, at: performance.now() });
  }

  pause(): void {
    this.#ask({ about: "pause", at: performance.now() });
  }

  settle(about: OpenQuestion["about"]): void {
    if (this.#question?.about === about) this.close();
  }

  close(): void {
    this.#question = undefined;
    process.stdin.off("data", this.#read).pause();
  }

  #ask(question: OpenQuestion): void {
    this.close();
    this.#question = question;
    this.#line = "";
    process.stdin.on("data", this.#read).resume();
  }

  #read = (data: Buffer): void => {
    const question = this.#question;
    if (!question || performance.now() - question.at < ARM_MS) return;
    this.#line += data.toString();
    if (!this.#line.includes("\n")) return;
    const word = this.#line.trim().toLowerCase();
    this.#line = "";
    const call = this.#callFor(question, word);
    if (call) void this.#carryOut(call);
    else this.#say(ANSWER_KEYS[question.about]);
  };

  #callFor(question: OpenQuestion, word: string): (() => Promise<unknown>) | undefined {
    const [client, session_id] = [this.#client, this.#session_id];
    if (question.about === "pause") {
      if (/^(?:|y|yes|s|step)$/.test(word)) return () => client.agent_control({ session_id, action: "step" });
      return /^(?:r|resume)$/.test(word) ? () => client.agent_control({ session_id, action: "resume" }) : undefined;
    }
    const { approval_id } = question;
    if (/^(?:y|yes)$/.test(word)) return () => client.approve({ approval_id });
    return /^(?:n|no)$/.test(word) ? () => client.deny({ approval_id }) : undefined;
  }

  async #carryOut(call: () => Promise<unknown>): Promise<void> {
    try {
      await call();
    } catch (error) {
      this.#say(error instanceof Error ? error.message : String(error));
    }
  }
}
