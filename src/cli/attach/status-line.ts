// The line below a session: who works here, who has the keyboard, what runs, open questions, keys. Pure: a state becomes text of
// exactly the terminal's width. Refuses: control characters, whatever an agent or a program put into a name.
import { wants } from "../../core/base/question-words.ts";
import type { Mode } from "../../protocol/words/policy.ts";
import { visible } from "../text/harmless.ts";
import { cut } from "../text/width.ts";
import { agentTexts, isAtWork, isResting } from "./agent-status.ts";
import { lineOf, type Piece, STYLE } from "./pieces.ts";
import { type LineView, leftOf, QUESTION_ROWS_MIN, readingOf } from "./question.ts";
import { type AttachState, agentHolds, calledBy, isTalking, proposed } from "./state.ts";
import { keysNow, keysWeight } from "./status-keys.ts";

/** Time to read a notice. */
export const NOTICE_MS = 8_000;

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
export function statusLine(state: AttachState, view: LineView): string {
  const pieces: Piece[] = [
    ...machineOf(state),
    { ...MODES[state.mode], weight: 78 },
    ...asking(state, view),
    ...agentOf(state),
    ...(state.over ? [] : [keyboardOf(state)]),
    programOf(state),
    ...elsewhereOf(state),
    ...guestsOf(state),
    ...noticeOf(state, view),
    ...clipOf(view),
    {
      texts: keysNow(state, readingOf(state, view), view.prompt ?? "empty"),
      weight: keysWeight(state),
      sgr: STYLE.plain,
      side: "right",
    },
  ];
  return lineOf(pieces, view.cols);
}

/** Whoever types must know where it goes. */
function machineOf({ host }: AttachState): Piece[] {
  if (host === undefined) return [];
  return [
    { texts: [` on ${cut(host, 24)} `, ` ${cut(host, 12)} `, ` ${cut(host, 6)} `], weight: 86, sgr: STYLE.strong },
  ];
}

function asking(state: AttachState, view: LineView): Piece[] {
  const count = state.approvals.length;
  if (count === 0) return [];
  const approval = proposed(state);
  if (!approval) {
    const badge = state.role === "person" ? `${count} asks: Ctrl+Y to look` : `${count} asks`;
    return [{ texts: [` ${badge} `, ` ${count} asks `, ` ${count}? `], weight: 85, sgr: STYLE.alert }];
  }
  if (view.rows >= QUESTION_ROWS_MIN) return [];
  const left = leftOf(approval, state, view.now);
  const text = visible(approval.text);
  return [
    {
      texts: [` ${cut(visible(calledBy(approval.actor)), 12)} ${wants(approval)}: `, " ? "],
      weight: 45,
      sgr: STYLE.alert,
    },
    { texts: [cut(text, 40), cut(text, 20), cut(text, 8)], grows: text, weight: 85, sgr: STYLE.strong },
    { texts: [left, ""], weight: 42, sgr: STYLE.alert },
  ];
}

function keyboardOf(state: AttachState): Piece {
  const { hold, reason, note } = state;
  const who = visible(calledBy(hold));
  // Whoever types knows it.
  const why = reason && !(hold === "person" && reason === "typing") ? ` (${REASONS[reason]})` : "";
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

function programOf({ state, echo, program, command, over, cli }: AttachState): Piece {
  if (over) return { texts: [` ${over} `, ` ${cut(over, 20)} `], weight: 90, sgr: STYLE.strong };
  const name = visible(program ?? "");
  const line = visible(command ?? "");
  if (state === "waiting_for_input" && echo === "off")
    return { texts: [" waits for you: password ", " password ", " pw "], weight: 88, sgr: STYLE.alert };
  if (state === "lost")
    return {
      texts: [" lost: duetty restore starts it again ", " lost: duetty restore ", " lost "],
      weight: 75,
      sgr: STYLE.strong,
    };
  if (state === "done" || state === "failed") return { texts: [` ${state} `, ""], weight: 65, sgr: STYLE.strong };
  if (cli) {
    const said = visible(cli.words);
    const texts = [60, 40, 24, 12].map((width) => ` ${cut(said, width)} `);
    return { texts, weight: cli.asks ? 75 : 40, sgr: cli.asks ? STYLE.alert : STYLE.plain };
  }
  const waits = state === "waiting_for_input" ? " waits" : "";
  const texts = [
    ...(line ? [` ${cut(line, 40)}${waits} `] : []),
    ` ${cut(name, 20)}${waits} `,
    ` ${cut(name, 10)} `,
    "",
  ];
  return { texts: name || line ? texts : [""], weight: 40, sgr: STYLE.plain };
}

/** What waits in other sessions: how much, and the oldest. */
function elsewhereOf({ elsewhere }: AttachState): Piece[] {
  const [first] = elsewhere;
  if (!first) return [];
  const count = elsewhere.length;
  const needs = count === 1 ? "1 needs you" : `${count} need you`;
  const what = cut(visible(`${first.label ? `${first.label}: ` : ""}${first.title}`), 40);
  const texts = [` ${needs}: ${what}  Ctrl+^ next `, ` ${needs}  Ctrl+^ next `, ` ${needs} `, ` +${count} `];
  return [{ texts, weight: 76, sgr: STYLE.alert }];
}

/** The others whom the person let in. */
function guestsOf({ guests }: AttachState): Piece[] {
  if (guests.length === 0) return [];
  const names = visible(guests.join(", "));
  return [{ texts: [` with ${cut(names, 30)} `, ` +${guests.length} `, ""], weight: 55, sgr: STYLE.strong }];
}

/** It answers what the person did a moment ago, so it goes before what may wait. */
function noticeOf({ notice }: AttachState, { at }: LineView): Piece[] {
  if (!notice || at - notice.at >= NOTICE_MS) return [];
  const text = visible(notice.text);
  return [
    { texts: [` ${cut(text, 80)} `, ` ${cut(text, 40)} `, ` ${cut(text, 16)} `, ""], weight: 77, sgr: STYLE.strong },
  ];
}

function clipOf({ clippedFrom }: LineView): Piece[] {
  if (!clippedFrom) return [];
  const size = `${clippedFrom.cols}x${clippedFrom.rows}`;
  return [{ texts: [` part of ${size} `, ` ${size} `, ""], weight: 20, sgr: STYLE.plain }];
}
