// Whether this machine can box programs, found out by boxing one. Refuses: to guess from version numbers.
import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync } from "node:fs";
import { join } from "node:path";
import { type BoxStart, type BoxTools, boxPrefix } from "../../core/box/arguments.ts";
import { packageFile } from "../../package.ts";

/** A box starts in 5 ms. A machine that swaps takes a second. */
const PROBE_MS_MAX = 10_000;

export type Boxes =
  | { readonly available: true; readonly tools: BoxTools; readonly why: null }
  | { readonly available: false; readonly why: string; readonly hint: string };

const BASH = "/bin/bash";
/** It reads no module that its environment names (-t), and says nothing of its own (-X). */
const PERL_OPTIONS = ["-tX"];
const SCRIPT = packageFile("shell/box.pl");
const INSTALL = "Install bubblewrap, for example: sudo apt-get install bubblewrap";
const NEWER =
  "Install bubblewrap 0.10 or newer, or your distribution's update of an older one: it must know --bind-fd.";
const NAMESPACES =
  "Let programs make user namespaces: sudo sysctl kernel.unprivileged_userns_clone=1 user.max_user_namespaces=10000, and on Ubuntu kernel.apparmor_restrict_unprivileged_userns=0";

/** Tries boxes that the caller plans. */
export function probe(path: string, filter: string | null, start: (tools: BoxTools) => BoxStart): Boxes {
  if (process.platform !== "linux")
    return no(
      `boxes need Linux; on ${process.platform} they have not been tried`,
      "Use duetty on Linux to box agents.",
    );
  if (filter === null) return no(`the system calls of ${process.arch} are not known`, "Use x86-64 or aarch64.");
  if (!existsSync(BASH)) return no(`boxes need ${BASH}`, "Install bash.");
  const makers = [...ourMaker(path), ...bubblewrap(path)];
  if (makers.length === 0) return no("bubblewrap (bwrap) is not installed", INSTALL);
  let said = "";
  for (const maker of makers) {
    const tools = { ...maker, filter };
    const why = failure(start(tools));
    if (why === null) return { available: true, tools, why: null };
    said = why;
  }
  return no(`a box could not be made: ${said}`, hintFor(said));
}

type Maker = Omit<BoxTools, "filter">;

/** bubblewrap mounts by name, so this one comes first. It needs Linux 5.12, and some machines let only bubblewrap make boxes. */
function ourMaker(path: string): Maker[] {
  const perl = inPath("perl", path);
  return perl === undefined ? [] : [{ kind: "ours", maker: [perl, ...PERL_OPTIONS, SCRIPT, process.arch] }];
}

function bubblewrap(path: string): Maker[] {
  const bwrap = inPath("bwrap", path);
  return bwrap === undefined ? [] : [{ kind: "bubblewrap", maker: [bwrap] }];
}

/** Why such a box does not start, or null. */
function failure(start: BoxStart): string | null {
  const [file = "", ...args] = [...boxPrefix(start), "/bin/sh", "-c", "exit 42"];
  const { status, stderr, error } = spawnSync(file, args, {
    encoding: "utf8",
    timeout: PROBE_MS_MAX,
    env: {},
    cwd: "/",
  });
  if (status === 42) return null;
  return (error?.message ?? stderr.trim().split("\n").at(-1)) || `it ended with ${status}`;
}

function hintFor(said: string): string {
  if (/Unknown option/.test(said)) return NEWER;
  return /namespace|uid map|Permission|permitted/.test(said) ? NAMESPACES : INSTALL;
}

function no(why: string, hint: string): Boxes {
  return { available: false, why, hint };
}

function inPath(name: string, path: string): string | undefined {
  return path
    .split(":")
    .filter((folder) => folder.startsWith("/"))
    .map((folder) => join(folder, name))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}
