// Operations that read the commands of a session.

import { advice } from "../../core/base/advice.ts";
import { lineText, runText } from "../../core/base/clean.ts";
import { type Fault, fault, isFault } from "../../core/base/fault.ts";
import { isStopped } from "../../core/base/stopped.ts";
import { type Block, sessionOfBlock } from "../../core/block/block.ts";
import type { Timeline } from "../../core/journal/timeline.ts";
import { afterLines } from "../../core/past/after-lines.ts";
import { styledLines } from "../../core/past/block-output.ts";
import { lastScreenCursor } from "../../core/past/last-screen.ts";
import type { Line } from "../../core/past/lines.ts";
import { screenAt } from "../../core/past/past.ts";
import type { Redactor } from "../../core/redact/redactor.ts";
import { ABOVE_ROWS_MAX } from "../../core/screen/above.ts";
import { hiddenLines } from "../../core/screen/hidden.ts";
import { rowHtml } from "../../core/screen/html.ts";
import type { Session } from "../../core/session/session.ts";
import { rowAnsi } from "../../core/viewer/row-ansi.ts";
import { BLOCK_LINES_MAX } from "../../protocol/ops/blocks.ts";
import { RAW_BYTES_MAX } from "../../protocol/ops/screen.ts";
import type { Input } from "../../protocol/ops.ts";
import type { Call } from "../auth.ts";
import { type Context, type Handlers, onSession } from "./context.ts";
import { regionOf } from "./formats.ts";
import { base64Of, rawFor } from "./raw.ts";
import type { PastReader } from "./time.ts";

type Mine = Pick<Handlers, "blocks" | "block">;

interface Found {
  readonly session: Session;
  readonly block: Block;
}

export function blockHandlers(ctx: Context, past: PastReader): Mine {
  return {
    blocks: ({ session_id, ...wanted }) => onSession(ctx, session_id, (session) => listed(session, wanted)),
    block: async ({ block_id, ...wanted }, call) => {
      const found = await findBlock(ctx, block_id);
      return isFault(found) ? found : past.work(() => read(past, found, wanted, call));
    },
  };
}

async function listed(session: Session, wanted: Omit<Input<"blocks">, "session_id">) {
  const { limit, before, failed, actor } = wanted;
  const all = await session.commands.list();
  const end = before === undefined ? all.length : all.findIndex((block) => block.block_id === before);
  if (end < 0) return noBlock(before ?? "");
  const isWanted = (block: Block) =>
    !(failed && (block.state === "done" || block.state === "running" || isStopped(block.exit_code))) &&
    (actor === undefined || block.actor === actor || block.actor.startsWith(`${actor}:`));
  const fit = all.slice(0, end).filter(isWanted);
  const { integration } = session.info();
  const blocks = fit.slice(-limit).map((block) => onWire(session, block));
  return { session_id: session.id, integration, blocks, total: fit.length };
}

export function onWire(session: Session, block: Block) {
  return { ...block, session_id: session.id };
}

/** The command that began last, wherever it ran. */
export const NEWEST = "last";

/** By its id, by the session and a number or `last`, or `last` alone. */
export async function findBlock(ctx: Context, ref: string): Promise<Found | Fault> {
  if (ref === NEWEST) return newest(ctx);
  const [, name, which] = /^(.+):(\d{1,9}|last)$/.exec(ref) ?? [];
  const session = await ctx.sessions.awake(sessionOfBlock(ref) ?? name ?? ref);
  if (isFault(session)) return sessionOfBlock(ref) === undefined && name === undefined ? noBlock(ref) : session;
  const all = await session.commands.list();
  const block =
    which === undefined
      ? all.find((known) => known.block_id === ref)
      : all.at(which === "last" ? -1 : Number(which) - 1);
  return block && which !== "0" ? { session, block } : noBlock(ref);
}

async function newest(ctx: Context): Promise<Found | Fault> {
  const lists = ctx.sessions.live.map(async (session) => ({ session, block: (await session.commands.list()).at(-1) }));
  const found = (await Promise.all(lists)).flatMap(({ session, block }) => (block ? [{ session, block }] : []));
  const [first] = found.sort((a, b) => b.block.ts_begin - a.block.ts_begin);
  return first ?? fault("block.not_found", "no command ran yet", advice("blocks"));
}

