// The daemon's log. An error may quote what a program or an agent wrote, and people read logs in terminals.
import { inspect } from "node:util";
import { marked } from "../core/base/invisible.ts";

export function logError(error: unknown): void {
  const text = typeof error === "string" ? error : inspect(error, { colors: false });
  console.error(marked(text, { controls: "text" }));
}
