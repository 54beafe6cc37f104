// One control connection of the person's own OpenSSH to one machine. Owns: its process, and the sockets of both sides on this machine.
// What runs over it and when to come back is its user's business (ssh-host.ts).
import { type ChildProcess, spawn } from "node:child_process";
import fs from "node:fs";
import { type Fault, fault } from "../../../core/base/fault.ts";
import { lastLine, type Said } from "./said.ts";

/** OpenSSH binds its socket under a longer name first; Linux takes 107 bytes for a path. */
const PATH_CHARS_MAX = 85;
/** A greeting and a name. Whoever goes on printing is no duetty. */
const HEARD_CHARS_MAX = 1 << 20;
/** What ssh says of an error is a line or two. */
const SAID_CHARS_MAX = 2_000;
/** The connection that is there answers at once. */
const ASK_MS = 10_000;
/** Nobody answers a question of ssh: keys, agent and known hosts are the person's own, set up before. */
const OPTIONS = {
  BatchMode: "yes",
  ControlMaster: "yes",
  ControlPersist: "no",
  ConnectTimeout: "10",
  // A machine that is away is noticed within 15 seconds.
  ServerAliveInterval: "5",
  ServerAliveCountMax: "3",
  StreamLocalBindUnlink: "yes",
  StreamLocalBindMask: "0177",
  ForwardAgent: "no",
  ForwardX11: "no",
  PermitLocalCommand: "no",
  RequestTTY: "no",
};

interface ControlParts {
  /** ssh, and what a person wants it to be told besides. */
  readonly ssh: readonly string[];
  readonly target: readonly string[];
  /** A private folder of this connection's own. */
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  /** What the shell over there runs. */
  readonly command: string;
  /** A line that the command printed. */
  line(line: string): void;
  ended(code: number | null, said: Said): void;
}

export class Control {
  #parts: ControlParts;
  #child: ChildProcess;
  #said = "";

  constructor(parts: ControlParts) {
    this.#parts = parts;
    const options = Object.entries(OPTIONS).flatMap(([name, value]) => ["-o", `${name}=${value}`]);
    // Its own words are kept apart from what comes from over there: only they say why there is no connection.
    const words = [...options, ...this.#path, "-E", this.#log];
    this.#child = this.#run(words, [...parts.target, parts.command]);
    let [rest, heard] = ["", 0];
    const bounded = (text: string): string => {
      heard += text.length;
      if (heard > HEARD_CHARS_MAX) this.#child.kill("SIGTERM");
      return heard > HEARD_CHARS_MAX ? "" : text;
    };
    this.#child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      const lines = `${rest}${bounded(text)}`.split("\n");
      rest = (lines.pop() ?? "").slice(-SAID_CHARS_MAX);
      // Why it ends is said later: before its command speaks, sshd may greet.
      if (lines.length > 0) this.#said = "";
      for (const line of lines) parts.line(line);
    });
    this.#child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#said = `${this.#said}${bounded(text)}`.slice(-SAID_CHARS_MAX);
    });
    this.#child.once("error", (error) => parts.ended(null, { ssh: error.message, there: "" }));
    this.#child.once("close", (code) => parts.ended(code, { ssh: tailOf(this.#log), there: this.#said }));
  }

  get #log(): string {
    return `${this.#parts.folder}/log`;
  }

  get #path(): string[] {
    return ["-o", `ControlPath=${this.#parts.folder}/c`];
  }

  /** Whoever connects to the socket that comes back reaches that one over there. */
  async forward(theirs: string): Promise<string | Fault> {
    const ours = `${this.#parts.folder}/d`;
    const done = await this.#ask(["-O", "forward", "-L", `${ours}:${theirs}`]);
    return done ?? ours;
  }

  close(): void {
    // Its command reads until then, and ends by itself.
    this.#child.stdin?.end();
    this.#child.kill("SIGTERM");
    fs.rmSync(this.#parts.folder, { recursive: true, force: true });
  }

  #run(options: readonly string[], words: readonly string[]): ChildProcess {
    return started(this.#parts, options, words);
  }

  #ask(options: readonly string[]): Promise<Fault | undefined> {
    return ended(this.#run(["-o", "BatchMode=yes", ...this.#path, ...options], this.#parts.target), "", ASK_MS);
  }
}

export type Way = Pick<ControlParts, "ssh" | "target" | "env">;

export function started({ ssh, env }: Way, options: readonly string[], words: readonly string[]): ChildProcess {
  const [program = "ssh", ...more] = ssh;
  const stdio = ["pipe", "pipe", "pipe"] as const;
  return spawn(program, [...more, ...options, ...words], { env, stdio: [...stdio], cwd: "/" });
}

function ended(child: ChildProcess, input: Uint8Array | string, withinMs: number): Promise<Fault | undefined> {
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding("utf8").on("data", (text: string) => {
      said = `${said}${text}`.slice(-SAID_CHARS_MAX);
    });
  child.stdin?.on("error", () => undefined);
  child.stdin?.end(input);
  return new Promise((resolve) => {
    const late = setTimeout(() => child.kill("SIGKILL"), withinMs);
    const done = (why: string | undefined) => {
      clearTimeout(late);
      resolve(why === undefined ? undefined : fault("host.gone", why, "See what ssh says in a terminal."));
    };
    child.once("error", (error) => done(error.message));
    child.once("close", (code) =>
      done(code === 0 ? undefined : lastLine(said) || `ssh ended with ${code ?? "a signal"}`),
    );
  });
}

function tailOf(file: string): string {
  try {
    return fs.readFileSync(file, "utf8").slice(-SAID_CHARS_MAX);
  } catch {
    // It had nothing to say, or was not there to say it.
    return "";
  }
}

/** A folder whose sockets have short enough names. */
export function controlFolder(run: string, make: () => string): string {
  const usual = `${run}/ssh`;
  if (usual.length + "/XXXXXX/c".length <= PATH_CHARS_MAX) {
    fs.mkdirSync(usual, { recursive: true, mode: 0o700 });
    return fs.mkdtempSync(`${usual}/`);
  }
  return make();
}
