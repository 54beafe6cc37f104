// What the verbs print that show a screen, wait for it, or give a session's bytes.
import type { Output } from "../../protocol/ops.ts";
import { EXIT } from "../../protocol/plain/exit.ts";
import { screenText } from "../../protocol/plain/screen-text.ts";
import { aside, exactly, line, lines, rawOutput } from "../text/output.ts";
import type { PrintContext, Printers } from "./printer.ts";

export const printers: Printers = {
  pty_read_screen: { text: (screen) => exactly(screen.content ?? screenText(screen)) },
  pty_read_screen_deltas: { text: printDeltas },
  pty_read_raw: { text: printRaw },
  pty_wait: { text: (output, { common }) => printOutcome(output, common.see), code: waitCode },
  pty_send: {
    text(output, { common }) {
      // Without a condition there was nothing to wait for and there is nothing to report.
      const isQuiet = output.matched === null && output.outcome === "matched";
      printOutcome(output, common.see, isQuiet);
    },
    code: waitCode,
  },
  pty_prompt: { text: printPrompted, code: promptCode },
};

function printPrompted({ agent, outcome, proof, hint, screen }: Output<"pty_prompt">): void {
  line(outcome === "began" ? `${agent} began its turn (${proof})` : `${outcome} (${agent})`);
  if (screen) lines(screenText(screen));
  aside(hint);
}

function promptCode({ outcome }: Output<"pty_prompt">): number {
  switch (outcome) {
    case "began":
      return EXIT.ok;
    case "held":
      return EXIT.needs_person;
    case "exited":
      return EXIT.ended;
    case "not_begun":
    case "unproven":
      return EXIT.deadline;
    default:
      return outcome satisfies never;
  }
}

function printOutcome(
  { outcome, matched, screen, changes, missed_lines, exit_code, hint }: Output<"pty_wait">,
  see: boolean | undefined,
  isQuiet = false,
): void {
  const exit = exit_code === null || exit_code === undefined ? "" : ` (exit ${exit_code})`;
  if (!isQuiet) line(`${matched === null ? outcome : `${outcome}: ${matched}`}${exit}`);
  if (missed_lines) line(`[${missed_lines} lines scrolled past: see --scrollback ${missed_lines}]`);
  if (changes) for (const { row, text } of changes) line(`${row}| ${text}`);
  else if (see) lines(screenText(screen));
  aside(hint);
}

function waitCode({ outcome }: Output<"pty_wait">): number {
  switch (outcome) {
    case "matched":
      return EXIT.ok;
    case "deadline":
      return EXIT.deadline;
    case "exited":
      return EXIT.ended;
    case "echo_off":
      return EXIT.echo_off;
    case "held":
      return EXIT.needs_person;
    case "stop":
    case "cancelled":
      return EXIT.error;
    default:
      return outcome satisfies never;
  }
}

/** `@ROW text` per changed row, and where to go on. */
function printDeltas({ deltas, resume_cursor }: Output<"pty_read_screen_deltas">): void {
  for (const { seq, rows, cursor } of deltas) {
    line(`[Seq: ${seq} - Cursor: (${cursor.row}, ${cursor.col})]`);
    for (const { row, text } of rows) line(`@${row} ${text}`);
  }
  line(`[Resume: ${resume_cursor}]`);
}

/** Everything from `from` on, as it is where no terminal gets it; asks again until the end. */
export async function printRaw(
  first: Output<"pty_read_raw">,
  { ask }: Pick<PrintContext<"pty_read_raw">, "ask">,
): Promise<void> {
  const write = rawOutput();
  let part = first;
  aside(part.hint);
  for (;;) {
    await write(Buffer.from(part.base64, "base64"));
    if (part.next >= part.total || part.next === part.from) return;
    part = await ask({ session_id: part.session_id, from: part.next });
  }
}