function noBlock(ref: string): Fault {
  return fault("block.not_found", `there is no block "${ref}"`, advice("blocks"));
}

async function read(past: PastReader, { session, block }: Found, wanted: Omit<Input<"block">, "block_id">, call: Call) {
  const { format, lines, offset } = wanted;
  const common = { block: onWire(session, block), format, ...(await afterOf(session, block, format, call)) };
  if (format === "raw") return { ...common, ...rawOf(session, block, offset, call) };
  if (format === "screen") {
    const runs = await lastScreen(session, block, await past.timeline(session), call.eyes);
    return { ...common, runs: runsFor(call, runs) };
  }
  const fromEnd = async () => (await styledLines(session.display.past, block, { from: 0, to: 0 })).total;
  const asked = regionOf(lines ?? ":", lines?.includes("-") ? await fromEnd() : 0);
  const range = { from: asked.from, to: Math.min(asked.to, asked.from + BLOCK_LINES_MAX - 1) };
  const { lines: styled, total } = await linesFor(call, session, block, range);
  const counted = { ...common, from_line: range.from, lines_total: total };
  if (format === "runs") return { ...counted, runs: runsFor(call, styled) };
  return { ...counted, content: styled.map((line) => written(line, format)).join("\n") };
}

/** An agent's part of an output is judged with what stands around it: half of a private key looks like nothing. */
async function linesFor({ eyes }: Call, session: Session, block: Block, { from, to }: { from: number; to: number }) {
  const { past } = session.display;
  if (!eyes) return styledLines(past, block, { from, to });
  const first = Math.max(0, from - ABOVE_ROWS_MAX);
  const { lines, total } = await styledLines(past, block, { from: first, to: to + ABOVE_ROWS_MAX });
  return { lines: hiddenLines(lines, session.info().cols, eyes).slice(from - first, to - first + 1), total };
}

/** What was printed between this command and the next. */
async function afterOf(session: Session, block: Block, format: Input<"block">["format"], call: Call) {
  if (format === "raw" || block.cursor_end === null) return {};
  const found = session.commands.after(block);
  const after = await afterLines(session.display.past, block, found);
  if (!after) return {};
  const { total } = after;
  const lines = call.eyes ? hiddenLines(after.lines, session.info().cols, call.eyes) : after.lines;
  const runs =
    format === "runs" || format === "screen" ? { runs: [...runsFor(call, lines)].map((line) => [...line]) } : {};
  return { after: { jobs: [...found.jobs], content: lines.map(lineText).join("\n"), ...runs, lines_total: total } };
}

function lastScreen(session: Session, block: Block, timeline: Timeline, eyes: Redactor | undefined) {
  const { past } = session.display;
  // The page may resize the session right when the program ends.
  const until = block.ts_end ?? Number.POSITIVE_INFINITY;
  const target = { cursor: lastScreenCursor(past.files, block, timeline), until };
  const rows = { scrollback: 0, eyes };
  return screenAt(past, target, rows, (_, screen) => screen.styled({ history: 0 }).map(({ runs }) => runs));
}

/** The page marks and hides by itself, cell by cell. An agent gets no more than a person sees. */
function runsFor({ role }: Call, lines: readonly Line[]) {
  return role === "person" ? lines : lines.map((line) => line.map((run) => ({ ...run, text: runText(run) })));
}

function written(line: Line, format: "text" | "ansi" | "html"): string {
  if (format === "text") return lineText(line);
  return format === "html" ? rowHtml({ runs: line }) : rowAnsi({ runs: line });
}

function rawOf(session: Session, block: Block, offset: number, call: Call) {
  const end = block.cursor_end ?? session.display.past.files.outputSize();
  const from = Math.min(end, block.cursor_begin + offset);
  const { bytes, next, note } = rawFor(session, call, from, Math.min(RAW_BYTES_MAX, end - from));
  return { base64: base64Of(bytes), next: next < end && next > from ? next - block.cursor_begin : null, ...note };
}
