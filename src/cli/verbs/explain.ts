// `explain --stdin`: one JSON string per line in, one JSON object per line out, in the same order.
import { createInterface } from "node:readline";
import type { Output } from "../../protocol/ops.ts";
import { EXIT } from "../../protocol/plain/exit.ts";

/** Lines in one call. */
const BATCH = 500;

type Ask = (input: object) => Promise<unknown>;

export async function explainStdin(ask: Ask): Promise<number> {
  let batch: string[] = [];
  for await (const line of createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line.trim() === "") continue;
    batch.push(textOf(line));
    if (batch.length < BATCH) continue;
    await put(batch, ask);
    batch = [];
  }
  if (batch.length > 0) await put(batch, ask);
  return EXIT.ok;
}

async function put(commands: readonly string[], ask: Ask): Promise<void> {
  const { explanations } = (await ask({ commands })) as Output<"explain">;
  process.stdout.write(explanations.map((explanation) => `${JSON.stringify(explanation)}\n`).join(""));
}

/** What is not a JSON string is the command itself. */
function textOf(line: string): string {
  try {
    const parsed: unknown = JSON.parse(line);
    return typeof parsed === "string" ? parsed : line;
  } catch {
    return line;
  }
}
