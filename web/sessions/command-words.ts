// How a command went, in a word, the same wherever it is said. Pure.
import { isStopped } from "../../src/core/base/stopped.ts";
import type { Block } from "../../src/protocol/ops/blocks.ts";

/** The signals that people meet. Others are shown by number. */
const SIGNALS: Readonly<Record<number, string>> = {
  1: "SIGHUP",
  2: "SIGINT",
  3: "SIGQUIT",
  4: "SIGILL",
  6: "SIGABRT",
  8: "SIGFPE",
  9: "SIGKILL",
  11: "SIGSEGV",
  13: "SIGPIPE",
  14: "SIGALRM",
  15: "SIGTERM",
};

/** 128 and SIGINT: somebody pressed Ctrl+C. */
const INTERRUPTED = 130;

interface Status {
  readonly glyph: string;
  readonly tone: "ok" | "fail" | "run" | "lost";
  readonly word: string;
}

export function statusOf({ state, exit_code }: Pick<Block, "state" | "exit_code">): Status {
  switch (state) {
    case "running":
      return { glyph: "◐", tone: "run", word: "running" };
    case "done":
      return { glyph: "✓", tone: "ok", word: "exit 0" };
    case "failed":
      if (isStopped(exit_code)) return { glyph: "‖", tone: "lost", word: "stopped" };
      if (exit_code === INTERRUPTED) return { glyph: "✗", tone: "lost", word: "interrupted" };
      return { glyph: "✗", tone: "fail", word: exitWord(exit_code) };
    case "lost":
      return { glyph: "?", tone: "lost", word: "lost" };
    default:
      return state satisfies never;
  }
}

function exitWord(exit_code: number | null): string {
  if (exit_code === null) return "exit unknown";
  const signal = exit_code > 128 ? SIGNALS[exit_code - 128] : undefined;
  return signal ? `exit ${exit_code} ${signal}` : `exit ${exit_code}`;
}
