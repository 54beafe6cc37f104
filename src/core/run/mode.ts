// Whether a command runs in a terminal or beside it. Pure. A run that names a session runs there, or not at all: only the
// caller's own "pipe" lets it run beside that session, on the machine that has it.
import type { RunResult } from "../../protocol/ops/run.ts";
import type { Input } from "../../protocol/ops.ts";
import { type Fault, fault } from "../base/fault.ts";
import type { Actor } from "../gate/actor.ts";

interface Asked {
  readonly command: string;
  readonly mode: Input<"run_command">["mode"];
  readonly stdin: string | undefined;
  readonly session: unknown;
  readonly fresh: unknown;
  readonly actor: Actor;
}

export function modeOf({ mode, stdin, session, command, fresh, actor }: Asked): RunResult["mode"] | Fault {
  if (/\0/.test(command)) return fault("input.invalid", "the command contains a NUL byte", "Leave it out.");
  if (mode === "pipe") return "pipe";
  if (fresh && session) {
    const hint = "Set them in the command (K=V cmd), leave the session out, or use mode pipe.";
    return fault("input.invalid", "a session has its own environment", hint);
  }
  if (stdin !== undefined && (session || mode === "pty")) {
    const hint =
      "Redirect a file in the command, or use mode pipe to run it beside the session, on the machine that has it.";
    return fault("input.invalid", "a command in a session has no stdin of its own", hint);
  }
  // An agent's variables were judged once. Outside the terminal there is nobody to ask again.
  const isBeside = stdin !== undefined || (fresh && mode === "auto" && actor.kind === "agent");
  return isBeside ? "pipe" : "pty";
}

/** Says that a run was in no terminal. Nobody should take the machine that has a session for the one that it leads to, by ssh for example. */
export function beside(session: { readonly id: string } | undefined, status: RunResult["status"]): string {
  const verb = status === "running" ? "runs" : "ran";
  return `${verb} ${session ? `beside the session ${session.id}, on the machine that has it` : "outside any session"}`;
}
