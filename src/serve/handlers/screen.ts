// Operations that read a screen and act on it.
import type * as z from "zod";
import { type Fault, isFault } from "../../core/base/fault.ts";
import { actorName } from "../../core/gate/actor.ts";
import type { InputSpec } from "../../core/screen/input/input.ts";
import type { Change, News } from "../../core/screen/looks.ts";
import { enteredLines } from "../../core/screen/wait/echo.ts";
import type { Session } from "../../core/session/session.ts";
import { ScreenDelta } from "../../protocol/ops/deltas.ts";
import type { Show, Wait } from "../../protocol/ops/drive.ts";
import type { Input } from "../../protocol/ops.ts";
import type { Call } from "../auth.ts";
import { type Context, type Handlers, lookerOf, onSession, withNote } from "./context.ts";
import { contentOf, regionOf } from "./formats.ts";
import type { PastReader } from "./time.ts";

/** A send that waits for nothing waits this long for a person's yes. */
const APPROVAL_MS = 30_000;

/** A program that shows what was typed does so by then. An agent that waits for nothing still wants to see it. */
const ECHO: Wait = { any: [{ change: true }], timeout_ms: 100 };
const UNASKED = { outcome: "matched", matched: null, matched_at_entry: false } as const;

type Mine = Pick<
  Handlers,
  "pty_read_screen_deltas" | "pty_screen_status" | "pty_read_screen" | "pty_prompt" | "pty_send" | "pty_wait"
>;

export function screenHandlers(ctx: Context, past: PastReader): Mine {
  return {
    pty_read_screen: ({ session_id, at, ...options }, call) =>
      onSession(ctx, session_id, async (session) =>
        at === undefined ? readScreen(session, options, call) : past.see(session, at, options, call.eyes),
      ),
    pty_screen_status: ({ session_id }, { eyes }) =>
      onSession(ctx, session_id, async (session) => {
        const { rows, scrollback, ...rest } = await session.see({ scrollback: 0, eyes });
        return rest;
      }),
    pty_read_screen_deltas: ({ session_id, cursor, limit }) =>
      onSession(ctx, session_id, async (session) => {
        const { lines, next, size } = await session.display.screenFiles.read(cursor, limit);
        const deltas = lines.filter((line) => ScreenDelta.safeParse(line).success) as z.output<typeof ScreenDelta>[];
        return { session_id: session.id, deltas, cursor, resume_cursor: next, file_size: size };
      }),
    pty_send: ({ session_id, then, description, confidence, show, ...input }, call) =>
      onSession(ctx, session_id, async (session) => {
        const { actor, cancelled } = call;
        const { fed } = session.display;
        const timeout_ms = then?.timeout_ms ?? APPROVAL_MS;
        const intent = { description, confidence, timeout_ms, approval_ms: call.approvalWaitMs };
        // At a prompt the shell is asked about the line meanwhile.
        const isSeen = then !== undefined || actor.kind === "person" || session.commands.blocks.atPrompt;
        const wait = isSeen ? then && { ...then, eyes: call.eyes } : ECHO;
        const sent = await session.send({ actor, input: withMouse(input), intent, then: wait, cancelled });
        // Who waited for nothing may wait for the result in another call.
        session.looks.reached(lookerOf(call), then ? session.display.fed : fed);
        const [entered] = enteredLines(input);
        return withScreen(session, isSeen || isFault(sent) ? sent : UNASKED, { show, entered }, call);
      }),
    pty_prompt: ({ session_id, description, confidence, ...wish }, call) =>
      onSession(ctx, session_id, async (session) => {
        const { actor, cancelled, eyes } = call;
        const intent = { description, confidence, timeout_ms: APPROVAL_MS, approval_ms: call.approvalWaitMs };
        const prompted = await session.prompt({ ...wish, actor, intent, cancelled });
        if (isFault(prompted)) return prompted;
        const seen = prompted.outcome === "began" ? {} : { screen: await session.see({ scrollback: 0, eyes }) };
        return withNote(session, call, { session_id: session.id, ...prompted, ...seen });
      }),
    pty_wait: ({ session_id, show, ...wait }, call) =>
      onSession(ctx, session_id, async (session) => {
        const { actor, eyes, cancelled } = call;
        // People look at the page meanwhile: what is new to them nobody knows.
        const looked = actor.kind === "agent" ? session.looks.from(lookerOf(call)) : undefined;
        const waited = await session.wait({ ...wait, by: actorName(actor), eyes }, cancelled, looked);
        // What comes after this moment may be on the screen below, and still counts for the next wait.
        if (!isFault(waited)) session.looks.reached(lookerOf(call), session.display.fed);
        return withScreen(session, waited, { show }, call);
      }),
  };
}

