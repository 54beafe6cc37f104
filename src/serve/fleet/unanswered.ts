// What is told of an operation that another machine did not answer: whether it may have been done there, whether it may still begin,
// and where to look. Pure.
import { advice } from "../../core/base/advice.ts";
import { onlyLooks } from "../../core/fleet/looking.ts";
import { type AnyOp, ops } from "../../protocol/ops.ts";

const OPS: ReadonlyMap<string, AnyOp> = new Map(ops.map((op) => [op.name, op]));
/** A session's list of commands has what came of them. */
const RUNS: ReadonlySet<string> = new Set(["run_command", "run_tests"]);

/** For what never left. */
export function nothingSent(): string {
  return `Nothing was sent. ${advice("hosts")}`;
}

/** `beginsMs`: what has not begun there may begin within this time, and never later. Infinity: nobody knows until when. */
export function unanswered(name: string, beginsMs = 0): string {
  const op = OPS.get(name);
  if (op && onlyLooks(op)) return `It changes nothing: ask again when that machine is here. ${advice("hosts")}`;
  const told = beginsMs > 0 ? mayBegin(beginsMs) : "It may have been done. Look before you repeat it.";
  return RUNS.has(name) ? `${told} ${advice("blocks")}` : told;
}

function mayBegin(ms: number): string {
  const when = Number.isFinite(ms) ? `within ${Math.ceil(ms / 1_000)} s` : "when that machine goes on";
  return `It may have been done, or begin ${when}. Look then, before you repeat it.`;
}
