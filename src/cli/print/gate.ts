// What the verbs about the gate print.
import type { Output } from "../../protocol/ops.ts";
import { EXIT } from "../../protocol/plain/exit.ts";
import type { Printers } from "./printer.ts";
import { exactLine, line, table } from "./table.ts";

export const printers: Printers = {
  take: { text: printHold },
  release: { text: printHold },
  stop: { text: printStopped },
  mode: { text: ({ mode }) => line(mode) },
  policy: { text: printPolicy },
  approvals: { text: printApprovals },
  approve: { text: printSettled },
  deny: { text: printSettled },
  explain: {
    text: printExplained,
    json: ({ explanations }) => exactLine(JSON.stringify(explanations[0])),
  },
  ask_person: {
    text: ({ outcome, answer }) => line(answer ?? outcome),
    code: ({ outcome }) => (outcome === "answered" ? EXIT.ok : EXIT.needs_person),
  },
  trust: { text: ({ folders }) => line(folders.join("\n") || "no folder is trusted") },
};

function printPolicy({ agent_levels, ...policy }: Output<"policy">): void {
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
