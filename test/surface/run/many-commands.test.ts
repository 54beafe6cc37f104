// Hundreds of random commands through each shell, all three side by side, typed by a person and run by an agent in turn:
// none lost, none invented, every exit code, range and byte right, also with six busy programs beside them.
import { type ChildProcess, spawn } from "node:child_process";
import { afterAll, expect, it } from "vitest";
import { depth } from "../../fixtures/depth.ts";
import { seeded } from "../../fixtures/seeded.ts";
import { SHELLS } from "../../fixtures/stand/shells.ts";
import { sharedStand } from "../../fixtures/stand/stand.ts";

const COMMANDS = depth(30, 60, 1_000);
const LOOPS = 6;
/** From this command on the loops run: from the first one in `npm run test:long`, which is slower. */
const LOOPS_FROM = depth(22, 45, 0);
/** Half a minute at rest. */
const MANY_MS = 600_000;

const s = sharedStand();
const { duetty, person, openShell } = s;

const loops: ChildProcess[] = [];
function keepBusy(): void {
  // `timeout` ends them if we cannot.
  const args = [String(MANY_MS / 1_000), "sh", "-c", "while :; do :; done"];
  while (loops.length < LOOPS) loops.push(spawn("timeout", args, { stdio: "ignore" }));
}
afterAll(() => {
  for (const loop of loops) loop.kill();
});

interface Expected {
  readonly cmd: string;
  readonly exit: number;
  /** Its output, or how that begins where the shell adds a word about a signal. */
  readonly output: string;
  readonly exact: boolean;
  readonly actor: "person" | "agent";
}

/** printf arguments and what the terminal makes of them. */
const PRINTS: readonly (readonly [string, string])[] = [
  ["", ""],
  ["word\\n", "word\r\n"],
  ["no line break", "no line break"],
  ["a\\tb\\n\\n\\nc\\n", "a\tb\r\n\r\n\r\nc\r\n"],
  ["\\033[1;32mgreen\\033[m\\n", "\x1b[1;32mgreen\x1b[m\r\n"],
  ["\\033]0;title\\007x\\n", "\x1b]0;title\x07x\r\n"],
  ["50%%\\r100%%\\n", "50%\r100%\r\n"],
  ["\\001\\002\\200\\377\\n", "\x01\x02\x80\xff\r\n"],
  ["\\033]133;D;0\\007\\033]133;A\\007", "\x1b]133;D;0\x07\x1b]133;A\x07"],
  ["\\033]633;E;rm;duetty=x:1\\007\\n", "\x1b]633;E;rm;duetty=x:1\x07\r\n"],
  ["\\033[?1049hfull\\033[?1049l", "\x1b[?1049hfull\x1b[?1049l"],
  ["\\303\\274 \\346\\274\\242\\n", "\xc3\xbc \xe6\xbc\xa2\r\n"],
  ["$ \\n~> ", "$ \r\n~> "],
  ["\\033]8;;x\\033\\134link\\033]8;;\\033\\134\\n", "\x1b]8;;x\x1b\\link\x1b]8;;\x1b\\\r\n"],
];
const SIGNALS = { HUP: 129, INT: 130, QUIT: 131, KILL: 137, TERM: 143, USR1: 138 } as const;

function command(random: (below: number) => number, number: number): Expected {
  const actor = number % 2 === 0 ? "person" : "agent";
  const [print, output] = PRINTS[random(PRINTS.length)] ?? ["", ""];
  if (random(20) === 0) {
    const lines = 1 + random(400);
    const text = Array.from({ length: lines }, (_, i) => `${i + 1}\r\n`).join("");
    return { cmd: `sh -c "seq 1 ${lines}" n${number}`, exit: 0, output: text, exact: true, actor };
  }
  if (random(15) === 0) {
    const name = Object.keys(SIGNALS)[random(6)] as keyof typeof SIGNALS;
    return { cmd: `sh -c 'kill -${name} $$' n${number}`, exit: SIGNALS[name], output: "", exact: false, actor };
  }
  const exit = random(3) === 0 ? 0 : random(256);
  return { cmd: `sh -c 'printf "${print}"; exit ${exit}' n${number}`, exit, output, exact: true, actor };
}

it.concurrent.each(SHELLS)(
  "%s: every command has its exit code, range and bytes",
  async (shell) => {
    const { session_id } = await openShell(shell);
    const next = seeded(SHELLS.indexOf(shell) + 11);
    const random = (below: number) => Math.floor(next() * below);
    const expected = Array.from({ length: COMMANDS }, (_, i) => command(random, i));
    const agent = s.agent();
    for (const [number, { cmd, actor, exit }] of expected.entries()) {
      if (number === LOOPS_FROM) keepBusy();
      if (actor === "agent") {
        const ran = await agent.run_command({ session_id, command: cmd });
        expect([cmd, ran.status, ran.exit_code]).toEqual([cmd, "done", exit]);
        continue;
      }
      const then = { any: [{ block_end: true as const }] };
      const typed = await person.pty_send({ session_id, text: `${cmd}\n`, then });
      expect([cmd, typed.matched]).toEqual([cmd, "block_end"]);
    }
    const { blocks, total } = await agent.blocks({ session_id, limit: 1_000 });
    expect(total).toBe(COMMANDS);
    const raw = duetty.raw(session_id);
    for (const [i, block] of blocks.entries()) {
      const want = expected[i] as Expected;
      const got = raw.subarray(block.cursor_begin, block.cursor_end ?? 0).toString("latin1");
      const output = want.exact ? got : got.slice(0, want.output.length);
      const actor = block.actor.split(":")[0];
      expect({ cmd: block.cmd, exit: block.exit_code, actor, output }).toEqual({
        cmd: want.cmd,
        exit: want.exit,
        actor: want.actor,
        output: want.output,
      });
    }
  },
  MANY_MS,
);
