// The only place that prints for people and scripts. Text of agents and programs is made harmless here: names, titles, reasons,
// folders, outputs, errors. Only what a person asks for as it is goes around it: a terminal drawn or played (attach, replay) and raw
// bytes, which draw and do nothing else where a terminal gets them (drawn-output.ts), a screen with its colours, a file.
import { isInvisible, marked } from "../../core/base/invisible.ts";
import { DrawnOutput } from "./drawn-output.ts";
import { inert } from "./harmless.ts";

/** One line, whatever is in it: nobody's text looks like a line of ours. */
export function line(text: string): void {
  exactly(marked(text));
}

/** Text whose own line ends count. */
export function lines(text: string): void {
  exactly(inert(text));
}

/** One value in one line. The same for a parser, and nothing in it acts on a terminal. */
export function json(value: unknown): void {
  const text = JSON.stringify(value);
  exactly(text.replace(/[^\x20-\x7e]/gu, (char) => (isInvisible(char) ? escaped(char) : char)));
}

/** Messages for the caller, apart from the answer itself. */
export function aside(text: string | undefined): void {
  if (text !== undefined) process.stderr.write(`${inert(`duetty: ${text}`)}\n`);
}

/** Text that was made for a terminal. */
export function exactly(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Raw bytes in parts. Each resolves when it is written, so that a large answer does not pile up in memory. */
export function rawOutput(): (bytes: Uint8Array) => Promise<void> {
  const drawn = process.stdout.isTTY ? new DrawnOutput() : undefined;
  return (bytes) =>
    new Promise((resolve) => void process.stdout.write(drawn ? drawn.pass(bytes) : bytes, () => resolve()));
}

function escaped(char: string): string {
  return Array.from({ length: char.length }, (_, i) => `\\u${char.charCodeAt(i).toString(16).padStart(4, "0")}`).join(
    "",
  );
}
