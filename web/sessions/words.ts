// What the list says about a session: who has it, what runs, and whether something waits for the person. Pure.

import { marked } from "../../src/core/base/invisible.ts";
import type { SessionInfo } from "../../src/protocol/ops/session.ts";
import { agentWords } from "../../src/protocol/plain/agent-words.ts";
import { isPerson } from "../../src/protocol/plain/person-name.ts";
import { placeLabel } from "../../src/protocol/plain/place-label.ts";
import { commandLine, type Dot, dotOf, endWord, holderOf, isOver, labelOf, shortPath, stateWord } from "./labels.ts";

/** Half a line of the list. */
const PATH_CHARS = 16;

interface Pill {
  readonly tone: "you" | "guest" | "agent" | "warn" | "bad" | "plain";
  readonly word: string;
}

/** What the page knows of a session besides. */
interface Seen {
  /** A person is asked something about it. */
  readonly asked: boolean;
  /** It is the one in the middle. */
  readonly shown: boolean;
}

/**
 * True when there is a question, or a program waits for a line that nobody is typing. An editor that waits for keys needs nobody,
 * nor does an agent CLI at its prompt, and whoever looks at a session that nobody holds has its keyboard.
 */
export function needsYou({ state, waiting, hold, agent_state }: SessionInfo, { asked, shown }: Seen): boolean {
  const isTheirs = (isPerson(hold) || (shown && hold === "nobody")) && waiting?.kind !== "password";
  return asked || (!agent_state && state === "waiting_for_input" && waiting?.kind !== "full_screen" && !isTheirs);
}

export function dotFor(session: SessionInfo, seen: Seen): Dot {
  const dot = seen.asked ? "wait" : dotOf(session.state);
  return dot === "wait" && !needsYou(session, seen) ? "run" : dot;
}

export function pillOf(session: SessionInfo, seen: Seen): Pill | undefined {
  const { state, hold } = session;
  if (isOver(state)) return { tone: state === "done" ? "plain" : "bad", word: endWord(state, session) };
  if (needsYou(session, seen)) return { tone: "warn", word: "needs you" };
  if (state === "pending" || state === "provisioning") return { tone: "plain", word: stateWord(state) };
  const { kind, word } = holderOf(hold);
  return kind === "nobody" ? undefined : { tone: kind, word };
}

/** The shell inside of the session's program that has the prompt, or that could mark its commands. */
export function placeIn({
  nested,
  unmarked,
}: SessionInfo): { readonly word: string; readonly marks: boolean } | undefined {
  const place = nested ?? unmarked;
  return place && { word: marked(placeLabel(place)), marks: nested !== undefined };
}

/** Where a shell inside is: "ssh desk:/srv". */
export function insideWord(place: Pick<NonNullable<SessionInfo["nested"]>, "kind" | "host" | "cwd">): string {
  return marked([placeLabel(place), place.cwd].filter(Boolean).join(":"));
}

export function metaOf(session: SessionInfo): string {
  const { cwd, running, command, name, waiting, state, box } = session;
  const program = name === null ? undefined : commandLine(command);
  const runs = isOver(state) ? program : (running?.cmd?.split("\n")[0] ?? program);
  const waits = waiting && waiting.kind !== "full_screen" ? `waiting: ${waitWord(waiting)}` : undefined;
  const { worktree, branch: near, nested } = session;
  const cli = agentWords(session);
  const counts = worktree && treeWord(worktree);
  const branch = (worktree?.branch ?? near) && `⎇ ${marked(worktree?.branch ?? near ?? "")}`;
  // The branch stands last where it may be cut: what changed says more.
  const parts =
    cli !== undefined && !isOver(state)
      ? [cli, counts, worktree ? branch : nearPath(cwd)]
      : [box && "box", nested && `⇢ ${marked(placeLabel(nested))}`, nearPath(cwd), branch, counts, waits ?? runs];
  return parts.filter(Boolean).join(" · ");
}

/** ±3 ↑2 ↓1: changed files, and commits ahead and behind; empty when there is nothing to tell. */
export function treeWord(tree: NonNullable<SessionInfo["worktree"]>): string {
  const signs = { changed: "±", ahead: "↑", behind: "↓" } as const;
  const counts = (["changed", "ahead", "behind"] as const).filter((each) => tree[each] > 0);
  return counts.map((each) => `${signs[each]}${tree[each]}`).join(" ");
}

/** The agent CLI in it. One that works runs; one that asks needs somebody; the others rest. */
export function agentIn(session: SessionInfo): { readonly word: string; readonly dot: Dot } | undefined {
  const word = agentWords(session, "short");
  const state = session.agent_state?.state;
  return word === undefined
    ? undefined
    : { word, dot: state === "working" ? "run" : state === "blocked" ? "wait" : "idle" };
}

/** The end of a folder's path says more than its beginning, and the command needs room beside it. */
function nearPath(cwd: string): string {
  const path = shortPath(cwd);
  const parts = path.split("/");
  return path.length <= PATH_CHARS || parts.length < 3 ? path : `…/${parts.at(-1)}`;
}

function waitWord({ kind, program }: NonNullable<SessionInfo["waiting"]>): string {
  return kind === "password" ? `${program} password` : program;
}

export function matchesText(session: SessionInfo, text: string): boolean {
  const all = [labelOf(session), session.session_id, metaOf(session), session.cwd, stateWord(session.state)].join(" ");
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.toLowerCase().includes(word));
}
