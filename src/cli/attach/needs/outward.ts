// What this terminal, or the multiplexer that it is a pane of, is told of needs in other sessions. Pure. Texts come from the daemon
// in one line without controls; what a sequence is made of is taken out once more.
import { noticeOf } from "../../../core/base/question-words.ts";
import { placeOf } from "../../../protocol/plain/host-place.ts";
import type { Need, TerminalNotice } from "../../../protocol/words/need.ts";
import { visible } from "../../text/harmless.ts";

/** Which multiplexer this terminal is a pane of. */
export type Pane = "tmux" | "other" | "none";

const [ST, BEL] = ["\x1b\\", "\x07"];
const TEXT_CHARS_MAX = 200;

export function paneIn(env: Readonly<Record<string, string | undefined>>): Pane {
  if (env.TMUX) return "tmux";
  return env.ZELLIJ || env.HERDR || env.HERDR_PANE_ID ? "other" : "none";
}

/** For a need that is new. tmux drops notifications, and rings. */
export function noticeBytes(need: Need, how: readonly TerminalNotice[], pane: Pane): string {
  const { body } = noticeOf(need);
  const [head, rest] = [textOf(titleOf(need)), textOf(body)];
  const isPassed = pane !== "tmux";
  const osc9 = isPassed && how.includes("osc9") ? `\x1b]9;${head}: ${rest}${ST}` : "";
  const osc777 = isPassed && (how.includes("osc777") || pane === "other") ? `\x1b]777;notify;${head};${rest}${ST}` : "";
  return osc9 + osc777 + (how.includes("bell") ? BEL : "");
}

/** For a pane: what of all sessions needs the person. Empty where there is no multiplexer. */
export function paneBytes(needs: readonly Need[], label: string, pane: Pane): string {
  if (pane === "none") return "";
  const [first] = needs;
  const title = first ? `(${needs.length}) ${textOf(titleOf(first))}` : `duetty: ${textOf(label)}`;
  const named = `\x1b]2;${title}${ST}`;
  if (pane === "tmux") return named;
  // 9;4: paused, or nothing. 7501: what a program says of itself.
  const said = first
    ? `blocked:app=duetty:msg=${Buffer.from(textOf(titleOf(first))).toString("base64")}`
    : "idle:app=duetty";
  return `${named}\x1b]9;4;${first ? "4;100" : "0;0"}${ST}\x1b]7501;state=${said}${ST}`;
}

/** When we leave. */
export function paneRestored(pane: Pane): string {
  if (pane === "none") return "";
  return `\x1b]2;${ST}${pane === "other" ? `\x1b]9;4;0;0${ST}` : ""}`;
}

/** Of another machine it says which. */
function titleOf(need: Need): string {
  const host = placeOf(need.session_id ?? need.approval_id)?.host;
  const { title } = noticeOf(need);
  return host === undefined ? title : `${host}: ${title}`;
}

function textOf(text: string): string {
  return visible(text).replaceAll(";", ",").slice(0, TEXT_CHARS_MAX);
}
