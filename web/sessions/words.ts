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
  /** It is in the one list of what needs the person, which the top bar counts. */
  readonly needed: boolean;
  /** It is the one in the middle. */
  readonly shown: boolean;
}

/**
 * A program waits for a line that nobody is typing. One that reads single keys waits for nobody in particular, nor does an agent CLI
 * at its prompt, and whoever looks at a session that nobody holds has its keyboard.
 */
function waitsForLine({ state, waiting, hold, agent_state }: SessionInfo, { shown }: Seen): boolean {
  const isTheirs = isPerson(hold) || (shown && hold === "nobody");
  return !agent_state && state === "waiting_for_input" && waiting?.kind === "line" && !isTheirs;
}

export function dotFor({ state }: SessionInfo, { needed }: Seen): Dot {
  if (needed) return "wait";
  return state === "waiting_for_input" ? "run" : dotOf(state);
}

export function pillOf(session: SessionInfo, seen: Seen): Pill | undefined {
  const { state, hold } = session;
  if (isOver(state)) return { tone: state === "done" ? "plain" : "bad", word: endWord(state, session) };
  if (seen.needed) return { tone: "warn", word: "needs you" };
  if (state === "pending" || state === "provisioning") return { tone: "plain", word: stateWord(state) };
  if (waitsForLine(session, seen)) return { tone: "plain", word: "waits" };
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