async function readScreen(
  session: Session,
  { format, rows, ...options }: Omit<Input<"pty_read_screen">, "session_id" | "at">,
  call: Call,
) {
  const { actor, eyes, surface } = call;
  const region = rows === undefined ? undefined : regionOf(rows, session.info().rows);
  const screen = await session.see({ ...options, region, eyes });
  // Who looks at a page is one of the viewers. What its board reads, nobody has looked at.
  if (actor.kind === "person" && surface !== "page") session.display.viewers.saw();
  if (!region) session.looks.reached(lookerOf(call), screen.cursor_bytes);
  if (!region && !screen.unchanged) session.looks.note(lookerOf(call), screen);
  if (format === "json" || screen.unchanged) return screen;
  const { screen: whole } = await session.display.ready();
  return { ...screen, content: contentOf(format, screen, eyes ? whole.seenBy(eyes) : whole, region) };
}

/** The short forms of a click and a turn of the wheel. */
function withMouse({
  click,
  scroll,
  ...input
}: Omit<Input<"pty_send">, "session_id" | "then" | "show" | "description" | "confidence">): InputSpec {
  const cell = /^(\d{1,3}),(\d{1,3})$/.exec(click ?? "");
  const at = cell ? { row: Number(cell[1]), col: Number(cell[2]) } : { text: click ?? "" };
  if (click !== undefined) return { ...input, mouse: { action: "click", at } };
  if (!scroll) return input;
  const action = scroll > 0 ? "scroll_down" : "scroll_up";
  return { ...input, mouse: { action, at: { row: 0, col: 0 }, count: Math.abs(scroll) } };
}

/** How much of the screen is told, and the line that the caller typed. */
interface Showing {
  readonly show: Show;
  readonly entered?: string | undefined;
}

type Seen = Awaited<ReturnType<Session["see"]>>;
interface WithScreen {
  readonly screen: Seen;
  readonly changes?: Change[];
  readonly whole?: true;
  readonly missed_lines?: number;
  readonly cursor: number;
  readonly exit_code?: number | null;
  readonly hint?: string;
}

async function withScreen<T extends { readonly matched: string | null }>(
  session: Session,
  result: T | Fault,
  wish: Showing,
  call: Call,
) {
  if (isFault(result)) return result;
  const screen = await session.see({ scrollback: 0, eyes: call.eyes });
  const shown = { screen, cursor: screen.cursor_bytes, ...partOf(session, screen, wish, result.matched, call) };
  return withNote<T & WithScreen>(session, call, { ...result, ...shown, ...exitOf(session, result.matched) });
}

/** How the program ended, or the command before the prompt that was waited for. */
function exitOf(session: Session, matched: string | null): { readonly exit_code?: number | null } {
  const { exit_code } = session.info();
  if (exit_code !== null) return { exit_code };
  const { last, running } = session.commands.blocks;
  const isOver = matched === "block_end" || matched === "prompt";
  return isOver && last && !running ? { exit_code: last.exit_code } : {};
}

/** What an answer has instead of the whole screen. Only what is shown counts as seen. */
function partOf(session: Session, screen: Seen, { show, entered }: Showing, matched: string | null, call: Call) {
  const { rows, ...rest } = screen;
  const bare = { ...rest, rows: [] };
  switch (show) {
    case "screen":
      session.looks.note(lookerOf(call), screen);
      return {};
    case "changes":
      return { screen: bare, ...news(session.looks.note(lookerOf(call), screen, entered)) };
    case "match": {
      // Of several rows with it, the newest.
      const row = matched ? rows.findLastIndex((text) => text.includes(matched)) : -1;
      return { screen: bare, changes: row < 0 ? [] : [{ row, text: rows[row] ?? "" }] };
    }
    case "none":
      return { screen: bare, changes: [] };
  }
}

function news({ changes, whole, missed_lines }: News) {
  return { changes, ...(whole ? { whole } : {}), ...(missed_lines > 0 ? { missed_lines } : {}) };
}
