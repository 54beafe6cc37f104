// Why a session does not run a line, and what to do instead.
import { advice } from "../base/advice.ts";
import { type Fault, fault } from "../base/fault.ts";
import type { Actor } from "../gate/actor.ts";
import type { Session } from "../session/session.ts";

/** What no session would run. */
export function refuse(session: Session, command: string): Fault | undefined {
  if (session.commands.marked === "silent") {
    const what = `session ${session.id} runs ${session.meta.command.join(" ")}, which does not mark its commands`;
    return fault("run.no_marks", what, advice("no_marks", session.id));
  }
  if (command.trim() === "") return fault("input.invalid", "the command is empty", "Write a command line.");
  const control = /[\x00-\x08\x0b-\x1f\x7f]/.exec(command)?.[0];
  if (control === undefined) return undefined;
  const code = control.charCodeAt(0).toString(16).padStart(2, "0");
  return fault("input.invalid", `the command contains the control character \\x${code}`, advice("keys"));
}

export function busyFault(session: Session): Fault {
  const { running } = session.commands.blocks;
  if (!running) return fault("session.busy", `${session.id} is not at a prompt`, "Read its screen before you go on.");
  const what = `"${running.cmd ?? "a command"}" still runs in ${session.id}`;
  const { waiting } = session.commands.waitingWatch;
  if (!waiting) return fault("session.busy", what, advice("running", session.id));
  if (waiting.kind === "password")
    return fault("session.busy", `${what} and asks for a password`, advice("asks_password", session.id));
  return fault("session.busy", `${what} and waits for input`, advice("asks_input", session.id));
}

/** The program in front waits for somebody, so it does not end by itself. */
export function asksInput({ commands }: Session): boolean {
  return commands.blocks.running !== undefined && commands.waitingWatch.waiting !== null;
}

/** Whether a run was refused because of what others do in the session. */
export function isBusy({ code }: Fault): boolean {
  return code === "session.busy" || code === "prompt.busy";
}

export function typedFault(session: Session, { kind }: Actor): Fault {
  if (kind === "person") {
    const { text, actor } = session.halfLine;
    const who = actor === "person" ? "you" : actor.replace(/^(?:agent|person):/, "");
    const what = text === "" ? "" : `: \`${session.display.eyes.written(text)}\` (typed by ${who})`;
    const message = `there is unfinished text at the shell prompt${what}`;
    return fault("prompt.busy", message, "Run it, edit it, or discard it.");
  }
  return fault("prompt.busy", `there is unfinished text at the prompt of ${session.id}`, advice("elsewhere"));
}

/** What was allowed for one machine must not run on another. */
export function movedFault(session: Session): Fault {
  const what = `another shell is in front of ${session.id} than when this line was allowed`;
  return fault("gate.held", what, "Look where it is and ask again.");
}

export function silentFault(session: Session): Fault {
  const hint = advice("no_prompt", session.id);
  return fault("run.no_answer", `the shell of ${session.id} does not take the line`, hint);
}
