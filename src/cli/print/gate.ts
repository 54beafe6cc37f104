// What the verbs about the gate print.

import type { Output } from "../../protocol/ops.ts";
import { EXIT } from "../../protocol/plain/exit.ts";
import type { Common } from "../args.ts";
import { line, table } from "./print.ts";

export const GATE_OPS: ReadonlySet<string> = new Set(
  "take release stop mode policy approvals approve deny explain ask_person trust".split(" "),
);

export function printGate(op: string, answer: unknown, { json }: Common): number {
  if (json) line(JSON.stringify(op === "explain" ? (answer as Output<"explain">).explanations[0] : answer));
  else printText(op, answer);
  if (op !== "ask_person") return EXIT.ok;
  return (answer as Output<"ask_person">).outcome === "answered" ? EXIT.ok : EXIT.needs_person;
}

function printText(op: string, answer: unknown): void {
  if (op === "take" || op === "release") return printHold(answer as Output<"take">);
  if (op === "approvals") return printApprovals(answer as Output<"approvals">);
  if (op === "approve" || op === "deny") return printSettled(answer as Output<"approve">);
  if (op === "explain") return printExplained(answer as Output<"explain">);
  if (op === "stop") return printStopped(answer as Output<"stop">);
  if (op === "mode") return line((answer as Output<"mode">).mode);
  if (op === "trust") return line((answer as Output<"trust">).folders.join("\n") || "no folder is trusted");
  if (op === "ask_person") {
    const { outcome, answer: said } = answer as Output<"ask_person">;
    return line(said ?? outcome);
  }
  const { agent_levels, ...policy } = answer as Output<"policy">;
  for (const [key, value] of Object.entries({ ...policy, ...agent_levels })) line(`${key.padEnd(12)} ${value}`);
}

function printHold({ hold, hold_reason, hold_note }: Output<"take">): void {
  line(`hold: ${hold}${hold_reason ? ` (${hold_reason})` : ""}${hold_note ? ` ${hold_note}` : ""}`);
}

function printStopped({ stopped, cancelled }: Output<"stop">): void {
  line(
    `agents stopped in ${stopped.length} ${stopped.length === 1 ? "session" : "sessions"}, ${cancelled} questions cancelled`,
  );
}

function printApprovals({ approvals }: Output<"approvals">): void {
  if (approvals.length === 0) return line("nothing is asked");
  const rows = approvals.map((one) => [
    one.approval_id,
    one.state === "pending" ? `${Math.max(0, Math.round((one.expires_at - Date.now()) / 1000))}s` : one.state,
    one.session_id ?? "-",
    one.actor,
    one.class === null ? one.kind : `${one.class}${one.risk ? `/${one.risk}` : ""}`,
    one.cwd ?? one.program ?? "-",
    `${one.text.replaceAll("\n", " ")}${one.description ? ` (${one.description})` : ""}`,
  ]);
  table([["APPROVAL", "LEFT", "SESSION", "BY", "CLASS", "IN", "TEXT"], ...rows]);
}

function printSettled({ approval_id, state, answer, text }: Output<"approve">): void {
  line(`${approval_id} ${state}: ${answer ?? text}`);
}

function printExplained({ explanations }: Output<"explain">): void {
  for (const one of explanations) {
    line(`${one.class}${one.kind ? ` (${one.kind})` : ""} by ${one.rule}: ${one.command}`);
    for (const { part, why } of one.reasons) line(`  ${part}: ${why}`);
    line(`verdict: ${one.verdict} (${one.verdict_rule})`);
  }
}
