// Keys of a caller, and what came of them: the wait that was asked for, or the shell's no to the line that they entered.
import { Cancel, type Cancelled } from "../base/cancellation.ts";
import { type Fault, isFault } from "../base/fault.ts";
import { type Actor, actorName } from "../gate/actor.ts";
import type { Intent } from "../gate/settle.ts";
import { engineAt } from "../past/past.ts";
import type { InputSpec } from "../screen/input/input.ts";
import { Screen } from "../screen/screen.ts";
import type { WaitSpec } from "../screen/wait/conditions.ts";
import type { Entry, WaitResult } from "../screen/wait/pending.ts";
import type { SessionPieces } from "./assembly.ts";
import type { Display } from "./display.ts";
import type { Playback } from "./playback.ts";

/** A shell asks about a line within milliseconds. Who does not wait for anything hears a no that comes within this time. */
const ASKED_MS = 1_000;

export interface Sending {
  readonly actor: Actor;
  readonly input: InputSpec;
  readonly intent: Intent;
  readonly then?: WaitSpec | undefined;
  readonly cancelled?: Cancelled | undefined;
}

type Pieces = Pick<SessionPieces, "commands" | "display" | "gate" | "halfLine" | "handOver" | "keyboard" | "program">;

export function send(pieces: Pieces, playback: Playback, sending: Sending): Promise<WaitResult | Fault | "shut"> {
  // A gate that asks and a program that is slow to answer take longer than a session is quiet.
  return pieces.display.life.keptFor(() => sent(pieces, playback, sending));
}

async function sent(pieces: Pieces, playback: Playback, sending: Sending): Promise<WaitResult | Fault | "shut"> {
  const { actor, input, intent, then, cancelled } = sending;
  const { display, handOver, keyboard, program } = pieces;
  const over = new Cancel();
  cancelled?.onCancel(() => over.end());
  let wait: Promise<WaitResult> | undefined;
  const eyes = then?.eyes ?? (actor.kind === "agent" ? display.eyes : undefined);
  const spec = then && { ...then, by: actorName(actor), eyes };
  const probe = await program.probe();
  handOver.saw(probe);
  const refusal = lineRefusal(pieces, actor, input);
  const typed = await keyboard.type(playback, { actor, input, intent, eyes, cancelled }, () => {
    const begun =
      spec && display.wait(spec, { before: playback.baseline(), now: playback.view(), follows: "input" }, over);
    if (isFault(begun)) return begun;
    wait = begun;
    if (probe.echo !== "off") display.typed(input);
    return undefined;
  });
  if (typed !== "typed") return typed;
  const refused = refusal?.(then?.timeout_ms ?? ASKED_MS, over).then(async (why) => why ?? wait);
  const outcome = await Promise.race(wait ? [wait, refused ?? wait] : [refused]);
  over.end();
  return outcome ?? { outcome: "matched", matched: null, matched_at_entry: false };
}

/**
 * Watches, from now on, what the shell is told about the line that an agent's keys enter at its prompt. A line that may not
 * run does not stay there: the same keys can be sent again, and nobody else's Enter runs it.
 */
function lineRefusal({ commands, gate, halfLine }: Pieces, actor: Actor, input: InputSpec) {
  const { blocks, lines } = commands;
  if (actor.kind !== "agent" || !blocks.atPrompt || blocks.nested || !enters(input)) return undefined;
  const { cycle } = blocks;
  const { count } = gate.agentLane.judged;
  const judged = () => {
    if (gate.agentLane.judged.count > count) return gate.agentLane.judged;
    return blocks.cycle === cycle && blocks.atPrompt ? undefined : ("runs" as const);
  };
  return async (timeout_ms: number, over: Cancelled): Promise<Fault | undefined> => {
    const found = await commands.until(judged, timeout_ms, over);
    if (typeof found === "string" || !found.refused) return undefined;
    if ((await lines.lift(found.text)) !== undefined) halfLine.gone();
    return found.refused;
  };
}

function enters({ text = "", paste = "", keys = [] }: InputSpec): boolean {
  return /[\r\n]/.test(text + paste) || keys.some((key) => /enter|return|ctrl\+[jmo]/i.test(key));
}

/** What a wait begins with: the screen now, or the screen at an earlier cursor and what came since. */
export async function entryOf(
  display: Display,
  asked: number | undefined,
  looked?: number,
): Promise<Omit<Entry, "follows">> {
  const playback = await display.ready();
  const since = asked ?? looked;
  if (since === undefined || since >= playback.fed) {
    const before = playback.baseline();
    return { before, now: before };
  }
  const engine = await engineAt(display.past, { cursor: since });
  try {
    const view = new Screen(engine).view();
    // Its engine is gone when somebody looks at it.
    const above = view.above();
    const then = { ...view, above: () => above };
    const before = then.alt_screen ? { ...then, under: engine.underneath() } : then;
    // The engine may have been let go meanwhile.
    const now = await display.ready();
    // In another width the same lines are other rows. Who asked for it gets them all; others begin now.
    if (asked === undefined && now.size.cols !== before.cols) return { before: now.baseline(), now: now.baseline() };
    return { before, now: now.viewSince(before.top) };
  } finally {
    engine.dispose();
  }
}
