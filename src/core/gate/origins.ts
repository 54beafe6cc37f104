// Who started a command: the actor who typed last before it began, or who asked for its run. Rebuilt from
// events.jsonl, so that the same journal always names the same actors. What they entered is known of runs and of plain keys;
// a shell's marks only claim it.

import { isOwner } from "../../protocol/plain/person-name.ts";
import { firstIndex } from "../base/first-index.ts";
import { TypedLines } from "./line/typed-lines.ts";

interface Typed {
  readonly cursor: number;
  readonly actor: string;
  /** The run whose key it was. */
  readonly run_id?: string | undefined;
}

export interface RunOrigin {
  readonly run_id: string;
  readonly actor: string;
  readonly command: string;
  /** It ran in a box of its own. */
  readonly boxed?: boolean;
}

/** How a command began. */
interface Beginning {
  readonly actor: string;
  readonly cmd: string | null;
  readonly entered?: true;
}

export class Origins {
  #lines = new TypedLines();
  /** With rising cursors, only where the actor changes. */
  #typed: Typed[] = [];
  /** Rising, each once. */
  #cursors: number[] = [];
  #runs = new Map<string, RunOrigin>();
  /** Runs that became commands. */
  #begun = new Set<string>();

  constructor(events: readonly unknown[]) {
    for (const event of events) {
      if (isTyped(event)) this.typed(event.actor, event.cursor, event.run_id);
      if (isRun(event)) this.ran(event);
    }
  }

  /** A run's key is told when the shell has taken it, and somebody may have typed since. `bytes`: what was typed, if it is known. */
  typed(actor: string, at: number, run_id?: string, bytes?: Uint8Array): void {
    if (bytes && run_id === undefined) {
      if (isOwner(actor)) this.#lines.typed(bytes);
      else this.#lines.mixed(bytes);
    }
    const cursor = Math.max(at, this.#cursors.at(-1) ?? 0);
    const last = this.#typed.at(-1);
    const isSpent = run_id !== undefined && this.#begun.has(run_id);
    if (!isSpent && (last?.actor !== actor || last.run_id !== run_id)) this.#typed.push({ cursor, actor, run_id });
    if (this.#cursors.at(-1) !== cursor) this.#cursors.push(cursor);
  }

  /** Where somebody typed first, at or after a cursor. */
  typedFrom(cursor: number): number | undefined {
    return this.#cursors[firstIndex(this.#cursors, (typed) => typed >= cursor)];
  }

  ran(run: RunOrigin): void {
    this.#runs.set(run.run_id, run);
  }

  /** A run became a command, so its key is spent: the next line is whose who typed before it, ahead of the prompt. */
  began(run_id: string): void {
    this.#begun.add(run_id);
    this.#typed = this.#typed.filter((typed) => typed.run_id !== run_id);
  }

  /** `told`: the line as the shell's marks claim it. */
  beginning(cursor: number, run_id: string | null, told: string | null): Beginning {
    const run = run_id === null ? undefined : this.run(run_id);
    if (run) this.began(run.run_id);
    const actor = run?.actor ?? this.typist(cursor);
    const cmd = told ?? run?.command ?? null;
    if (!isOwner(actor) || cmd === null) return { actor, cmd };
    const isKnown = run ? run.command.trim() === cmd.trim() : this.#lines.isOne(cmd);
    return { actor, cmd, ...(isKnown ? { entered: true } : {}) };
  }

  run(run_id: string): RunOrigin | undefined {
    return this.#runs.get(run_id);
  }

  /** Who typed last when the output had come to `cursor`. */
  typist(cursor: number): string {
    return this.#typed.findLast((typed) => typed.cursor <= cursor)?.actor ?? "program";
  }
}

function isTyped(event: unknown): event is Typed & { kind: "input" } {
  return has(event, "input") && typeof event.cursor === "number" && typeof event.actor === "string";
}

function isRun(event: unknown): event is RunOrigin & { kind: "run" } {
  if (!has(event, "run") || typeof event.run_id !== "string") return false;
  return typeof event.actor === "string" && typeof event.command === "string";
}

function has(event: unknown, kind: string): event is Record<string, unknown> {
  return typeof event === "object" && event !== null && "kind" in event && event.kind === kind;
}
