// What a session showed, played in this terminal. Without a terminal: its bytes at once.
import { type Client, clientOver } from "../../client/client.ts";
import type { Output } from "../../protocol/ops.ts";
import { EXIT } from "../../protocol/plain/exit.ts";
import type { Home } from "../../protocol/plain/home.ts";
import { UsageError } from "../args.ts";
import { connected, findSession } from "../connect.ts";
import { parseLocal } from "../local-args.ts";
import { printRaw } from "../print/screen.ts";
import { DrawnOutput } from "../text/drawn-output.ts";
import { withoutReplies } from "../text/terminal-replies.ts";
import { checkFits, TerminalState } from "../text/terminal-state.ts";
import { Player } from "./player.ts";

const JUMP_MS = 5_000;
const FASTER = 1.5;

export async function replay(home: Home, words: string[]): Promise<number> {
  const { ref, from, speed, idleMs } = parse(words);
  const client = clientOver(connected(home, undefined));
  const { session_id } = await findSession(client, ref);
  if (!process.stdin.isTTY || !process.stdout.isTTY) return print(client, session_id, from);
  const timeline = await client.timeline({ session_id });
  for (const size of [timeline, ...timeline.resizes]) checkFits(size);
  const output = new DrawnOutput();
  return new Promise((resolve) => {
    const terminal = new TerminalState((code) => {
      player.stop();
      resolve(code);
    });
    const player = new Player({
      client,
      timeline,
      speed,
      idleMs,
      show: (bytes) => void process.stdout.write(output.passText(bytes)),
      over: (why) => terminal.giveBack(why ?? "the end", why === undefined ? EXIT.ok : EXIT.error),
    });
    terminal.take((bytes) => {
      for (const key of keysIn(withoutReplies(bytes).toString("latin1"))) {
        if (key === "q" || key === "\x03" || key === "\x1b[99;5u") return terminal.giveBack("stopped", EXIT.ok);
        press(player, key, timeline);
      }
    });
    player.play(from);
  });
}

function press(player: Player, key: string, { started_at, latest_at }: Output<"timeline">): void {
  if (key === " ") player.togglePause();
  else if (key === ".") player.step();
  else if (/^\x1b[[O]C$/.test(key)) player.jumpTo(player.position + JUMP_MS);
  else if (/^\x1b[[O]D$/.test(key)) player.jumpTo(player.position - JUMP_MS);
  else if (/^\d$/.test(key)) player.jumpTo(started_at + ((latest_at - started_at) * Number(key)) / 10);
  else if (key === "+" || key === "=") player.faster(FASTER);
  else if (key === "-") player.faster(1 / FASTER);
}

function keysIn(text: string): string[] {
  return text.match(/\x1b[[O][\d;]*[A-Za-z~]|./gs) ?? [];
}

async function print(client: Client, session_id: string, at: string): Promise<number> {
  const { from } = await client.export({ session_id, format: "cast", from: at, to: at });
  await printRaw(await client.pty_read_raw({ session_id, from }), { ask: client.pty_read_raw });
  return EXIT.ok;
}

function parse(words: string[]): { ref: string; from: string; speed: number; idleMs: number } {
  const { values, positionals } = parseLocal("replay", words);
  const [ref] = positionals;
  if (ref === undefined) throw new UsageError("replay needs SESSION (duetty replay --help)");
  const { "idle-limit": limit, from = "0", speed = "1" } = values;
  const idleMs = limit === undefined ? Number.POSITIVE_INFINITY : positive("idle-limit", limit);
  return { ref, from, speed: positive("speed", speed), idleMs };
}

function positive(name: string, text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new UsageError(`--${name} takes a number above 0, not "${text}"`);
  return value;
}
