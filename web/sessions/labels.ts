// A session's name and description for a person. What a program or an agent named hides nothing. Pure.
import { marked } from "../../src/core/base/invisible.ts";
import type { SessionInfo } from "../../src/protocol/ops/session.ts";
import { isPerson, personNameIn } from "../../src/protocol/plain/person-name.ts";
import { hostOf } from "../hosts/words.ts";

type State = SessionInfo["state"];

export function isOver(state: State): boolean {
  return state === "done" || state === "failed" || state === "lost";
}

export function labelOf(session: Pick<SessionInfo, "name" | "command" | "task">): string {
  return session.name === null ? (taskLine(session) ?? commandLine(session.command)) : marked(session.name);
}

/** With its machine, where it is on another one. */
export function labelOn(session: Pick<SessionInfo, "session_id" | "name" | "command" | "task">): string {
  const host = hostOf(session.session_id);
  return host === undefined ? labelOf(session) : `${labelOf(session)} on ${host}`;
}

/** With its number in the list, where others there have the same label. */
export function labelAmong(session: SessionInfo, running: readonly SessionInfo[]): string {
  const label = labelOn(session);
  const at = running.findIndex(({ session_id }) => session_id === session.session_id) + 1;
  return at > 0 && running.some((other, i) => i !== at - 1 && labelOn(other) === label) ? `${label} ${at}` : label;
}

interface Shared {
  readonly sessions: { running(): readonly SessionInfo[] };
  readonly layout: { leaves(): readonly string[] };
  info(): SessionInfo | undefined;
}

/** What a part of a session's view is called: with the session, where several of them share the page. */
export function partName(part: string, { sessions, layout, info }: Shared): string {
  const own = info();
  return own && layout.leaves().length > 1 ? `${part}, ${labelAmong(own, sessions.running())}` : part;
}

/** The first line of what its agent was given to do. */
export function taskLine({ task }: Pick<SessionInfo, "task">): string | undefined {
  const line = task?.text.split("\n").find((each) => each.trim() !== "");
  return line && marked(line.trim());
}

/** The program without its folder and without the shell that only starts it. */
export function commandLine(command: readonly string[]): string {
  const [file = "", ...args] = command;
  const program = file.slice(file.lastIndexOf("/") + 1);
  if (program === "sh" && args[0] === "-c" && args.length === 2) return marked(args[1] ?? program);
  return marked([program, ...args.filter((arg) => arg !== "-i")].join(" "));
}

export function shortPath(path: string): string {
  return marked(path).replace(/^(\/root|\/home\/[^/]+|\/Users\/[^/]+)(?=\/|$)/, "~");
}

export type Dot = "run" | "wait" | "fail" | "idle";

export function dotOf(state: State): Dot {
  switch (state) {
    case "running":
      return "run";
    case "waiting_for_input":
      return "wait";
    case "failed":
    case "lost":
      return "fail";
    case "pending":
    case "provisioning":
    case "done":
      return "idle";
    default:
      return state satisfies never;
  }
}

export function stateWord(state: State): string {
  const words: Record<State, string> = {
    pending: "not started",
    provisioning: "starting",
    running: "running",
    waiting_for_input: "needs you",
    done: "done",
    failed: "failed",
    lost: "lost",
  };
  return words[state];
}

export interface End {
  readonly exit_code: number | null;
  readonly signal: string | null;
}

/** "done 0", "failed 1", "ended": short enough for a pill. */
export function endWord(state: State, end: End): string {
  if (end.signal) return "ended";
  return end.exit_code === null ? stateWord(state) : `${stateWord(state)} ${end.exit_code}`;
}

export function endSentence(end: End): string {
  // How a session is ended on purpose.
  if (end.signal === "SIGHUP") return "This session was ended";
  if (end.signal) return `Ended by ${end.signal}`;
  return end.exit_code === null ? "This session has ended" : `Exited with code ${end.exit_code}`;
}

interface Holder {
  /** guest: another person. */
  readonly kind: "you" | "guest" | "agent" | "nobody";
  readonly word: string;
}

/** The owner of the machine, as actors are written. Guests are person:NAME. */
export const OWNER = "person";

/** `me`: who looks at the page. */
export function holderOf(hold: string, me = OWNER): Holder {
  if (hold === me) return { kind: "you", word: "you" };
  if (isPerson(hold)) return { kind: "guest", word: personNameIn(hold) ?? "the owner" };
  if (!hold.startsWith("agent")) return { kind: "nobody", word: "nobody" };
  const name = hold.slice("agent:".length);
  return { kind: "agent", word: name === "" || name === "unnamed" ? "agent" : name };
}
