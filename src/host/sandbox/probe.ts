// Whether this machine can box programs, found out by boxing one. Refuses: to guess from version numbers.
import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync } from "node:fs";
import { join } from "node:path";
import { type BoxTools, boxPrefix } from "../../core/box/arguments.ts";
import type { BoxPlan } from "../../core/box/plan.ts";

/** A box starts in 5 ms. A machine that swaps takes a second. */
const PROBE_MS_MAX = 10_000;

export type Boxes =
  | { readonly available: true; readonly tools: BoxTools; readonly why: null }
  | { readonly available: false; readonly why: string; readonly hint: string };

/** It reads no file and no function that its environment names; without --norc it would when its input is a socket. */
const BASH = "/bin/bash";
const INSTALL = "Install bubblewrap, for example: sudo apt-get install bubblewrap";
const NAMESPACES =
  "Let programs make user namespaces: sudo sysctl kernel.unprivileged_userns_clone=1 user.max_user_namespaces=10000, and on Ubuntu kernel.apparmor_restrict_unprivileged_userns=0";

/** Tries a box that the caller has planned. */
export function probe(path: string, plan: BoxPlan, filter: string | null): Boxes {
  if (process.platform !== "linux")
    return no(
      `boxes need Linux; on ${process.platform} they have not been tried`,
      "Use duetty on Linux to box agents.",
    );
  if (filter === null) return no(`the system calls of ${process.arch} are not known`, "Use x86-64 or aarch64.");
  const bwrap = inPath("bwrap", path);
  if (bwrap === undefined) return no("bubblewrap (bwrap) is not installed", INSTALL);
  const tools = { shell: existsSync(BASH) ? [BASH, "--norc", "--posix", "-p"] : ["/bin/sh"], bwrap, filter };
  const [file = "", ...args] = [...boxPrefix(plan, tools), "/bin/sh", "-c", "exit 42"];
  const { status, stderr, error } = spawnSync(file, args, {
    encoding: "utf8",
    timeout: PROBE_MS_MAX,
    env: {},
    cwd: "/",
  });
  if (status === 42) return { available: true, tools, why: null };
  const said = (error?.message ?? stderr.trim().split("\n").at(-1)) || `bwrap ended with ${status}`;
  return no(
    `a box could not be made: ${said}`,
    /namespace|uid map|Permission|permitted/.test(said) ? NAMESPACES : INSTALL,
  );
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
