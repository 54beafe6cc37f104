// Gives a text to the agent CLI in front, once, and proves that its turn began. The text is typed only into an empty prompt box
// of a ready agent, Enter is pressed only when the box shows it, and neither is done twice. Whoever types meanwhile ends it.
import type { Prompted } from "../../../protocol/ops/prompt.ts";
import { messageOf } from "../../agent-cli/message.ts";
import { shows } from "../../agent-cli/prompt-box.ts";
import { type Before, begun, notReady } from "../../agent-cli/readiness.ts";
import type { Cancelled } from "../../base/cancellation.ts";
import type { Clock } from "../../base/clock.ts";
import { type Fault, fault, isFault } from "../../base/fault.ts";
import { type Actor, notedAs } from "../../gate/actor.ts";
import type { Press, Typed } from "../../gate/prompt-keys.ts";
import type { Intent } from "../../gate/settle.ts";
import type { SessionPieces } from "../assembly.ts";
import { encodedKeys, encodedText } from "./encoded.ts";
import { PromptEyes } from "./prompt-eyes.ts";

/** Twenty looks a second: no agent begins and ends a turn between two of them without a trace on its screen. */
const LOOK_MS = 50;
/** A longer text is not taken back key by key. */
const TAKE_BACK_CHARS_MAX = 1_000;

export interface PromptWish {
  readonly actor: Actor;
  readonly text: string;
  readonly intent: Intent;
  /** How long it may take until the agent is ready. */
  readonly wait_ms: number;
  /** How long the box may take to show the text, and then the turn to begin. */
  readonly timeout_ms: number;
  readonly cancelled?: Cancelled | undefined;
}

type Pieces = Pick<SessionPieces, "commands" | "display" | "gate" | "keyboard" | "program">;
type Answer = Omit<Prompted, "screen" | "session_id">;
type Result = Pick<Prompted, "outcome" | "proof" | "hint">;

export class PromptRun {
  #pieces: Pieces;
  #clock: Clock;
  #session_id: string;
  #wish: PromptWish;
  #text: string;
  #eyes: PromptEyes;
  /** How often something was typed, this text included. Undefined: it was not typed yet. */
  #inputs: number | undefined;
  #isCancelled = false;
  /** Why it is not ready after all. */
  #late: Fault | undefined;
  #agent = "";

