// Makes every answer small enough to read and says what it left out. Owns: the limit, and the choice of what to cut. Cuts
// the largest part first, at characters and whole entries, and keeps the fields true that tell where to go on.
import { wholeChars } from "../core/base/head-tail.ts";
import type { Json } from "./schemas.ts";

/** Text and structured content of one answer together: about ten thousand tokens. */
export const RESULT_CHARS_MAX = 40_000;
/** Shorter strings are facts, not text. */
const TEXT_CHARS_MIN = 64;
/** Each round at least halves the largest part, so this many are enough for any size. */
const ROUNDS_MAX = 400;

interface Cut {
  readonly what: string;
  kept: number;
  total: number;
  readonly unit: "characters" | "entries";
}

interface Fitted {
  readonly structured: Json;
  readonly text: string;
}

type Owner = Record<string, unknown>;
interface Part {
  /** The name in the note. All entries of a list share one name. */
  readonly path: string;
  readonly exact: string;
  readonly owner: Owner | unknown[];
  readonly key: string | number;
}

/** Calls `textOf` again after each cut, so that text and structure never disagree. */
export function withinBudget(output: object, textOf: (structured: Json) => string): Fitted {
  const structured = structuredClone(output) as Owner;
  const cuts = new Map<string, Cut>();
  const before = new Set<string>();
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    if (cuts.size > 0) structured.cut = [...cuts.values()];
    const text = [textOf(structured), ...cutNote([...cuts.values()])].join("\n");
    const size = text.length + JSON.stringify(structured).length;
    if (size <= RESULT_CHARS_MAX) return { structured, text };
    const part = largest(structured);
    if (!part) break;
    // We cut a huge answer by much at once, so that megabytes do not keep others waiting.
    note(part, shorten(part, Math.min(0.5, RESULT_CHARS_MAX / size)), cuts, before);
  }
  // Nothing is left to cut. Only an answer of thousands of tiny fields gets here.
  const error = { code: "output.too_large", message: "the answer is too large to show", hint: "Ask for less." };
  return { structured: { error }, text: `${error.message}. ${error.hint}` };
}

function cutNote(cuts: readonly Cut[]): string[] {
  if (cuts.length === 0) return [];
  return [`[cut: ${cuts.map(({ what, kept, total, unit }) => `${what} ${kept} of ${total} ${unit}`).join("; ")}]`];
}

/** The part to cut: the largest one, or the child that makes up most of it. */
function largest(root: Owner): Part | undefined {
  let found: Part | undefined;
  let path = "";
  let exact = "";
  let node: unknown = root;
  while (typeof node === "object" && node !== null) {
    const owner = node as Owner;
    const entries = Object.entries(owner).filter(([key]) => key !== "cut");
    const sizes = entries.map(([key, value]) => ({ key, size: sizeOf(value) }));
    const top = sizes.reduce((a, b) => (b.size > a.size ? b : a), { key: "", size: 0 });
    const isList = Array.isArray(node);
    // When many entries are alike we shorten the list itself.
    if (isList && found && entries.length > 1 && top.size * 2 < sizeOf(node)) return found;
    if (top.key === "") return found;
    path = isList ? `${path}[]` : path === "" ? top.key : `${path}.${top.key}`;
    exact = `${exact}/${top.key}`;
    node = owner[top.key];
    if (isCuttable(node)) found = { path, exact, owner, key: top.key };
  }
  return found;
}

function isCuttable(value: unknown): boolean {
  return typeof value === "string" ? value.length > TEXT_CHARS_MIN : Array.isArray(value) && value.length > 1;
}

function sizeOf(value: unknown): number {
  return JSON.stringify(value)?.length ?? 0;
}

/** In these fields the end matters more than the beginning. */
const KEEP_END = new Set(["tail", "rows", "scrollback", "blocks", "entries"]);

interface Shortened {
  readonly whole: string | unknown[];
  readonly kept: string | unknown[];
}

function shorten({ owner, key }: Part, share: number): Shortened {
  const fields = owner as Owner;
  const whole = fields[key] as string | unknown[];
  const end = KEEP_END.has(String(key));
  const kept = typeof whole === "string" ? lessText(whole, key, end, share) : fewer(whole, end, share);
  fields[key] = kept;
  keepTrue(fields, String(key), whole, kept);
  return { whole, kept };
}

/** Reports cuts of the same field in several entries as one. */
function note({ path, exact }: Part, { whole, kept }: Shortened, cuts: Map<string, Cut>, before: Set<string>): void {
  const unit = typeof whole === "string" ? "characters" : "entries";
  const cut = cuts.get(path) ?? { what: path, kept: 0, total: 0, unit };
  cuts.set(path, cut);
  // It was cut before, and now even less remains.
  cut.kept += before.has(exact) ? kept.length - whole.length : kept.length;
  cut.total += before.has(exact) ? 0 : whole.length;
  before.add(exact);
}

function fewer(list: readonly unknown[], end: boolean, share: number): unknown[] {
  const count = Math.max(1, Math.floor(list.length * share));
  return end ? list.slice(-count) : list.slice(0, count);
}

function lessText(text: string, key: string | number, end: boolean, share: number): string {
  const at = Math.max(TEXT_CHARS_MIN / 2, Math.floor(text.length * share));
  if (key === "base64") return text.slice(0, at - (at % 4));
  // Where there are lines we keep them whole.
  const line = key === "content" ? text.lastIndexOf("\n", at) : -1;
  if (line > 0) return text.slice(0, line);
  return end ? text.slice(wholeChars(text, text.length - at)) : text.slice(0, wholeChars(text, at));
}

/** Corrects fields that describe the one that was cut. */
function keepTrue(owner: Owner, key: string, before: string | unknown[], after: string | unknown[]): void {
  const dropped = before.length - after.length;
  if (key === "rows" && "rows_count" in owner) owner.first_row = Number(owner.first_row ?? 0) + dropped;
  if (key === "entries" && "omitted" in owner) owner.omitted = Number(owner.omitted) + dropped;
  if ((key === "head" || key === "tail") && "omitted_bytes" in owner)
    owner.omitted_bytes =
      Number(owner.omitted_bytes) + Buffer.byteLength(String(before)) - Buffer.byteLength(String(after));
  if (key === "base64") {
    const lost = Buffer.byteLength(String(before), "base64") - Buffer.byteLength(String(after), "base64");
    // At the end of a command's output there is no `next` to count back from, only its length.
    const next = owner.next ?? lengthOf(owner.block);
    if (typeof next === "number") owner.next = next - lost;
  }
}

function lengthOf(block: unknown): number | undefined {
  const { cursor_begin, cursor_end } = (block ?? {}) as { cursor_begin?: number; cursor_end?: number | null };
  return typeof cursor_begin === "number" && typeof cursor_end === "number" ? cursor_end - cursor_begin : undefined;
}
