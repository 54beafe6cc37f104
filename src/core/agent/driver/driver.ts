// Carries out the turns of a built-in agent: think → act, outside the agent. Message ends the turn. Tools run one at a time.
// Paused means before the next thought or action. Step by step pauses only before terminal actions, with the action
// as the note. Internal ones change nothing that a person sees, so they just run.
import type { TurnOutcome } from "../../../protocol/ops/agent.ts";
import type { Clock } from "../../base/clock.ts";
import type { Fault } from "../../base/fault.ts";
import type { Agent } from "../agent.ts";
import type { Entry } from "../history.ts";
import type { ConversationLink, Performer, StopReason, Turn } from "../performer.ts";
import type { Tool } from "../tool.ts";
import { TurnRun } from "./turn.ts";
import { type KeyboardHolder, nothingToLead, TurnControl } from "./turn-control.ts";

interface DriverParts {
  readonly clock: Clock;
  readonly agent: Agent;
  readonly tools: readonly Tool[];
  readonly link: ConversationLink;
  /** What a person said when they gave the keyboard back. Null when there is nothing new. */
  noteFromPerson?(): string | null;
}

export class Driver implements Performer {
  #parts: DriverParts;
  #tools: ReadonlyMap<string, Tool>;
  #holder: KeyboardHolder = "unknown";
  #control: TurnControl | undefined;

  constructor(parts: DriverParts) {
    this.#parts = parts;
    this.#tools = new Map(parts.tools.map((tool) => [tool.name, tool]));
  }

  async perform(turn: Turn, history: readonly Entry[]): Promise<TurnOutcome> {
    if (this.#control) throw new Error("a turn is under way");
    const { agent, clock, link } = this.#parts;
    const noteFromPerson = () => this.#parts.noteFromPerson?.() ?? null;
    const { step_by_step, time_limit_ms } = turn;
    const control = new TurnControl({
      clock,
      step_by_step,
      time_limit_ms,
      holder: this.#holder,
      status: (state, note) => link.tell({ type: "status", state, note }),
    });
    this.#control = control;
    try {
      return await new TurnRun({ agent, link, control, tools: this.#tools, turn, noteFromPerson }, history).run();
    } finally {
      this.#control = undefined;
    }
  }

  pause(): Fault | undefined {
    return this.#control ? this.#control.pause() : nothingToLead();
  }

  resume(): Fault | undefined {
    return this.#control ? this.#control.resume() : nothingToLead();
  }

  step(): Fault | undefined {
    return this.#control ? this.#control.step() : nothingToLead();
  }

  stop(why: StopReason = "person"): void {
    this.#control?.stop(why);
  }

  held(by: "person" | "nobody"): void {
    this.#holder = by;
    this.#control?.held(by);
  }

  async dispose(): Promise<void> {
    this.stop();
  }
}
