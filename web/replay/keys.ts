// The keys of a replay, the usual ones of terminal players. Owns: which key does what, and their descriptions.
import type { Replay } from "./replay.ts";

const JUMP_MS = 5_000;
const PART = 0.01;
/** Right after a mark, "previous mark" means the one before it. */
const JUST_MS = 500;

export const KEYS: readonly (readonly [keys: string, does: string])[] = [
  ["Space", "play or pause"],
  ["← →", "5 seconds back or ahead"],
  ["Shift ← →", "1 % back or ahead"],
  [", .", "one frame back or ahead"],
  ["[ ]", "previous or next command"],
  ["0 – 9", "jump to 0–90 %"],
  ["Home End", "beginning, end"],
  ["+ −", "faster, slower"],
  ["f", "full screen"],
  ["?", "these keys"],
];

interface ReplayCommands {
  full(): void;
  help(): void;
}

/** Whether we used the key. */
export function pressed(event: KeyboardEvent, replay: Replay, does: ReplayCommands): boolean {
  if (event.ctrlKey || event.altKey || event.metaKey) return false;
  const { target, key } = event;
  if (target instanceof HTMLInputElement || target instanceof HTMLSelectElement) return false;
  // These keys press a focused button.
  if (target instanceof HTMLButtonElement && (key === " " || key === "Enter")) return false;
  const axis = replay.axis();
  const act = { ...commands(replay, does), ...jumps(replay, axis?.length_ms ?? 0, event.shiftKey) }[key];
  if (act) act();
  else if (/^\d$/.test(key) && axis) replay.goTo(axis.moment((axis.length_ms * Number(key)) / 10));
  else return false;
  return true;
}

type Table = Readonly<Record<string, (() => void) | undefined>>;

function commands(replay: Replay, does: ReplayCommands): Table {
  return {
    " ": () => (replay.facts.playing ? replay.pause() : replay.play()),
    ",": () => replay.step("previous"),
    ".": () => replay.step("next"),
    "[": () => toMark(replay, "previous"),
    "]": () => toMark(replay, "next"),
    "+": () => replay.faster(1),
    "=": () => replay.faster(1),
    "-": () => replay.faster(-1),
    f: () => does.full(),
    "?": () => does.help(),
  };
}

function jumps(replay: Replay, length_ms: number, shift: boolean): Table {
  const by = shift ? length_ms * PART : JUMP_MS;
  return {
    ArrowLeft: () => replay.jump(-by),
    ArrowRight: () => replay.jump(by),
    ArrowDown: () => replay.jump(-by),
    ArrowUp: () => replay.jump(by),
    PageUp: () => replay.jump(length_ms / 10),
    PageDown: () => replay.jump(-length_ms / 10),
    Home: () => replay.jump(-length_ms),
    End: () => replay.jump(length_ms),
  };
}

export function toMark(replay: Replay, towards: "next" | "previous"): void {
  const [axis, blocks] = [replay.axis(), replay.recording()?.blocks ?? []];
  if (!axis) return;
  const now = axis.played(replay.at);
  const begins = blocks.map(({ ts_begin }) => ts_begin);
  const to =
    towards === "next"
      ? begins.find((ts) => axis.played(ts) > now)
      : begins.findLast((ts) => axis.played(ts) < now - JUST_MS);
  replay.goTo(to ?? (towards === "next" ? axis.end : axis.start));
}
