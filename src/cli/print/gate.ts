// What the verbs about the gate print.
import { laterWords, lateYes } from "../../core/base/question-words.ts";
import type { Output } from "../../protocol/ops.ts";
import { EXIT } from "../../protocol/plain/exit.ts";
import { json, line } from "../text/output.ts";
import type { Printers } from "./printer.ts";
import { printQuestion } from "./question.ts";
import { missingWords } from "./table.ts";

export const printers: Printers = {
  take: { text: printHold },
  release: { text: printHold },
  stop: { text: printStopped },
  mode: { text: ({ mode }) => line(mode) },
  policy: { text: printPolicy },
  grant: { text: printGrant },
  approvals: { text: printApprovals },
  approve: { text: printSettled },
  deny: { text: printSettled },
  explain: {
    text: printExplained,
    json: ({ explanations, state }) => json(state ?? explanations[0]),
  },
  needs: { text: printNeeds },
  ask_person: {
    text: ({ outcome, answer }) => line(answer ?? outcome),
    code: ({ outcome }) => (outcome === "answered" ? EXIT.ok : EXIT.needs_person),
  },
  trust: { text: printFolders },
};

function printPolicy({ agent_levels, ...policy }: Output<"policy">): void {
  for (const [key, value] of Object.entries({ ...policy, ...agent_levels })) line(`${key.padEnd(12)} ${value}`);
}

function printGrant({ raw_granted_until: until }: Output<"grant">): void {
  line(`raw: ${until === null ? "not granted" : `granted to agents until ${new Date(until).toLocaleTimeString()}`}`);
}

function printHold({ hold, hold_reason, hold_note }: Output<"take">): void {
  line(`hold: ${hold}${hold_reason ? ` (${hold_reason})` : ""}${hold_note ? ` ${hold_note}` : ""}`);
}

function printStopped({ stopped, cancelled, doors }: Output<"stop">): void {
  if (doors) return printDoors(doors);
  line(
    `agents stopped in ${stopped.length} ${stopped.length === 1 ? "session" : "sessions"}, ${cancelled} questions cancelled`,
  );
}

function printDoors({ devices, links, open }: NonNullable<Output<"stop">["doors"]>): void {
  const names = devices.length > 0 ? ` (${devices.join(", ")})` : "";
  line(`${devices.length} devices${names} and ${links} links work no more; ${open} open pages and calls ended`);
  line("every browser has to sign in again; sessions and agents go on");
}

function printApprovals({ approvals, missing = [] }: Output<"approvals">): void {
  if (missing.length > 0) line(missingWords(missing));
  if (approvals.length === 0) return line("no open questions");
  for (const one of approvals) {
    const left = `${Math.max(0, Math.round((one.expires_at - Date.now()) / 1000))} s left`;
    printQuestion(one, one.state === "pending" ? left : one.state);
    if (one.state === "pending" && !one.waits) line(`  ${laterWords(one)}`);
  }
}

function printSettled(card: Output<"approve">): void {
  printQuestion(card, card.state);
  if (card.answer !== null) line(`  answer: ${card.answer}`);
  const late = lateYes(card);
  if (late !== undefined) line(late);
}

function printFolders({ folders, changed }: Output<"trust">): void {
  const lapsed = ": its rules have changed; look at them, then trust it again";
  for (const folder of folders) line(`${folder}${changed.includes(folder) ? lapsed : ""}`);
  if (folders.length === 0) line("no folder is trusted");
}

function printNeeds({ needs, missing = [] }: Output<"needs">): void {
  if (missing.length > 0) line(missingWords(missing));
  if (needs.length === 0) return line("nothing needs you");
  for (const { kind, session_id, name, label, who, why, since, approval_id } of needs) {
    const age = `${Math.max(0, Math.round((Date.now() - since) / 1000))} s`;
    line(
      `${kind.padEnd(8)} ${approval_id ?? name ?? session_id ?? "-"}  ${who}: ${why} (${age})${name === null && label ? `  ${label}` : ""}`,
    );
  }
}

function printState({ agent, state, kind, rule, evidence, source }: NonNullable<Output<"explain">["state"]>): void {
  if (agent === null) return line("no known agent CLI is in front");
  line(
    `${agent} is ${state}${kind ? ` (${kind})` : ""} by ${rule}, read from ${source === "none" ? "nothing" : source}`,
  );
  if (evidence !== "") line(`  ${evidence}`);
}

function printExplained({ explanations, state }: Output<"explain">): void {
  if (state) return printState(state);
  for (const one of explanations) {
    line(`${one.class}${one.kind ? ` (${one.kind})` : ""} by ${one.rule}: ${one.command}`);
    for (const { part, why } of one.reasons) line(`  ${part}: ${why}`);
    line(`verdict: ${one.verdict} (${one.verdict_rule}): ${one.says}`);
  }
}
