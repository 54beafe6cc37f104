// The gate's last check, from inside the shell: what a line that was allowed by its class really runs, after aliases,
// functions and history. Owns: which runs are guarded, and how much they may do.

import type { RiskClass } from "../../protocol/ops/gate.ts";
import type { ShellName } from "../../protocol/words/program.ts";
import type { Fault } from "../base/fault.ts";
import { classify } from "./risk/classify.ts";
import type { Risk } from "./risk/risk.ts";
import { isPrivate } from "./verdicts.ts";

/** Runs that we remember. One per session runs at a time; the others ended. */
const RUNS_MAX = 20;

/** A line that an agent entered key by key. */
export interface JudgedEntry {
  /** How many there were. */
  readonly count: number;
  readonly text: string;
  /** Why it does not run. */
  readonly refused: Fault | undefined;
  /** All that its box may write; null: as ever. */
  readonly roots: readonly string[] | null;
}

export class ShellGuard {
  /** Safe commands only, or also unknown ones when the whole line was unknown and allowed. */
  #runs = new Map<string, Exclude<RiskClass, "risky">>();

  admit(run_id: string, rule: string): void {
    this.#runs.delete(run_id);
    this.#runs.set(run_id, rule === "class.safe" ? "safe" : "unknown");
    const [oldest] = this.#runs.keys();
    if (this.#runs.size > RUNS_MAX && oldest !== undefined) this.#runs.delete(oldest);
  }

  /** Undefined when it may run. */
  refuses(
    run_id: string,
    command: string,
    { shell, cwd: folder }: { readonly shell: ShellName | null; readonly cwd: string | null },
  ): Risk | undefined {
    const limit = this.#runs.get(run_id);
    const risk = classify(command, shell ? { shell, folder } : { folder });
    if (isPrivate(command)) return { ...risk, class: "risky", rule: "private.home" };
    if (limit === undefined) return risk;
    if (risk.class === "safe" || (limit === "unknown" && risk.class === "unknown") || isFrame(command))
      return undefined;
    return risk;
  }
}

/** The head of a loop or a conditional. The commands it runs are asked separately. */
function isFrame(command: string): boolean {
  return /^(?:for \w+(?: in [^\n;]*)?|select \w+(?: in [^\n;]*)?|case [^\n;]* in ?)$/.test(command);
}

/** First words of the commands, for shells that can only check names. */
export function namesOf(risk: Risk): string[] {
  return [...new Set((risk.normal ?? []).map((command) => command.split(" ")[0] ?? ""))].filter(Boolean);
}
