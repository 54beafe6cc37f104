// The line below a session: who works here, who has the keyboard, what runs, open questions, keys. And the
// line above it with what an agent proposes. Pure: a state becomes text of exactly the terminal's width.
// Refuses: control characters, whatever an agent or a program put into a name.

import { cellWidth } from "../../core/base/cell-width.ts";
import type { Approval } from "../../protocol/ops/gate.ts";
import type { Mode } from "../../protocol/words/policy.ts";
import { visible } from "../text/harmless.ts";
import { cut, textWidth, wrapped } from "../text/width.ts";
import { agentTexts, isAtWork, isResting } from "./agent-status.ts";
import { type AttachState, agentHolds, calledBy, isTalking, proposed } from "./state.ts";
import { keysNow, keysWeight, type PromptText, type Proposal } from "./status-keys.ts";

/** A smaller terminal keeps its rows for the program. Then the proposal is in the status line. */
const PROPOSAL_ROWS_MIN = 8;
/** Time to read a notice. */
export const NOTICE_MS = 8_000;

export interface LineView {
  readonly cols: number;
  /** Rows of the terminal. */
  readonly rows: number;
  /** Milliseconds since the epoch, for expiry times. */
  readonly now: number;
  /** Monotonic, for how long something was shown. */
  readonly at: number;
  /** The session's size when it does not fit. */
  readonly clippedFrom: { readonly cols: number; readonly rows: number } | undefined;
  readonly prompt?: PromptText;
}

/** A piece of a line. Pieces are shortened step by step, the smallest weight first. */
interface Piece {
  /** Longest first; "" drops it. */
  readonly texts: readonly string[];
  readonly weight: number;
  readonly sgr: string;
  /** Fills the remaining room. */
  readonly grows?: string;
  readonly side?: "right";
}

/** A form loses this much weight for each shorter form that exists. */
const STEP_WEIGHT = 15;
const BASE = "\x1b[0;7m";
const STYLE = { plain: "0;7", strong: "0;1;7", alert: "0;1;30;43", agent: "0;1;30;45", both: "0;1;30;42" } as const;
const MODES: Readonly<Record<Mode, { texts: readonly string[]; sgr: string }>> = {
  terminal: { texts: [" Terminal ", " T "], sgr: "0;1;30;46" },
  agent_terminal: { texts: [" Shared ", " S "], sgr: STYLE.both },
  agent: { texts: [" Agent ", " A "], sgr: STYLE.agent },
};
const REASONS: Readonly<Record<NonNullable<AttachState["reason"]>, string>> = {
  typing: "typing",
  manual: "taken",
  stop: "stopped",
  handed_over: "handed over",
  approval_pending: "asks",
  echo_off: "password",
};
const VERBS: Readonly<Record<Approval["kind"], string>> = {
  run: "wants to run",
  keys: "wants to type",
  open: "wants to open",
  tool: "wants to use its own tool",
  password: "needs a password typed",
  choice: "asks you to choose",
  take_over: "asks you to take over",
  message: "says",
};

export function statusLine(state: AttachState, view: LineView): string {
  return statusWith(state, view, isReadable(state, view) ? "whole" : "cut");
}

/** Whether the whole proposal is visible. Nobody should agree to what they cannot see. */
export function isReadable(state: AttachState, view: LineView): boolean {
  const approval = proposed(state);
  if (!approval) return true;
  const text = visible(approval.text);
  if (view.rows < PROPOSAL_ROWS_MIN) return withoutStyle(statusWith(state, view, "whole")).includes(text);
  return wrapped(text, view.cols).length <= proposalRowsMax(view) - 1;
}

function statusWith(state: AttachState, view: LineView, proposal: Proposal): string {
  const pieces: Piece[] = [
    { ...MODES[state.mode], weight: 78 },
    ...asking(state, view),
    ...agentOf(state),
    keyboardOf(state),
    programOf(state),
    ...noticeOf(state, view),
    ...clipOf(view),
    {
      texts: keysNow(state, proposal, view.prompt ?? "empty"),
      weight: keysWeight(state),
      sgr: STYLE.plain,
      side: "right",
    },
  ];
  return lineOf(pieces, view.cols);
}

