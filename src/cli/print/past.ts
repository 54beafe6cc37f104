// What the verbs about a session's past print or write to a file.
import type { Output } from "../../protocol/ops.ts";
import { line } from "../text/output.ts";
import type { PrintContext, Printers } from "./printer.ts";

export const printers: Printers = {
  search: { text: printMatches },
  export: { text: writeExport, json: writeExport },
};

function printMatches({ matches, next, missing = [] }: Output<"search">): void {
  for (const { session_id, cursor, text } of matches) line(`${session_id} ${cursor}: ${text}`);
  if (matches.length === 0) line("nothing found");
  if (next !== null) line(`[more with --after ${next}]`);
  if (missing.length > 0) line(`results from these are missing: ${missing.join(", ")} (duetty hosts)`);
}

/** All parts of a file, to where it was asked for. */
async function writeExport(first: Output<"export">, { common, ask }: PrintContext<"export">): Promise<void> {
  const { json, out } = common;
  const file = out === undefined ? undefined : (await import("node:fs")).createWriteStream(out);
  const failed = file && new Promise<never>((_, reject) => file.on("error", reject));
  const stream = file ?? process.stdout;
  const put = (text: string) => new Promise<void>((resolve) => void stream.write(text, () => resolve()));
  let [part, whole] = [first, ""];
  for (;;) {
    if (json) whole += part.content;
    else await (failed ? Promise.race([put(part.content), failed]) : put(part.content));
    if (part.next === null) break;
    const { session_id, format, from, to, next } = part;
    part = await ask({ session_id, format, from, to, after: next });
  }
  if (json) await put(`${JSON.stringify({ ...part, content: whole })}\n`);
  if (file) await new Promise<void>((resolve) => void file.end(resolve));
}
