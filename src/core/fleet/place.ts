// Names of what lives on another machine, host/ID, in inputs and answers. On the way there the host is taken off, on the way back it is put before each id.
// Pure. Refuses: to know which hosts there are.

import { placeOf } from "../../protocol/plain/host-place.ts";

/** Fields of inputs that name a session, a question, a command, a worktree, any of them, or where a search goes on. */
const NAMES = [
  "session_id",
  "approval_id",
  "block_id",
  "before",
  "after",
  "state",
  "worktree",
  "sessions",
  "id",
] as const;
/** Fields of inputs that are a moment; one may be the end of a command: block:ID. */
const MOMENTS = ["at", "from", "to"] as const;
const OF_BLOCK = "block:";
/** A run, which is gone on with; an agent CLI calls its conversations as it likes. */
const RUN_ID = /^r_[0-9a-z]{8}$/;
/** Fields of answers that name one. */
const IDS: ReadonlySet<string> = new Set([
  ...["session_id", "approval_id", "block_id", "run_id", "restored_from", "restored_as"],
]);
/** Fields of answers that name what their kind says; other things are called so, too. */
const ID = /^(?:[sakr]_[0-9a-z]{8}|b_[0-9a-z]{8}_\d{1,9})$/;
/** Where a search goes on: in which session. */
const NEXT = /^s_[0-9a-z]{8}:/;
/** Fields of answers that say who. */
const ACTORS: ReadonlySet<string> = new Set(["actor", "hold", "by", "who"]);
/** Fields of answers that are our own sentences. */
const WORDS: ReadonlySet<string> = new Set(["hint", "note", "subject"]);
/** The same ids in a sentence. */
const ID_IN_WORDS = /(?<![\w/])(?:[sar]_[0-9a-z]{8}|b_[0-9a-z]{8}_\d{1,9})\b/g;
/** Where a report in Markdown names its commands. */
const ID_IN_ROW = /^(\| )(b_[0-9a-z]{8}_\d{1,9})(?= \|)/gm;
const SUBJECT = /^(session |block |run )([sbr]_\w+)(?=, )/m;

type Given = Readonly<Record<string, unknown>>;

/** All machines that the names in an input mean; null is this one, in a list that names others, too. */
export function machinesIn(input: Given, isHost: (name: string) => boolean): ReadonlySet<string | null> {
  const hostOf = (name: unknown) => {
    const host = placeOf(name)?.host;
    return host !== undefined && isHost(host) ? host : null;
  };
  const lists = NAMES.flatMap((field) => {
    const value = input[field];
    if (!Array.isArray(value)) return [hostOf(value)].filter((host) => host !== null);
    const hosts = value.map(hostOf);
    return hosts.some((host) => host !== null) ? hosts : [];
  });
  const moments = MOMENTS.flatMap((field) => hostOf(blockOf(input[field])) ?? []);
  return new Set([...lists, ...moments, ...[hostOf(runOf(input.resume))].filter((host) => host !== null)]);
}

function blockOf(moment: unknown): string | undefined {
  return typeof moment === "string" && moment.startsWith(OF_BLOCK) ? moment.slice(OF_BLOCK.length) : undefined;
}

function runOf(resume: unknown): unknown {
  return RUN_ID.test(placeOf(resume)?.id ?? "") ? resume : undefined;
}

/** The input as that host understands it. */
export function withoutHost(input: Given, isHost: (name: string) => boolean, sides: Sides): Record<string, unknown> {
  const { host: _, hosts: __, ...rest } = input;
  const own = (name: unknown) => {
    const place = placeOf(name);
    return place && isHost(place.host) ? place.id : name;
  };
  const changed = NAMES.flatMap((field) => {
    const value = rest[field];
    if (value === undefined) return [];
    return [[field, Array.isArray(value) ? value.map(own) : own(value)] as const];
  });
  const moments = MOMENTS.flatMap((field) => {
    const block = blockOf(rest[field]);
    return block === undefined ? [] : [[field, `${OF_BLOCK}${own(block)}`] as const];
  });
  const run = runOf(rest.resume) === undefined ? {} : { resume: own(rest.resume) };
  const actor = typeof rest.actor === "string" ? { actor: actorThere(rest.actor, sides) } : {};
  return { ...rest, ...Object.fromEntries([...changed, ...moments]), ...run, ...actor };
}

/** Where somebody is from, as this machine and the other call each other. */
export interface Sides {
  /** What we call the other machine. */
  readonly host: string;
  /** What it calls us. */
  readonly me: string;
}

/** An answer of another machine as it is told here: each id with its host, and people and agents as they are called from here. */
export function placed<T>(answer: T, sides: Sides): T {
  return placedField("", answer, sides, 0) as T;
}

/** No answer of ours is so deep, and whoever writes it as JSON again has a stack. */
const DEPTH_MAX = 100;

function placedField(field: string, value: unknown, sides: Sides, depth: number): unknown {
  if (typeof value === "string") return placedText(field, value, sides);
  if (typeof value !== "object" || value === null) return value;
  if (depth === DEPTH_MAX) return null;
  const deeper = (name: string, one: unknown) => placedField(name, one, sides, depth + 1);
  if (Array.isArray(value)) return value.map((one) => deeper(field, one));
  const here = (name: string) => (field === "agent_levels" ? actorHere(name, sides) : name);
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [here(name), deeper(name, one)]));
}

function placedText(field: string, text: string, sides: Sides): string {
  if (IDS.has(field)) return text === "" ? text : `${sides.host}/${text}`;
  if (field === "id") return ID.test(text) ? `${sides.host}/${text}` : text;
  if (field === "next") return NEXT.test(text) ? `${sides.host}/${text}` : text;
  if (ACTORS.has(field)) return actorHere(text, sides);
  if (WORDS.has(field)) return placedWords(text, sides);
  return field === "markdown" ? placedReport(text, sides) : text;
}

/** A sentence of another machine, with its host before each id. */
export function placedWords(text: string, { host }: Sides): string {
  return text.replace(ID_IN_WORDS, (id) => `${host}/${id}`);
}

/** Its own names only: what programs printed stays as it was. */
function placedReport(markdown: string, { host }: Sides): string {
  const named = (_: string, before: string, id: string) => `${before}${host}/${id}`;
  return markdown.replace(SUBJECT, named).replace(ID_IN_ROW, named);
}

/** person@ME is the person here; the person there is person@HOST. */
function actorHere(actor: string, { host, me }: Sides): string {
  if (actor.endsWith(`@${me}`)) return actor.slice(0, -me.length - 1);
  return isSomebody(actor) ? `${actor}@${host}` : actor;
}

/** The same name as it is called there. */
export function actorThere(actor: string, { host, me }: Sides): string {
  if (actor.endsWith(`@${host}`)) return actor.slice(0, -host.length - 1);
  return isSomebody(actor) ? `${actor}@${me}` : actor;
}

function isSomebody(actor: string): boolean {
  const isOne = actor === "person" || actor.startsWith("person:") || actor.startsWith("agent:");
  return isOne && !actor.includes("@");
}