/** The agent's proposal: one line, or several when the text needs them. */
export function proposalLines(state: AttachState, view: LineView): string[] {
  const approval = proposed(state);
  if (!approval || view.rows < PROPOSAL_ROWS_MIN) return [];
  const text = visible(approval.text);
  const line = proposalLine(approval, state, view, text);
  if (withoutStyle(line).includes(text)) return [line];
  const rows = wrapped(text, view.cols);
  const max = proposalRowsMax(view) - 1;
  const shown = rows.length > max ? [...rows.slice(0, max - 1), cut(`${rows[max - 1]}…`, view.cols)] : rows;
  const below = shown.map((row) => lineOf([{ texts: [row], weight: 0, sgr: STYLE.strong }], view.cols));
  return [proposalLine(approval, state, view, ""), ...below];
}

/** Half of the terminal stays the program's. */
function proposalRowsMax({ rows }: LineView): number {
  return rows >> 1;
}

function proposalLine(approval: Approval, state: AttachState, view: LineView, text: string): string {
  const rule = visible([approval.risk, approval.rule].filter(Boolean).join(", "));
  const into = approval.kind === "keys" && approval.program ? ` into ${visible(approval.program)}` : "";
  const who = visible(calledBy(approval.actor));
  const verb = VERBS[approval.kind];
  const pieces: Piece[] = [
    {
      texts: [` ${who} ${verb}${into}: `, ` ${cut(who, 12)} ${verb}: `, ` ${cut(who, 8)}: `, " ? "],
      weight: 70,
      sgr: STYLE.alert,
    },
    { texts: [cut(text, 60), cut(text, 24), cut(text, 8)], grows: text, weight: 80, sgr: STYLE.strong },
    { texts: [approval.class ? ` ${approval.class} ` : "", ""], weight: 75, sgr: STYLE.alert },
    { texts: [rule && ` (${rule}) `, ""], weight: 30, sgr: STYLE.plain },
    { texts: [leftOf(approval, state, view.now), ""], weight: 58, sgr: STYLE.alert, side: "right" },
  ];
  return lineOf(pieces, view.cols);
}

function asking(state: AttachState, view: LineView): Piece[] {
  const count = state.approvals.length;
  if (count === 0) return [];
  const approval = proposed(state);
  if (!approval) {
    const badge = state.role === "person" ? `${count} asks: Ctrl+Y to look` : `${count} asks`;
    return [{ texts: [` ${badge} `, ` ${count} asks `, ` ${count}? `], weight: 85, sgr: STYLE.alert }];
  }
  if (view.rows >= PROPOSAL_ROWS_MIN) return [];
  const left = leftOf(approval, state, view.now);
  const text = visible(approval.text);
  return [
    {
      texts: [` ${cut(visible(calledBy(approval.actor)), 12)} ${VERBS[approval.kind]}: `, " ? "],
      weight: 45,
      sgr: STYLE.alert,
    },
    { texts: [cut(text, 40), cut(text, 20), cut(text, 8)], grows: text, weight: 85, sgr: STYLE.strong },
    { texts: [left, ""], weight: 42, sgr: STYLE.alert },
  ];
}

/** How many more questions there are, and how long this one can still be answered. */
function leftOf({ expires_at }: Approval, { approvals }: AttachState, now: number): string {
  const seconds = `${Math.max(0, Math.ceil((expires_at - now) / 1_000))} s`;
  return approvals.length > 1 ? ` ${seconds}, ${approvals.length - 1} more ` : ` ${seconds} `;
}

function keyboardOf(state: AttachState): Piece {
  const { hold, reason, note } = state;
  const who = visible(calledBy(hold));
  const why = reason ? ` (${REASONS[reason]})` : "";
  const said = note ? ` "${cut(visible(note), 40)}"` : "";
  // After its turn an agent may still have the keyboard without typing.
  const does = isResting(state.agent, hold) ? "has the keyboard" : "types";
  const sgr = agentHolds(state) && does === "types" ? STYLE.agent : STYLE.plain;
  const mine = hold === "person" ? "you have the keyboard" : hold === "nobody" ? "keyboard free" : `${who} ${does}`;
  const short = hold === "person" ? "you" : hold === "nobody" ? "free" : cut(who, 10);
  return {
    texts: [` ${mine}${why}${said} `, ` ${mine}${why} `, ` ${cut(mine, 24)} `, ` ${short} `, ""],
    weight: 70,
    sgr,
  };
}

