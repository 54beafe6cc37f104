// What a written text is meant for, and where its caret is. Pure.
import type { Mode } from "../approvals/control.ts";
import type { Written } from "./writing.ts";

type Meaning =
  | { readonly do: "run"; readonly command: string }
  | { readonly do: "ask"; readonly text: string }
  | { readonly do: "nothing" };

/** Agent mode: words for the agent, `!` runs. Shared: commands, `/` asks. Terminal: commands only. */
export function meaningOf(text: string, mode: Mode): Meaning {
  if (text.trim() === "") return { do: "nothing" };
  if (mode === "agent") return text.startsWith("!") ? run(text.slice(1)) : ask(text);
  return mode === "agent_terminal" && isForAgent(text) ? ask(text.slice(1)) : run(text);
}

/** `/why` is a question. `/bin/ls` is a program, and a space before the slash makes anything a command. */
function isForAgent(text: string): boolean {
  return /^\/[^\s/]*(?:\s|$)/.test(text);
}

function run(line: string): Meaning {
  const command = line.trim();
  return command === "" ? { do: "nothing" } : { do: "run", command };
}

function ask(words: string): Meaning {
  const text = words.trim();
  return text === "" ? { do: "nothing" } : { do: "ask", text };
}

export function isOnFirstLine(text: string, caret: number): boolean {
  return !text.slice(0, caret).includes("\n");
}

export function isOnLastLine(text: string, caret: number): boolean {
  return !text.slice(caret).includes("\n");
}

/** The line of a text that the caret is in. */
export interface LinePart {
  /** Where it begins in the text. */
  readonly at: number;
  readonly line: string;
  readonly caret: number;
  /** shell: it is for the shell, and a person wrote it. */
  readonly kind: "shell" | "path";
}

/** `isForeign`: the shell is not asked about what somebody else has written. */
export function linePart({ text, caret }: Written, mode: Mode, isForeign: boolean): LinePart {
  const isShells = !isForeign && meaningOf(text, mode).do === "run";
  const at = Math.max(text.lastIndexOf("\n", caret - 1) + 1, isShells && mode === "agent" ? 1 : 0);
  const end = text.indexOf("\n", caret);
  const line = text.slice(at, end < 0 ? text.length : end);
  return { at, line, caret: caret - at, kind: isShells ? "shell" : "path" };
}

export function placeholderFor(mode: Mode): string {
  const words: Record<Mode, string> = {
    terminal: "Run a command",
    agent_terminal: "Run a command · start with / to ask the agent",
    agent: "Ask the agent… · start with ! to run a command",
  };
  return words[mode];
}
