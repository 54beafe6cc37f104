// Operations about the past of sessions: screens as they were, the timeline, files to keep, finding.

import { ConcurrencyLimit } from "../../core/base/concurrency-limit.ts";
import { type Fault, fault, isFault } from "../../core/base/fault.ts";
import { type Timeline, Timelines } from "../../core/journal/timeline.ts";
import { exportPart } from "../../core/past/export.ts";
import { parseAt, targetOf } from "../../core/past/moment.ts";
import { type PastTarget, screenAt } from "../../core/past/past.ts";
import { type SearchPlace, search } from "../../core/past/search.ts";
import type { Redactor } from "../../core/redact/redactor.ts";
import { selectedIn, zonesIn } from "../../core/session/report.ts";
import type { Session } from "../../core/session/session.ts";
import { MARKS_MAX } from "../../protocol/ops/time.ts";
import type { Input } from "../../protocol/ops.ts";
import { type Context, type Handlers, onSession } from "./context.ts";
import { contentOf, regionOf } from "./formats.ts";

/** Engines for the past at one time. Each takes a few MB and keeps one core busy. */
const PAST_AT_ONCE = 4;

type Mine = Pick<Handlers, "timeline" | "export" | "search">;
type SeeInput = Omit<Input<"pty_read_screen">, "session_id" | "at">;

export class PastReader {
  #timelines = new Timelines();
  #limit = new ConcurrencyLimit(PAST_AT_ONCE);

  timeline(session: Session): Promise<Timeline> {
    const { files, clock } = session.display.past;
    return this.#timelines.of(session.id, files, clock, session.meta.created_at);
  }

  work<T>(work: () => Promise<T>): Promise<T> {
    return this.#limit.run(work);
  }

  async target(session: Session, at: string | number, timeline: Timeline): Promise<PastTarget | Fault> {
    const moment = parseAt(String(at));
    if (isFault(moment)) return moment;
    const { files, clock } = session.display.past;
    const end = session.info().ended_at ?? (session.over ? timeline.latest : clock.now());
    const blocks = "block" in moment ? await session.commands.list() : [];
    return targetOf(moment, timeline, { total: files.outputSize(), end, blocks });
  }

  /** A past screen in the shape of a live one. */
  async see(session: Session, at: string | number, { format, rows, ...options }: SeeInput, eyes?: Redactor) {
    const timeline = await this.timeline(session);
    const target = await this.target(session, at, timeline);
    if (isFault(target)) return target;
    const then = {
      session_id: session.id,
      echo: "on" as const,
      foreground: null,
      state: stateAt(session, target, timeline),
      hold: session.info().hold,
      ts: target.until ?? timeline.timeAt(target.cursor),
    };
    return this.work(() =>
      screenAt(session.display.past, target, { scrollback: options.scrollback, eyes }, (shown, screen) => {
        const region = rows === undefined ? undefined : regionOf(rows, shown.rows.length);
        const part = region ? { rows: shown.rows.slice(region.from, region.to + 1), first_row: region.from } : {};
        const whole = { ...then, ...shown, ...part };
        if (shown.hash === options.since_hash) return { ...whole, rows: [], unchanged: true };
        const selected = selectedIn(screen.selected(), region);
        const zones = options.zones ? { zones: zonesIn(screen.zones(), region) } : {};
        const content =
          format === "json" ? {} : { content: contentOf(format, { ...whole, ...selected }, screen, region) };
        return { ...whole, ...selected, ...zones, ...content };
      }),
    );
  }
}

export function timeHandlers(ctx: Context, past: PastReader): Mine {
  return {
    timeline: ({ session_id }) =>
      onSession(ctx, session_id, async (session) => timelineOf(session, await past.timeline(session))),
    export: ({ session_id, ...input }, { eyes }) =>
      onSession(ctx, session_id, (session) => exported(past, session, input, eyes)),
    search: (input, { eyes }) => past.work(() => found(ctx, input, eyes)),
  };
}

function timelineOf(session: Session, timeline: Timeline) {
  const { files, size } = session.display.past;
  const { ended_at, exit_code, signal } = session.info();
  return {
    session_id: session.id,
    started_at: timeline.startedAt,
    ended_at,
    latest_at: timeline.latest,
    total_bytes: files.outputSize(),
    ...size,
    marks: timeline.marks(MARKS_MAX).map(({ cursor, ts }) => ({ cursor, ts })),
    resizes: timeline.resizes.map(({ cursor, ts, cols, rows }) => ({ cursor, ts, cols, rows })),
    exit_code,
    signal,
  };
}

async function exported(
  past: PastReader,
  session: Session,
  input: Omit<Input<"export">, "session_id">,
  eyes: Redactor | undefined,
) {
  const timeline = await past.timeline(session);
  const from = await past.target(session, input.from ?? 0, timeline);
  if (isFault(from)) return from;
  const to = await past.target(session, input.to ?? session.display.past.files.outputSize(), timeline);
  if (isFault(to)) return to;
  const range = { from: from.cursor, to: to.cursor };
  const byFormat = eyes && input.format === "cast" ? session.display.byteEyes.now : eyes;
  const spec = { format: input.format, after: input.after, eyes: byFormat, ...range };
  const part = await past.work(() => exportPart(session.display.past, timeline, spec));
  return isFault(part) ? part : { session_id: session.id, format: input.format, ...range, ...part };
}

async function found(ctx: Context, input: Input<"search">, eyes: Redactor | undefined) {
  const { session_id, after, ...spec } = input;
  const one = session_id === undefined ? undefined : await ctx.sessions.awake(session_id);
  if (isFault(one)) return one;
  const place = after === undefined ? undefined : readPlace(after);
  if (after !== undefined && !place)
    return fault("input.invalid", `"${after}" is not a place to go on from`, "Give `next` back as it is.");
  // The order stays the same from call to call.
  const all = ctx.sessions.list().sort((a, b) => b.meta.created_at - a.meta.created_at || (a.id < b.id ? -1 : 1));
  const [first] = one ? [one] : all;
  if (!first) return { matches: [], truncated: false, next: null };
  const sessions = (one ? [one] : all).map((session) => {
    const { files, pieces } = session.display.past;
    return { id: session.id, files, pieces, eyes: eyes && session.display.byteEyes.now };
  });
  const result = await search(sessions, first.display.past.clock, { ...spec, after: place });
  if (isFault(result)) return result;
  const next = result.next && writePlace(result.next);
  return { matches: result.matches, truncated: next !== null, next };
}

function writePlace({ session_id, from, to, given }: SearchPlace): string {
  return [session_id, from, to, given].join(":");
}

function readPlace(text: string): SearchPlace | undefined {
  const parts = /^(s_\w{8}):(\d{1,16}):(\d{1,16}):(\d{1,16})$/.exec(text);
  if (!parts?.[1]) return undefined;
  return { session_id: parts[1], from: Number(parts[2]), to: Number(parts[3]), given: Number(parts[4]) };
}

function stateAt(session: Session, { cursor, until }: PastTarget, timeline: Timeline) {
  const { exit } = timeline;
  const ended = exit ? cursor >= exit.cursor && (until ?? exit.ts) >= exit.ts : cursor >= session.info().cursor;
  return session.over && !ended ? "running" : session.state;
}
