// A question that a person answers with y or n in the terminal.
import { createInterface } from "node:readline";

export async function isYes(question: string): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  const reply = await new Promise<string>((resolve) => {
    lines.question(question, resolve);
    // Ctrl+C and Ctrl+D mean no.
    lines.on("close", () => resolve(""));
  });
  lines.close();
  return /^y(es)?$/i.test(reply.trim());
}