/** What the agent asked here is doing. */
function agentOf(state: AttachState): Piece[] {
  const { agent, mode } = state;
  if (!agent || (!isAtWork(agent) && !isTalking(state))) return [];
  const see = agent.suggests === "terminal" && mode === "agent" ? [" full-screen program: Ctrl+T to see it "] : [];
  const texts = agentTexts(agent).map((text) => ` ${cut(visible(text), 40)} `);
  const sgr = isAtWork(agent) ? STYLE.agent : STYLE.plain;
  return [
    { texts: [...texts, ""], weight: 72, sgr },
    ...see.map((text) => ({ texts: [text, " Ctrl+T "], weight: 74, sgr: STYLE.alert })),
  ];
}

function programOf({ state, echo, program, command }: AttachState): Piece {
  const name = visible(program ?? "");
  const line = visible(command ?? "");
  if (state === "waiting_for_input" && echo === "off")
    return { texts: [" waits for you: password ", " password ", " pw "], weight: 88, sgr: STYLE.alert };
  if (state === "done" || state === "failed" || state === "lost")
    return { texts: [` ${state} `, ""], weight: 65, sgr: STYLE.strong };
  const waits = state === "waiting_for_input" ? " waits" : "";
  const texts = [
    ...(line ? [` ${cut(line, 40)}${waits} `] : []),
    ` ${cut(name, 20)}${waits} `,
    ` ${cut(name, 10)} `,
    "",
  ];
  return { texts: name || line ? texts : [""], weight: 40, sgr: STYLE.plain };
}

function noticeOf({ notice }: AttachState, { at }: LineView): Piece[] {
  if (!notice || at - notice.at >= NOTICE_MS) return [];
  const text = visible(notice.text);
  return [
    { texts: [` ${cut(text, 80)} `, ` ${cut(text, 40)} `, ` ${cut(text, 16)} `, ""], weight: 60, sgr: STYLE.strong },
  ];
}

function clipOf({ clippedFrom }: LineView): Piece[] {
  if (!clippedFrom) return [];
  const size = `${clippedFrom.cols}x${clippedFrom.rows}`;
  return [{ texts: [` part of ${size} `, ` ${size} `, ""], weight: 20, sgr: STYLE.plain }];
}

function lineOf(pieces: readonly Piece[], cols: number): string {
  const steps = pieces.map(() => 0);
  const textAt = (i: number) => pieces[i]?.texts[steps[i] ?? 0] ?? "";
  const total = () => pieces.reduce((sum, _, i) => sum + textWidth(textAt(i)), 0);
  for (;;) {
    const excess = total() - cols;
    if (excess <= 0) break;
    const shrinkable = pieces.flatMap((piece, i) => {
      const left = piece.texts.length - 1 - (steps[i] ?? 0);
      // The last form of a piece is worth more than a longer one.
      return left > 0 ? [{ i, worth: piece.weight - STEP_WEIGHT * (left - 1) }] : [];
    });
    const [first] = shrinkable.sort((a, b) => a.worth - b.worth);
    if (!first) break;
    steps[first.i] = (steps[first.i] ?? 0) + 1;
  }
  const room = cols - total();
  const texts = pieces.map((piece, i) =>
    piece.grows === undefined ? textAt(i) : cut(piece.grows, textWidth(textAt(i)) + Math.max(0, room)),
  );
  return joined(pieces, texts, cols);
}

function joined(pieces: readonly Piece[], texts: readonly string[], cols: number): string {
  const used = texts.reduce((sum, text) => sum + textWidth(text), 0);
  const gap = " ".repeat(Math.max(0, cols - used));
  const right = pieces.findIndex(({ side }) => side === "right");
  const styled = pieces.map(({ sgr }, i) => {
    const before = i === right ? `${BASE}${gap}` : "";
    return { lead: `${before}\x1b[${sgr}m`, text: texts[i] ?? "" };
  });
  let [line, width] = ["", right < 0 ? 0 : gap.length];
  for (const { lead, text } of styled) {
    line += lead;
    for (const char of text) {
      // Nothing can be shortened any more, so the edge cuts.
      if (width + cellWidth(char) > cols) break;
      line += char;
      width += cellWidth(char);
    }
  }
  return `${line}${" ".repeat(Math.max(0, cols - width))}\x1b[m`;
}

function withoutStyle(line: string): string {
  return line.replace(/\x1b\[[\d;]*m/g, "");
}
