// Runs git on a repository of ours, over files that others write. Nothing of the person's or the workspace's configuration
// counts: no hooks, no monitor, no filters, no attributes, no replaced objects. Owns: the way git is called.
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";

/** A look at a huge cold workspace takes minutes. What takes longer hangs, for example on a file system that is gone. */
const GIT_MS_MAX = 120_000;
/** Names of a few million files. */
const OUTPUT_BYTES_MAX = 256 << 20;
const COMPLAINT_CHARS_MAX = 500;

/** given up: it took too long, or nobody wants it any more. full: the store may hold no more. */
type TroubleCode = "missing" | "failed" | "given up" | "full";

export class GitTrouble extends Error {
  readonly code: TroubleCode;
  constructor(code: TroubleCode, message: string) {
    super(message);
    this.code = code;
  }
}

interface GitCall {
  /** The index to work with; none for calls that need none. */
  readonly index?: string | undefined;
  /** Where it runs, and what it takes for the work tree. Default: the workspace. */
  readonly at?: string | undefined;
  readonly stdin?: string | Uint8Array | undefined;
  /** Exit codes that are answers. */
  readonly ok?: readonly number[];
  /** Keep the beginning of a longer output instead of failing. */
  readonly bytesMax?: number;
  readonly signal?: AbortSignal | undefined;
}

interface GitOptions {
  /** Goes before what we set; undefined takes a variable away. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** A descriptor that git inherits. A lock on it lasts until git has ended, also when we are killed before. */
  readonly hold?: number | undefined;
}

export class Git {
  readonly dir: string;
  readonly workspace: string;
  #signal: AbortSignal | undefined;
  #options: GitOptions;

  /** `signal` gives all its calls up. */
  constructor(dir: string, workspace: string, signal?: AbortSignal, options: GitOptions = {}) {
    this.dir = dir;
    this.workspace = workspace;
    this.#signal = signal;
    this.#options = options;
  }

  /** Text with one character per byte. */
  async text(args: readonly string[], call: GitCall = {}): Promise<string> {
    return (await this.bytes(args, call)).toString("latin1");
  }

  /** What was printed between zero bytes, for commands with -z. */
  async list(args: readonly string[], call: GitCall = {}): Promise<string[]> {
    const text = await this.text(args, call);
    return text === "" ? [] : text.replace(/\0$/, "").split("\0");
  }

  start(
    args: readonly string[],
    { at = this.workspace, index, signal = this.#signal }: Omit<GitCall, "stdin" | "ok"> = {},
  ) {
    return spawn("git", args, {
      cwd: at,
      env: { ...environment(this.dir, at, index), ...this.#options.env },
      stdio: ["pipe", "pipe", "pipe", ...(this.#options.hold === undefined ? [] : [this.#options.hold])],
      // What it could be made to start is not taken for a child of the program that we are in (src/serve/peers.ts).
      detached: true,
      timeout: GIT_MS_MAX,
      killSignal: "SIGKILL",
      ...(signal ? { signal } : {}),
    }) as ChildProcessWithoutNullStreams;
  }

  bytes(args: readonly string[], call: GitCall = {}): Promise<Buffer> {
    const { at = this.workspace, stdin, ok = [0], bytesMax, signal } = call;
    const child = this.start(args, { at, index: call.index, signal });
    const out: Buffer[] = [];
    let size = 0;
    let complaint = "";
    child.stdout.on("data", (bytes: Buffer) => {
      out.push(bytes);
      size += bytes.length;
      if (size > (bytesMax ?? OUTPUT_BYTES_MAX)) child.kill("SIGKILL");
    });
    child.stderr.on("data", (bytes: Buffer) => {
      complaint = (complaint + bytes.toString("utf8")).slice(0, COMPLAINT_CHARS_MAX);
    });
    // It may end without reading everything; its exit code says why.
    child.stdin.on("error", () => undefined);
    child.stdin.end(typeof stdin === "string" ? Buffer.from(stdin, "latin1") : stdin);
    return new Promise((resolve, reject) => {
      child.on("error", (error: NodeJS.ErrnoException) => reject(unstarted(error, at)));
      child.on("close", (code, killed) => {
        const whole = Buffer.concat(out);
        const isCut = bytesMax !== undefined && size > bytesMax;
        if (isCut || (code !== null && ok.includes(code))) return resolve(whole.subarray(0, bytesMax));
        const how = killed ? `was ended by ${killed}` : `ended with ${code}`;
        const why = complaint ? `: ${complaint.trim()}` : "";
        reject(new GitTrouble(killed ? "given up" : "failed", `git ${verbOf(args)} ${how}${why}`));
      });
    });
  }
}

/** Settings come before it, each after a -c. */
function verbOf(args: readonly string[]): string {
  return args.find((arg, i) => !arg.startsWith("-") && args[i - 1] !== "-c") ?? "";
}

function unstarted(error: NodeJS.ErrnoException, at: string): GitTrouble {
  if (error.name === "AbortError") return new GitTrouble("given up", "git was given up");
  // Node says the same when the folder is gone.
  return error.code === "ENOENT"
    ? new GitTrouble("missing", "git is not installed, or the folder is gone")
    : new GitTrouble("failed", `git does not start in ${at}: ${error.message}`);
}

function environment(dir: string, workTree: string, index: string | undefined): Record<string, string> {
  return {
    PATH: process.env.PATH ?? "/usr/bin:/bin",
    LC_ALL: "C",
    HOME: dir,
    XDG_CONFIG_HOME: dir,
    GIT_DIR: dir,
    GIT_WORK_TREE: workTree,
    ...(index === undefined ? {} : { GIT_INDEX_FILE: index }),
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_SYSTEM: "/dev/null",
    GIT_ATTR_NOSYSTEM: "1",
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_TERMINAL_PROMPT: "0",
    GIT_OPTIONAL_LOCKS: "0",
    // No transport, whatever settings say: also not for objects that a partial clone lacks.
    GIT_ALLOW_PROTOCOL: "",
  };
}
