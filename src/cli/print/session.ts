// What the verbs about sessions and the installation print.

import type { Output } from "../../protocol/ops.ts";
import { sizeWords } from "../../protocol/plain/disk-size.ts";
import { EXIT } from "../../protocol/plain/exit.ts";
import { placeLabel } from "../../protocol/plain/place-label.ts";
import { line, lines } from "../text/output.ts";
import type { Printers } from "./printer.ts";
import { missingWords, table } from "./table.ts";

export const printers: Printers = {
  pty_open: { text: ({ session_id }) => line(session_id) },
  pty_list: { text: printList },
  pty_close: { text: ({ session_id }) => line(`${session_id} closed`) },
  remove: { text: ({ session_id }) => line(`${session_id} is gone, with everything that it printed`) },
  gc: { text: printLeaving },
  status: { text: printStatus },
  metrics: { text: ({ text }) => lines(text.trimEnd()) },
  shutdown: {
    text: ({ closed, kept }) => {
      const many = (count: number) => `${count} ${count === 1 ? "session" : "sessions"}`;
      line(kept > 0 ? `ended, ${many(kept)} ${kept === 1 ? "goes" : "go"} on` : `ended, ${many(closed)} closed`);
    },
  },
  doctor: { text: printChecks, code: ({ ok }) => (ok ? EXIT.ok : EXIT.error) },
};

function printList({ sessions, damaged = [], missing = [] }: Output<"pty_list">): void {
  if (missing.length > 0) line(missingWords(missing));
  for (const { session_id, why } of damaged) line(`${session_id} cannot be read: ${why}`);
  if (sessions.length === 0) return line("no sessions; open one with: duetty open");
  const rows = sessions.map((s) => [
    s.session_id,
    s.name ?? s.worktree?.branch ?? "-",
    s.ended_at === null ? (agentWords(s) ?? stateWords(s)) : stateWords(s),
    `${s.cols}x${s.rows}`,
    s.hold,
    s.box ? "box" : "-",
    s.disk_bytes === undefined ? "-" : sizeWords(s.disk_bytes),
    s.command.join(" "),
  ]);
  for (const { session_id, leaves_at } of sessions)
    if (leaves_at !== undefined)
      line(
        `${session_id} leaves the disk on ${new Date(leaves_at).toISOString().slice(0, 10)}: journal.keep in config.json`,
      );
  // The command tells sessions without a name apart.
  table([["ID", "NAME", "STATE", "SIZE", "HOLD", "BOX", "DISK", "COMMAND"], ...rows], ["SIZE", "DISK", "BOX", "HOLD"]);
}

function stateWords({ state, exit_code, signal, restored_as, nested }: Output<"pty_open">): string {
  if (restored_as !== undefined) return `${state}, back as ${restored_as}`;
  if (exit_code !== null || signal !== null) return `${state} ${signal ?? exit_code}`;
  return nested ? `${state} in ${placeLabel(nested)}` : state;
}

function agentWords({ agent, agent_state: now }: Output<"pty_open">): string | undefined {
  return now ? `${agent} ${now.state}${now.kind ? ` (${now.kind})` : ""}` : undefined;
}

function printLeaving({ leaves, bytes, kept_bytes, removed }: Output<"gc">): void {
  for (const { session_id, name, bytes, why, command } of leaves)
    line(`${session_id}  ${sizeWords(bytes).padStart(8)}  ${name ?? command.join(" ")} (${why})`);
  const rest = `the others take ${sizeWords(kept_bytes)}`;
  if (leaves.length === 0) return line(`no ended session is to leave; ${rest}. Say what to keep: duetty gc --days 30`);
  const what = `${leaves.length} ${leaves.length === 1 ? "session" : "sessions"}, ${sizeWords(bytes)}`;
  line(removed ? `${what}: deleted; ${rest}` : `${what}; ${rest}. To delete them, add --yes`);
}

function printStatus(status: Output<"status">): void {
  const { daemon, holder, http, sessions, session } = status;
  line(`duetty ${status.version}, you are ${status.role === "person" ? "the person" : "an agent"}`);
  line(`daemon   pid ${daemon.pid}, ${Math.round(daemon.rss_bytes / 2 ** 20)} MB, http://127.0.0.1:${http.port}`);
  line(`holder   pid ${holder.pid}, version ${holder.version}`);
  line(`sessions ${sessions.live} running (${sessions.asleep} asleep), ${sessions.ended} ended`);
  line(`load     ${loadWords(status.load)}`);
  line(`home     ${status.home}`);
  line(`boxes    ${status.box.available ? "available" : `not available: ${status.box.why} (duetty doctor)`}`);
  for (const folder of status.changed_rules)
    line(`trust    the rules of ${folder} have changed: look, then duetty trust ${folder}`);
  if (!session) return;
  line("");
  for (const [key, value] of Object.entries({ ...session, box: session.box && boxWords(session.box) })) {
    if (value !== null) line(`${key.padEnd(11)} ${fact(value)}`);
  }
}

function loadWords(load: Output<"status">["load"]): string {
  const lost = load.dropped_output_bytes + load.dropped_input_bytes;
  return [
    `${load.calls_per_s} calls/s`,
    `${load.output_bytes_per_s} bytes/s printed`,
    ...(load.behind_bytes > 0 ? [`${load.behind_bytes} bytes behind`] : []),
    ...(lost > 0 ? [`${lost} bytes lost`] : []),
    ...(load.questions > 0 ? [`${load.questions} open questions`] : []),
  ].join(", ");
}

function boxWords({ network, roots }: NonNullable<Output<"pty_open">["box"]>): string {
  return `writes ${roots.join(" ") || "only its own /tmp"}; network: ${network.join(" ") || "none"}`;
}

function fact(value: unknown): string {
  if (Array.isArray(value)) return value.join(" ");
  return typeof value === "object" ? Object.values(value ?? {}).join(" ") : String(value);
}

function printChecks({ checks, bundle }: Output<"doctor">): void {
  if (bundle !== undefined) return lines(bundle);
  for (const { name, ok, detail, hint } of checks) {
    line(`${ok ? "ok  " : "FAIL"} ${name.padEnd(16)} ${detail}`);
    if (!ok && hint) line(`     ${"".padEnd(16)} ${hint}`);
  }
}
