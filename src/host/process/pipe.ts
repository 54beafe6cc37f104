// A command outside the terminal: plain pipes and its own process group. Owns: the child until it is reaped.
// We end its whole group. A process that left the group by setsid goes on, as it would from any shell.
import { spawn } from "node:child_process";
import fs from "node:fs";
import { constants } from "node:os";
import { type Fault, fault, isFault } from "../../core/base/fault.ts";
import type { SpawnPipe } from "../../core/run/pipe.ts";
import { refusesDescriptors } from "./descriptor-limit.ts";
import { signalProcess } from "./processes.ts";

/** Time to read output that was written before the end. */
const LAST_OUTPUT_MS = 200;
const SHELLS = ["/bin/bash", "/usr/bin/bash", "/bin/sh"];

type Env = Readonly<Record<string, string>>;

interface PipeStart {
  readonly prefix: readonly string[];
  readonly env: Env;
  /** The command is over, or did not begin. */
  over(): void;
}

/** What a boxed command is started with. */
export type PipeBox = (at: Pick<Parameters<SpawnPipe>[0], "cwd" | "env" | "within">) => PipeStart | Fault;

export function pipeSpawner(boxOf: PipeBox): SpawnPipe {
  return ({ boxed, ...command }, on) => {
    if (!boxed) return spawnPipe(command, [], on);
    const box = boxOf(command);
    if (isFault(box)) return box;
    const { prefix, env, over } = box;
    const exit: typeof on.exit = (status) => {
      over();
      on.exit(status);
    };
    const child = spawnPipe({ ...command, env }, prefix, { ...on, exit });
    if (isFault(child)) over();
    return child;
  };
}

function spawnPipe(
  { command, cwd, env, stdin }: Omit<Parameters<SpawnPipe>[0], "boxed">,
  prefix: readonly string[],
  on: Parameters<SpawnPipe>[1],
): ReturnType<SpawnPipe> {
  if (!fs.statSync(cwd, { throwIfNoEntry: false })?.isDirectory())
    return fault("cwd.not_found", `there is no folder ${cwd}`, "Name one that exists with cwd.");
  const full = refusesDescriptors();
  if (full) return full;
  const shell = SHELLS.find((path) => fs.existsSync(path)) ?? "sh";
  const [file = shell, ...args] = [...prefix, shell, "-c", command];
  const child = spawn(file, args, { cwd, env, detached: true, stdio: ["pipe", "pipe", "pipe"] });
  let ended = false;
  const end = (code: number | null, signal: NodeJS.Signals | null): void => {
    if (ended) return;
    ended = true;
    const number = signal === null ? code : 128 + constants.signals[signal];
    on.exit({ code, signal, code_or_signal: number });
  };
  child.stdout.on("data", (bytes: Buffer) => on.out(bytes));
  child.stderr.on("data", (bytes: Buffer) => on.err(bytes));
  child.on("close", end);
  // A background process may hold the pipes open for ever.
  child.on("exit", (code, signal) => void setTimeout(() => end(code, signal), LAST_OUTPUT_MS));
  child.on("error", () => end(127, null));
  // It may end without reading its input.
  child.stdin.on("error", () => undefined);
  child.stdin.end(stdin ?? "");
  return {
    pid: child.pid,
    kill() {
      if (child.pid !== undefined) signalProcess(-child.pid, "SIGKILL");
    },
  };
}
