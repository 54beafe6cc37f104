// `--stdin`: one JSON string per line in, one JSON object per line out, in the same order.
import { createInterface } from "node:readline";
import { EXIT } from "../../protocol/plain/exit.ts";
import { json } from "../text/output.ts";
import type { Verb } from "../verb-table.ts";

/** Lines in one call. */
const BATCH = 500;

type Ask = (input: object) => Promise<unknown>;

export async function answerLines(lines: NonNullable<Verb["lines"]>, input: object, ask: Ask): Promise<number> {
  const put = async (texts: readonly string[]) => {
    const answer = (await ask({ ...input, [lines.into]: texts })) as Record<string, readonly unknown[]>;
    for (const one of answer[lines.from] ?? []) json(one);
  };
  let batch: string[] = [];
  for await (const line of createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line.trim() === "") continue;
    batch.push(textOf(line));
    if (batch.length < BATCH) continue;
    await put(batch);
    batch = [];
  }
  if (batch.length > 0) await put(batch);
  return EXIT.ok;
}

/** A line that is not a JSON string is taken as plain text. */
function textOf(line: string): string {
  try {
    const parsed: unknown = JSON.parse(line);
    return typeof parsed === "string" ? parsed : line;
  } catch {
    return line;
  }
}
