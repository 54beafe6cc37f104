// Where an agent's line would run, and what that means for its verdict. Pure. In a shell inside of another program there is no
// box and no guard, and its folder may be another machine's: a line there is judged by its text, and then asked about.
import type { ShellName } from "../../../protocol/words/program.ts";
import type { Place } from "../key-reader.ts";
import type { Boxing, Verdict } from "../policy.ts";

interface LinePlace extends Pick<Place, "cwd" | "nested"> {
  readonly shell: ShellName | null;
  readonly box: Boxing;
}

export function linePlace({ cwd, shell, box, nested }: Place): LinePlace {
  return nested ? { cwd: null, shell: nested.shell, box: "missing", nested } : { cwd, shell, box, nested };
}

export function isSamePlace(some: LinePlace, other: LinePlace): boolean {
  return some.cwd === other.cwd && some.nested?.id === other.nested?.id;
}

/** They could change what the shell there tells us. */
const OURS = /__duetty|PROMPT_COMMAND|precmd|preexec|PS[01]\b/;

/**
 * Nothing there looks at what the line really runs, so nobody's class and no rule frees it: aliases, functions and programs of the
 * same names count as well. A person who let this agent type to the program that leads there has allowed as much, and one who
 * lets agents do anything here, too.
 */
export function unguarded(verdict: Verdict, text: string, isInside: boolean, isPermitted: boolean): Verdict {
  if (!isInside || verdict.do !== "allow" || verdict.rule === "level.always_allow") return verdict;
  if (isPermitted && !OURS.test(text)) return verdict;
  return { ...verdict, do: "ask", rule: "shell.unguarded" };
}
