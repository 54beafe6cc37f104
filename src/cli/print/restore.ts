// What `points` prints, in 80 columns: one line for each point, and beneath it what could not be kept.
import type { Point } from "../../protocol/ops/restore.ts";
import type { Output } from "../../protocol/ops.ts";
import { line } from "../text/output.ts";
import type { Printers } from "./printer.ts";

const WIDTH = 80;

export const printers: Printers = { points: { text: printPoints } };

function printPoints({ workspace, why, points }: Output<"points">): void {
  if (why !== null) line(`no files are kept here: ${why}`);
  if (workspace !== null) line(`files of ${workspace}, before each line of an agent that changed some:`);
  if (points.length === 0 && workspace !== null) line("no restore point yet");
  for (const point of points) {
    const head = `${point.point_id}  ${timeOf(point.ts)}  ${point.actor}`;
    line(`${head}  ${shortened(point.text.replaceAll(/\s+/g, " "), WIDTH - head.length - 2)}`);
    for (const note of notesOf(point)) line(shortened(`  ${note}`));
  }
}

function notesOf({ skipped, changed, left_out, left_out_total }: Point): string[] {
  if (skipped !== null) return [`nothing was kept: ${skipped}`];
  const counts = changed ?? { added: 0, modified: 0, deleted: 0 };
  const words = [
    [counts.added, "new"],
    [counts.modified, "changed"],
    [counts.deleted, "deleted"],
  ].filter(([count]) => count !== 0);
  const after = words.length > 0 ? [`after it: ${words.map((pair) => pair.join(" ")).join(", ")}`] : [];
  const [first] = left_out;
  if (!first) return after;
  const others = left_out_total > 1 ? ` and ${left_out_total - 1} more` : "";
  return [...after, `not kept: ${first.path} (${first.why})${others}`];
}

function timeOf(ts: number): string {
  const at = new Date(ts);
  const two = (number: number) => String(number).padStart(2, "0");
  const clock = [at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join(":");
  const isToday = at.toDateString() === new Date().toDateString();
  return isToday ? clock : `${two(at.getMonth() + 1)}-${two(at.getDate())} ${clock}`;
}

/** As it fits into a line. */
export function shortened(text: string, width = WIDTH): string {
  return text.length > width ? `${text.slice(0, Math.max(1, width - 1))}…` : text;
}
