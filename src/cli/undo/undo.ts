// `duetty undo`: shows what going back would change, asks, and goes back. Refuses: to change anything that was not shown,
// unless --yes says so.
import { CallError, clientOver } from "../../client/client.ts";
import type { Output } from "../../protocol/ops.ts";
import { EXIT } from "../../protocol/plain/exit.ts";
import type { Home } from "../../protocol/plain/home.ts";
import { UsageError } from "../args.ts";
import { connected } from "../connect.ts";
import { parseLocal } from "../local-args.ts";
import { shortened } from "../print/restore.ts";
import { json, line, lines } from "../text/output.ts";
import { isYes } from "../text/yes.ts";

/** More than a person reads in a terminal before they answer. */
const DIFF_LINES_MAX = 300;
const FILES_MAX = 100;

export async function undo(home: Home, words: string[]): Promise<number> {
  const { values, positionals } = parseLocal("undo", words);
  const [session_id] = positionals;
  if (session_id === undefined) throw new UsageError("undo needs SESSION (duetty undo --help)");
  const client = clientOver(connected(home, undefined));
  const in_way = values.aside ? ("move" as const) : ("leave" as const);
  const ask = { session_id, in_way, ...(values.to === undefined ? {} : { to: values.to }) };
  const paths = values.path === undefined ? {} : { paths: [values.path] };
  const shown = await client.undo({ ...ask, ...paths, apply: values.json === true && values.yes === true });
  if (values.json) {
    json(shown);
    return EXIT.ok;
  }
  printPlan(shown);
  if (shown.total === 0) return EXIT.ok;
  if (!values.yes && !(await agreed())) {
    line("Nothing was changed.");
    return EXIT.error;
  }
  // Exactly this point and these files, even if another point was made meanwhile.
  const done = await client.undo({ ...ask, ...paths, to: shown.point.point_id, apply: true, seen: shown.seen });
  printDone(done);
  return EXIT.ok;
}

async function agreed(): Promise<boolean> {
  if (process.stdin.isTTY && process.stdout.isTTY) return isYes("\nBring these files back? [y/N] ");
  const hint = "Nothing was changed. With --yes it goes back without a question.";
  throw new CallError({
    code: "input.invalid",
    message: "undo asks before it changes files, and there is nobody to ask",
    hint,
  });
}

function printPlan(shown: Output<"undo">): void {
  const { workspace, point, files, total, diff, diff_cut } = shown;
  const rows = diff.split("\n");
  for (const row of rows.slice(0, DIFF_LINES_MAX)) lines(row);
  if (diff_cut || rows.length > DIFF_LINES_MAX) line("[the diff is cut here; --json has more of it]");
  line(shortened(`Back to ${point.point_id}, before ${point.actor}: ${point.text.replaceAll(/\s+/g, " ")}`));
  line(`in ${workspace}:`);
  for (const { change, path } of files.slice(0, FILES_MAX)) line(`  ${change.padEnd(12)}  ${path}`);
  if (total > FILES_MAX) line(`  and ${total - FILES_MAX} more`);
  if (total === 0) line("  nothing to bring back");
  printRest(shown);
}

function printDone(done: Output<"undo">): void {
  const { total, saved_as, session_id } = done;
  line(`${total} ${total === 1 ? "path is" : "paths are"} as before.`);
  line(`To undo this: duetty undo ${session_id} --to ${saved_as}`);
  printRest(done);
}

function printRest({ left_alone, moved }: Output<"undo">): void {
  for (const { path, to } of moved.slice(0, FILES_MAX))
    line(`  moved aside   ${path}${to === null ? "" : ` to ${to}`}`);
  for (const { path, why } of left_alone.slice(0, FILES_MAX)) line(`  left alone    ${path}: ${why}`);
  if (left_alone.some(({ in_way }) => in_way))
    line("With --aside, what is in the way gets another name, and the old files come back.");
}
