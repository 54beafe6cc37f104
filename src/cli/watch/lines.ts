// Changes as a person reads them in a terminal: one line each, in columns and within its width. Owns: which sessions have an agent
// CLI, because what their session does beside it is no news. `--json` has everything.
import type { Transition } from "../../protocol/words/transition.ts";
import { cut, textWidth } from "../text/width.ts";

const NAME_COLS = 12;
const KIND_COLS = 8;
const RUNS: ReadonlySet<string | null> = new Set(["provisioning", "running", "waiting_for_input"]);

export class WatchLines {
  #agents = new Set<string | null>();

  /** Undefined: another line says it. `cols` undefined: it is no terminal. */
  of(one: Transition, cols: number | undefined): string | undefined {
    const { session_id, name, kind, from, to, who, why, exit_code } = one;
    if (kind === "agent") this.#agents.add(session_id);
    if (kind === "session" && this.#isNoise(one)) return undefined;
    const how = exit_code === undefined || exit_code === null ? "" : ` (${exit_code})`;
    const what = [who, `${from ?? "-"} → ${to ?? "-"}${how}`, why].filter((part) => part).join("  ");
    const text = `${timeOf(one.ts)}  ${filled(name ?? session_id ?? "-", NAME_COLS)}  ${filled(kind, KIND_COLS)}  ${what}`;
    return cols === undefined ? text : cut(text, cols);
  }

  /** It starts, or waits because its agent does. */
  #isNoise({ session_id, from, to }: Transition): boolean {
    return RUNS.has(to) && (from === "provisioning" || (RUNS.has(from) && this.#agents.has(session_id)));
  }
}

/** As long at any hour. */
export function timeOf(ts: number): string {
  return new Date(ts).toTimeString().slice(0, 8);
}

function filled(text: string, cols: number): string {
  return text + " ".repeat(Math.max(0, cols - textWidth(text)));
}