  constructor(pieces: Pieces, clock: Clock, session_id: string, wish: PromptWish) {
    [this.#pieces, this.#clock, this.#session_id, this.#wish] = [pieces, clock, session_id, wish];
    this.#text = messageOf(wish.actor, wish.text);
    this.#eyes = new PromptEyes(pieces);
    wish.cancelled?.onCancel(() => {
      this.#isCancelled = true;
    });
  }

  async run(): Promise<Answer | Fault | "shut"> {
    if (this.#text.trim() === "") return fault("input.invalid", "there is no text to send", "Give the text.");
    const end = this.#clock.monotonic() + this.#wish.wait_ms;
    for (;;) {
      await this.#until(() => (this.#notReady() ? undefined : "ready"), end - this.#clock.monotonic());
      const answer = await this.#typedOnce();
      // Between the look and the gate's leave it may have begun something else.
      const isOver = this.#isCancelled || this.#pieces.program.over || this.#clock.monotonic() >= end;
      if (!isFault(answer) || answer !== this.#late || isOver) return answer;
    }
  }

  /** Nothing is typed if it answers with a fault. */
  async #typedOnce(): Promise<Answer | Fault | "shut"> {
    const { commands, keyboard, gate, display, program } = this.#pieces;
    const { agentWatch } = commands;
    const { actor, intent, cancelled } = this.#wish;
    agentWatch.inFront((await program.probe()).foreground);
    const modes = (await display.ready()).modes();
    this.#late = this.#notReady();
    if (this.#late) return this.#late;
    const bytes = encodedText(this.#text, modes, agentWatch.box);
    const enter = encodedKeys(["Enter"], modes);
    if (isFault(bytes)) return bytes;
    if (isFault(enter)) return enter;
    let result: Result | undefined;
    const run = async (press: Press): Promise<Typed> => {
      result = await this.#lead(press, enter);
      return "written";
    };
    const typed = await keyboard.lead({ actor, intent, cancelled }, bytes, () => this.#begins(), {
      all: [bytes, enter],
      run,
    });
    if (!result) return typed === "written" ? "shut" : typed;
    const { outcome, proof } = result;
    gate.log({ kind: "prompt", ...notedAs(actor), agent: this.#agent, outcome, proof, chars: this.#text.length });
    return { agent: this.#agent, ...result, box: this.#box() };
  }

  #notReady(): Fault | undefined {
    return notReady(this.#eyes.facts(), this.#session_id);
  }

  /** The text is typed now, if the agent is still ready. */
  #begins(): Fault | undefined {
    this.#late = this.#notReady();
    if (this.#late) return this.#late;
    this.#inputs = this.#pieces.gate.inputs + 1;
    this.#agent = this.#eyes.facts().agent?.name ?? "";
    return undefined;
  }

  /** The text is typed. Waits until it stands in the box, enters it, and looks for proof. */
  async #lead(press: Press, enter: Uint8Array): Promise<Result> {
    const { timeout_ms } = this.#wish;
    const seen = await this.#until(
      () => this.#hindered() ?? (this.#shows() === "no" ? undefined : "shown"),
      timeout_ms,
    );
    if (seen !== "shown") return this.#stopped(seen);
    await this.#pieces.keyboard.gap();
    let before: Before | undefined;
    const entered = await press(enter, () => {
      const hindered = this.#hindered() ?? (this.#shows() === "no" ? "changed" : undefined);
      if (hindered) return fault("session.busy", hindered, "");
      const { agent } = this.#eyes.facts();
      before = { text: this.#text, since: agent?.now.since ?? 0, count: this.#eyes.above(this.#text) };
      this.#inputs = this.#pieces.gate.inputs + 1;
      return undefined;
    });
    if (entered !== "written" || !before)
      return this.#stopped(this.#hindered() ?? (isHeld(entered) ? "typed" : undefined));
    const was = before;
    const proof = await this.#until(() => begun(was, this.#eyes.facts(), this.#eyes.above(this.#text)), timeout_ms);
    if (proof) return { outcome: "began", proof };
    if (this.#pieces.program.over)
      return { outcome: "exited", proof: null, hint: "It ended before its turn was seen." };
    return this.#takenBack(press);
  }

  /** Who or what came between the text and Enter. */
  #hindered(): "typed" | "not ready" | undefined {
    if (this.#pieces.gate.inputs !== this.#inputs) return "typed";
    const state = this.#eyes.facts().agent?.now.state;
    return state === "idle" || state === "done" || state === "unknown" ? undefined : "not ready";
  }

  /** Enter was not pressed. */
  #stopped(why: "typed" | "not ready" | undefined): Result {
    const rest = `Enter was not pressed. ${BOX_WORDS[this.#box()]}`;
    if (this.#pieces.program.over)
      return { outcome: "exited", proof: null, hint: "It ended before Enter was pressed." };
    if (why === "typed")
      return { outcome: "held", proof: null, hint: `Somebody else typed or took the keyboard meanwhile. ${rest}` };
    if (why === "not ready")
      return { outcome: "not_begun", proof: null, hint: `The agent was no longer ready. ${rest}` };
    return { outcome: "not_begun", proof: null, hint: `The text was typed once. ${rest}` };
  }

  /**
   * Enter had no effect that can be seen. If the box loses its last character to a Backspace, the program has read Enter before and
   * not taken it: then the text was surely not sent, and the rest of it is taken away, too.
   */
  async #takenBack(press: Press): Promise<Result> {
    const hint = `Enter was pressed once, and no sign of a turn came. ${BOX_WORDS[this.#box()]} Read the screen before you try again.`;
    const unproven: Result = { outcome: "unproven", proof: null, hint };
    const chars = [...this.#text];
    if (this.#shows() !== "all" || chars.length > TAKE_BACK_CHARS_MAX) return unproven;
    const rest = chars.slice(0, -1).join("");
    if (!(await this.#erase(press, 1, this.#text, rest))) return unproven;
    const isEmpty = await this.#erase(press, chars.length - 1, rest, "");
    const now = isEmpty ? "The text was taken back." : BOX_WORDS[this.#box()];
    return { outcome: "not_begun", proof: null, hint: `The agent did not take Enter. ${now}` };
  }

  /** Erases the end of what the box shows. Whether it then shows just what is left. */
  async #erase(press: Press, count: number, shown: string, left: string): Promise<boolean> {
    const keys = encodedKeys(Array(count).fill("Backspace"), (await this.#pieces.display.ready()).modes());
    const isOurs = () => {
      if (this.#hindered() || shows(this.#eyes.facts().box, shown) !== "all")
        return fault("session.busy", "it is not ours any more", "");
      this.#inputs = this.#pieces.gate.inputs + 1;
      return undefined;
    };
    const isLeft = () => {
      const { box } = this.#eyes.facts();
      return (left === "" ? box?.is === "empty" : shows(box, left) === "all") || undefined;
    };
    // What the key changes could not be seen.
    if (isFault(keys) || isLeft()) return false;
    if ((await press(keys, isOurs)) !== "written") return false;
    return (await this.#until(isLeft, this.#wish.timeout_ms)) === true;
  }

  #shows(): "all" | "part" | "no" {
    return shows(this.#eyes.facts().box, this.#text);
  }

  #box(): Prompted["box"] {
    const { box } = this.#eyes.facts();
    if (!box || box.is === "missing") return "unknown";
    if (box.is === "empty") return "empty";
    return shows(box, this.#text) === "no" ? "other" : "ours";
  }

  /** The first answer of a look, or undefined when the time is over, the program ended or nobody wants it any more. */
  async #until<T>(check: () => T | undefined, ms: number): Promise<T | undefined> {
    const end = this.#clock.monotonic() + ms;
    for (;;) {
      if (this.#pieces.program.over || (this.#isCancelled && this.#inputs === undefined)) return undefined;
      await this.#pieces.display.ready();
      const found = check();
      if (found !== undefined) return found;
      if (this.#clock.monotonic() >= end) return undefined;
      await new Promise<void>((resolve) => void this.#clock.after(LOOK_MS, resolve));
    }
  }
}

function isHeld(typed: Typed): boolean {
  return isFault(typed) && typed.code.startsWith("gate.");
}

const BOX_WORDS: Readonly<Record<Prompted["box"], string>> = {
  empty: "The prompt box is empty.",
  ours: "The text stands in the prompt box.",
  other: "Other text, or more than this, stands in the prompt box.",
  unknown: "Whether the text stands in the prompt box cannot be told.",
};
