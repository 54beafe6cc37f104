// One hidden shell in its box: its terminal, and the folder through which it is told and answers. Owns: both, until it is
// ended. What it completes can write to `out`, so what is read there may be anything; the daemon writes only to `in`.
import fs from "node:fs";
import { join } from "node:path";
import { type Fault, isFault } from "../../../core/base/fault.ts";
import type { SideQuestion } from "../../../core/complete/side-shells.ts";
import type { Pty, PtyCommand } from "../../../core/pty/pty.ts";
import { packageFile } from "../../../package.ts";
import type { ShellName } from "../../../protocol/words/program.ts";
import { signalProcess } from "../../process/processes.ts";
import { spawnPty } from "../../pty/pty.ts";
import { quoted } from "../quoted.ts";

/** Every command of a machine with descriptions is half of it. */
const ANSWER_BYTES_MAX = 2 << 20;
/** A mark may come in two pieces. */
const TAIL_CHARS = 256;
/** A shell that scrolls its line sideways draws less of it. */
const SIZE = { cols: 200, rows: 24 };

const SCRIPTS: Readonly<Record<ShellName, string>> = {
  bash: packageFile("shell/complete.bash"),
  zsh: packageFile("shell/complete.zsh"),
  fish: packageFile("shell/complete.fish"),
};

/** Tells it that a question lies ready. */
const KEYS: Readonly<Record<ShellName, Readonly<Record<SideQuestion["what"], string>>>> = {
  bash: { all: "\x18\x01A", one: "\x18\x01B" },
  zsh: { all: "\x18\x01A", one: "\x18\x01A" },
  fish: { all: "\n", one: "\n" },
};

interface SideStart {
  readonly shell: ShellName;
  readonly program: string;
  readonly cwd: string;
  readonly state: string;
  /** Its own folder, empty. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  /** "NAME=value" in the environment of everything that it starts. */
  readonly marker: string;
  /** The words that begin its box. */
  readonly prefix: readonly string[];
}

/** The folders that its box shows: one to read, one to write. */
export function foldersOf(folder: string): { readonly in: string; readonly out: string } {
  return { in: join(folder, "in"), out: join(folder, "out") };
}

export class SideShell {
  readonly #pty: Pty;
  readonly #folder: string;
  readonly #shell: ShellName;
  #tail = "";
  #awaited: { readonly mark: string; readonly heard: (isThere: boolean) => void } | undefined;
  #questions = 0;
  #isOver = false;

  private constructor(start: SideStart, command: PtyCommand) {
    this.#folder = start.folder;
    this.#shell = start.shell;
    const decoder = new TextDecoder("latin1");
    const pty = spawnPty(command, {
      bytes: (chunk) => this.#hear(decoder.decode(chunk)),
      exit: () => this.#settle(false),
    });
    if (isFault(pty)) throw pty;
    this.#pty = pty;
  }

  static start(start: SideStart): SideShell | Fault {
    const { in: told } = foldersOf(start.folder);
    write(join(told, "state"), start.state);
    if (start.shell === "zsh") write(join(told, ".zshrc"), `source ${quoted(SCRIPTS.zsh)}\n`);
    const [file = "", ...args] = [...start.prefix, start.program, ...ARGUMENTS[start.shell]];
    const own = { ...start.env, TERM: "dumb", DUETTY_SIDE: start.folder };
    const env = start.shell === "zsh" ? { ...own, ZDOTDIR: told } : own;
    try {
      return new SideShell(start, { file, args, cwd: start.cwd, env, marker: start.marker, ...SIZE });
    } catch (error) {
      if (isFault(error)) return error;
      throw error;
    }
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** True when it knows its state, which is gone from the disk then. */
  async ready(within_ms: number): Promise<boolean> {
    const isReady = await this.#await("ready", within_ms);
    this.#forget();
    return isReady;
  }

  /** `news`: what of its state has changed. Undefined: no answer in time. */
  async ask({ line, point, cwd, what, within_ms }: SideQuestion, news: string): Promise<string | undefined> {
    this.#questions += 1;
    const id = String(this.#questions);
    const folders = foldersOf(this.#folder);
    if (news !== "") write(join(folders.in, "state"), news);
    write(join(folders.in, "question"), [id, line, point, cwd, ""].join("\0"));
    const heard = this.#await(id, within_ms);
    this.#pty.write(new TextEncoder().encode(KEYS[this.#shell][what]));
    const isThere = await heard;
    if (news !== "") this.#forget();
    return isThere ? read(join(folders.out, what)) : undefined;
  }

  /** Kills everything that it has started. */
  async end(): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#settle(false);
    signalProcess(this.#pty.pid, "SIGKILL");
    await this.#pty.close();
    fs.rmSync(this.#folder, { recursive: true, force: true });
  }

  /** It has read its state, and nobody else should. */
  #forget(): void {
    fs.rmSync(join(foldersOf(this.#folder).in, "state"), { force: true });
  }

  #await(mark: string, within_ms: number): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#settle(false), within_ms);
      const heard = (isThere: boolean) => {
        clearTimeout(timer);
        resolve(isThere);
      };
      this.#awaited = { mark: `\x1b]7777;${mark}\x07`, heard };
      this.#hear("");
    });
  }

  #hear(text: string): void {
    this.#tail += text;
    if (this.#awaited && this.#tail.includes(this.#awaited.mark)) {
      this.#tail = "";
      this.#settle(true);
    }
    this.#tail = this.#tail.slice(-TAIL_CHARS);
  }

  #settle(isThere: boolean): void {
    const awaited = this.#awaited;
    this.#awaited = undefined;
    awaited?.heard(isThere);
  }
}

const ARGUMENTS: Readonly<Record<ShellName, readonly string[]>> = {
  bash: ["--noprofile", "--rcfile", SCRIPTS.bash, "-i"],
  zsh: ["-d", "-i"],
  fish: ["--no-config", "--private", SCRIPTS.fish],
};

function write(file: string, text: string): void {
  fs.writeFileSync(`${file}.new`, text, { mode: 0o600 });
  fs.renameSync(`${file}.new`, file);
}

/** A link or a pipe may lie in its place. */
function read(file: string): string | undefined {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = fs.constants;
  let fd: number;
  try {
    fd = fs.openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch {
    // ENOENT, ELOOP: there is no answer.
    return undefined;
  }
  try {
    const stat = fs.fstatSync(fd);
    return stat.isFile() && stat.size <= ANSWER_BYTES_MAX ? fs.readFileSync(fd, "utf8") : undefined;
  } finally {
    fs.closeSync(fd);
  }
}
