// The native fork of @lydell/node-pty, without its JS class. That class loses output at exit (libuv#4992) and
// writes stale input to reused descriptors. Its export is marked "not public API", hence the exact pin and own types.
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

export interface Forked {
  readonly fd: number;
  readonly pid: number;
  /** Path of the slave, such as /dev/pts/3. */
  readonly pty: string;
}

interface ForkRequest {
  readonly file: string;
  readonly args: readonly string[];
  /** "KEY=value" */
  readonly env: readonly string[];
  readonly cwd: string;
  readonly cols: number;
  readonly rows: number;
  onExit(code: number, signal: number): void;
}

interface Native {
  fork(request: ForkRequest): Forked;
  resize(fd: number, cols: number, rows: number): void;
  /** Name of the foreground process. */
  process(fd: number, pty: string): string | undefined;
}

interface Addon {
  fork(
    file: string,
    args: readonly string[],
    env: readonly string[],
    cwd: string,
    cols: number,
    rows: number,
    uid: number,
    gid: number,
    utf8: boolean,
    helper: string,
    onExit: (code: number, signal: number) => void,
  ): Forked;
  resize(fd: number, cols: number, rows: number, xPixels: number, yPixels: number): void;
  process(fd: number, pty?: string): string | undefined;
}

/** uid and gid of the child: -1 leaves ours. */
const SAME_ID = -1;

let loaded: Native | null = null;

/** Throws when there is no prebuilt binary for this platform. */
export function native(): Native {
  loaded ??= load();
  return loaded;
}

function load(): Native {
  const require = createRequire(import.meta.url);
  const addon = (require("@lydell/node-pty") as { native: Addon }).native;
  const helper = process.platform === "darwin" ? spawnHelper(require) : "";
  return {
    fork: (r) =>
      addon.fork(r.file, r.args, r.env, r.cwd, r.cols, r.rows, SAME_ID, SAME_ID, true, helper, (code, signal) =>
        r.onExit(code, signal),
      ),
    resize: (fd, cols, rows) => addon.resize(fd, cols, rows, 0, 0),
    // macOS takes the descriptor alone and counts its arguments.
    process: (fd, pty) => (process.platform === "darwin" ? addon.process(fd) : addon.process(fd, pty)),
  };
}

/** macOS starts the child through a small helper program beside the addon. */
function spawnHelper(require: NodeJS.Require): string {
  const platform = `${process.platform}-${process.arch}`;
  const outer = createRequire(require.resolve("@lydell/node-pty"));
  const lib = dirname(outer.resolve(`@lydell/node-pty-${platform}`));
  return join(lib, "..", "prebuilds", platform, "spawn-helper");
}
