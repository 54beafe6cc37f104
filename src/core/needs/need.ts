// What needs a person: the one rule, which every list and every notice follows. Pure. A program's text is in it in one line, in
// which everything is what it looks like.
import type { SessionInfo } from "../../protocol/ops/session.ts";
import { isPerson } from "../../protocol/plain/person-name.ts";
import type { BlockedKind } from "../../protocol/words/agent-state.ts";
import type { Need } from "../../protocol/words/need.ts";
import type { DeepReadonly } from "../base/deep-readonly.ts";
import { exact } from "../base/exact.ts";
import { clipped } from "../base/head-tail.ts";
import { wants } from "../base/question-words.ts";
import type { Block } from "../block/block.ts";
import type { Approval } from "../gate/approvals.ts";

const WHY_CHARS_MAX = 120;
const LABEL_CHARS_MAX = 60;

/** What the key of an agent's turn begins with. */
const TURN = "turn ";

const ASKS: Readonly<Record<BlockedKind, string>> = {
  permission: "asks for permission",
  question: "has a question",
  auth: "asks you to sign in",
};

/** What the rule looks at in one session. */
export interface NeedFacts {
  readonly info: DeepReadonly<SessionInfo>;
  /** When a person last looked. */
  readonly seenAt: number;
  /** Since when its program waits. */
  readonly waitsSince: number;
  /** Its last command. */
  readonly last: Block | undefined;
  /** Whether an agent that is idle has finished what it worked on. */
  readonly isTurnOver: boolean;
  /** Whether a person was told nothing of its end yet. */
  readonly isEndNew: boolean;
}

/** A need without its tag. Two with the same content are the same need. */
export interface Found {
  readonly need: Omit<Need, "tag">;
  readonly content: string;
}

/** Takes secrets out of a text. Half a secret is not known as one, so texts are cut after it. */
export type Hide = (text: string) => string;

export function approvalNeed(approval: Approval, info: NeedFacts["info"] | undefined, hide: Hide): Need {
  const { approval_id, session_id, actor, text, created_at } = approval;
  const title = lineOf(`${actor.replace(/^agent:/, "")} ${wants(approval)}`, hide);
  const [label, name] = [info ? labelOf(info, hide) : "", info?.name ?? null];
  return {
    ...{ tag: approval_id, kind: "approval", session_id, name, label, approval_id },
    ...{ who: actor, title, why: lineOf(text, hide), since: created_at },
  };
}

export interface NeedRule {
  /** A command that took this long is worth a word when it is over. */
  readonly longMs: number;
  readonly hide: Hide;
}

export function needOf(facts: NeedFacts, { longMs, hide }: NeedRule): Found | undefined {
  const { info, seenAt, waitsSince, isTurnOver, isEndNew } = facts;
  const found = foundIn(info, hide);
  const { agent, agent_state: now, waiting, state, ended_at } = info;
  if (ended_at !== null || state === "lost")
    return isEndNew && seenAt < (ended_at ?? 1) ? endOf(found, info) : undefined;
  if (waiting?.kind === "password")
    return found("password", said(waiting.program, "waits for a password", "asks for a password", waitsSince));
  if (!agent || !now) return longOf(found, facts, longMs);
  if (now.state === "blocked") {
    const what = now.kind ? ASKS[now.kind] : "waits for you";
    // What is read from a screen may hold a clock or a spinner. What a program says of itself is said on purpose.
    const own = now.source === "status" ? now.why : "";
    const asked = said(agent, what, `${now.kind ?? "asks"}: ${now.why}`, now.since);
    return found("blocked", { ...asked, key: `${now.kind} ${own}` });
  }
  if (seenAt >= now.since) return undefined;
  const key = `${TURN}${now.since}`;
  if (now.state === "error") return found("failed", { ...said(agent, "failed", now.why, now.since), key });
  if (now.state !== "done" && !(now.state === "idle" && isTurnOver)) return undefined;
  const why = now.state === "done" ? now.why : "its turn is over";
  return found("done", { ...said(agent, "is done", why, now.since), key });
}

interface Said {
  readonly who: string;
  readonly title: string;
  readonly why: string;
  readonly since: number;
  /** What tells it from the session's other needs of its kind. */
  readonly key?: string;
}

function said(who: string, what: string, why: string, since: number): Said {
  return { who, title: `${who} ${what}`, why, since };
}

type Finds = (kind: Need["kind"], said: Said) => Found;

function foundIn(info: NeedFacts["info"], hide: Hide): Finds {
  const { session_id, name } = info;
  return (kind: Need["kind"], { key = "", since, ...words }: Said): Found => {
    const [who, title, why] = [lineOf(words.who, hide), lineOf(words.title, hide), lineOf(words.why, hide)];
    return {
      need: { kind, session_id, name, label: labelOf(info, hide), who, title, why, since },
      content: JSON.stringify([kind, session_id, who, key]),
    };
  };
}

/** A session that was closed is over because somebody wanted it. */
function endOf(found: Finds, info: NeedFacts["info"]): Found | undefined {
  const { state, agent, command, exit_code, signal, ended_at, restored_as } = info;
  if ((state === "done" && exit_code !== 0) || restored_as !== undefined) return undefined;
  const how = state === "lost" ? "its program is gone" : (signal ?? `exit code ${exit_code}`);
  const who = agent ?? programOf(command[0]);
  const [kind, what] = state === "done" ? (["done", "is done"] as const) : (["failed", `failed: ${how}`] as const);
  return found(kind, { ...said(who, what, how, ended_at ?? 0), key: "end" });
}

/** A person's own command. Agents hear themselves how theirs ended. */
function longOf(found: Finds, { info, seenAt, last }: NeedFacts, longMs: number): Found | undefined {
  if (!last || last.ts_end === null || !isPerson(last.actor) || (last.duration_ms ?? 0) < longMs) return undefined;
  if (info.running || seenAt >= last.ts_end) return undefined;
  const { cmd, exit_code, block_id, ts_end } = last;
  const [kind, how] =
    exit_code === 0
      ? (["done", "Finished"] as const)
      : (["failed", exit_code === null ? "Over" : `Failed with ${exit_code}`] as const);
  const why = exit_code === null ? "no exit code" : `exit code ${exit_code}`;
  const title = `${how}: ${cmd ?? "a command"}`;
  return found(kind, { who: programOf(cmd?.split(" ", 1)[0]), title, why, since: ts_end, key: block_id });
}

function programOf(file: string | undefined): string {
  return file?.split("/").at(-1) ?? "";
}

function labelOf({ name, task, command }: NeedFacts["info"], hide: Hide): string {
  const text = name ?? task?.text.trim().split("\n", 1)[0] ?? command.join(" ");
  return clipped(exact(hide(text)).replaceAll("\n", ""), LABEL_CHARS_MAX);
}

function lineOf(text: string, hide: Hide): string {
  return firstLine(text, hide, WHY_CHARS_MAX);
}

/** The first line of a text, in which everything is what it looks like and nothing is a secret. */
export function firstLine(text: string, hide: Hide, charsMax: number): string {
  return clipped(exact(hide(text).split("\n", 1)[0] ?? ""), charsMax);
}

/** Whether it is about an agent's turn. */
export function isOfTurn({ need, content }: Found): boolean {
  return need.kind === "done" && content.includes(`,"${TURN}`);
}
