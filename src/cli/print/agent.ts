// What the verbs about agents print: a conversation as it was shown, who can be asked, what an agent does now.
import type { Output } from "../../protocol/ops.ts";
import { ConversationRows } from "../conversation/conversation.ts";
import { painted, planRows } from "../conversation/rows.ts";
import { wordWrapped } from "../conversation/wrap.ts";
import { harmlessLine } from "../text/harmless.ts";
import { exactly, line } from "../text/output.ts";
import type { Printers } from "./printer.ts";
import { columns, table } from "./table.ts";

export const printers: Printers = {
  agent_events: { text: printConversation },
  agent_control: { text: printStatus },
  agents: { text: printAgents },
};

function printConversation({ events, status }: Output<"agent_events">): void {
  const conversation = new ConversationRows();
  for (const event of events) conversation.add(event);
  for (const row of conversation.rows(columns())) exactly(painted(row, process.stdout));
  if (conversation.isEmpty) line(`no agent was asked here; duetty ask --session ${status.session_id} 'what to do'`);
  else if (status.state !== "idle") printStatus(status);
  const last = events.at(-1)?.seq ?? status.seq;
  if (last < status.seq) line(`[more with --since ${last}]`);
}

function printAgents({ agents }: Output<"agents">): void {
  const rows = agents.map(({ name, kind, available, is_default }) => [
    is_default ? `${name} *` : name,
    kind,
    available ? "ready" : "missing",
  ]);
  table([["AGENT", "KIND", "STATE"], ...rows]);
  line("* is asked when none is named");
  // A note may be several sentences long: too much for a column.
  for (const { name, note } of agents.filter(({ note }) => note !== ""))
    for (const [i, row] of wordWrapped(`${name}: ${harmlessLine(note)}`, columns() - 2).entries())
      exactly(`${i === 0 ? "\n" : "  "}${row}`);
}

function printStatus(status: Output<"agent_control">): void {
  const { agent, state, note, outcome, steps, steps_max, step_by_step, approval_id, plan } = status;
  const how = outcome === null || state !== "idle" ? state : `${state}, the last turn: ${outcome}`;
  const pace = step_by_step ? ", step by step" : "";
  const asks = approval_id === null ? "" : `, asks ${approval_id}`;
  const said = note === null ? "" : ` (${harmlessLine(note)})`;
  line(
    `${agent === null ? "no agent" : harmlessLine(agent)}: ${how}${said}, ${steps} of ${steps_max} steps${pace}${asks}`,
  );
  if (process.stdout.isTTY) for (const row of planRows(plan, columns())) exactly(painted(row, process.stdout));
}
