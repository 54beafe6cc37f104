// xterm repeats some sequences as often as their parameter says. CSI 2147483647 L takes hours, REP as much
// memory. Repeating more often than the screen's size changes nothing, so we clamp larger parameters to it.
import type { IDisposable, Terminal } from "@xterm/xterm";

/** Ten times the largest screen. xterm handles that itself in 25 ms at worst. */
const REPEATS_MAX = 10_000;
/** What the daemon's engine makes of any larger REP, so that both end in the same column. */
const REP_MAX = 65_535;

type Repeat = (params: { readonly params: readonly number[]; readonly length: number }) => boolean;
/** xterm's own handlers, which its public API can replace but not call. Read from 6.0.0. */
type Handlers = Readonly<Record<string, Repeat | undefined>>;

const REPEATERS = [
  { final: "L", handler: "insertLines", most: "rows" },
  { final: "M", handler: "deleteLines", most: "rows" },
  { final: "S", handler: "scrollUp", most: "rows" },
  { final: "T", handler: "scrollDown", most: "rows" },
  { final: "@", handler: "insertChars", most: "cols" },
  { final: "P", handler: "deleteChars", most: "cols" },
  { final: "X", handler: "eraseChars", most: "cols" },
  { final: "I", handler: "cursorForwardTab", most: "cols" },
  { final: "Z", handler: "cursorBackwardTab", most: "cols" },
  { final: "b", handler: "repeatPrecedingCharacter", most: "many" },
] as const;

export function clamp(terminal: Terminal): IDisposable[] {
  const handlers = (terminal as unknown as { _core: { _inputHandler?: Handlers } })._core._inputHandler;
  return REPEATERS.map(({ final, handler, most }) =>
    terminal.parser.registerCsiHandler({ final }, ([first]) => {
      if (typeof first !== "number" || first <= REPEATS_MAX) return false;
      const { cols, rows } = terminal;
      const times = { rows, cols, many: Math.min(first, REP_MAX) }[most];
      // Without the handler the sequence is dropped: a wrong line is better than a page that hangs.
      handlers?.[handler]?.({ params: [times], length: 1 });
      return true;
    }),
  );
}
