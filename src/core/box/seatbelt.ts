// A plan as a Seatbelt profile for macOS (sandbox-exec -p). Its text is tested; it has not been run on a Mac. Nothing
// starts programs with it yet: boxes are said to be unavailable there.
import type { BoxPlan } from "./plan.ts";

/** The last rule that fits decides, so the order is that of the arguments for bubblewrap. */
export function seatbeltProfile(plan: BoxPlan): string {
  const writable = [...plan.roots, ...plan.repository, plan.ownDir, ...written(plan)];
  const secret = [...plan.masks, ...plan.maskedFiles];
  return [
    "(version 1)",
    "(allow default)",
    "(deny file-write*)",
    '(allow file-write* (literal "/dev/null") (literal "/dev/tty") (regex #"^/dev/ttys"))',
    ...rule("deny", "file-read* file-write*", secret),
    ...rule(
      "allow",
      "file-read*",
      plan.keep.map(({ path }) => path),
    ),
    ...rule("allow", "file-read* file-write*", writable),
    ...rule(
      "deny",
      "file-write*",
      plan.readOnly.map(({ path }) => path),
    ),
    "(deny network*)",
    // The bridge to the proxy, and servers of the same box.
    '(allow network* (local ip "localhost:*") (remote ip "localhost:*"))',
    "",
  ].join("\n");
}

function written({ keep }: BoxPlan): string[] {
  return keep.filter(({ access }) => access === "write").map(({ path }) => path);
}

function rule(verb: "allow" | "deny", what: string, paths: readonly string[]): string[] {
  return paths.length === 0 ? [] : [`(${verb} ${what} ${paths.map((path) => `(subpath ${quoted(path)})`).join(" ")})`];
}

function quoted(path: string): string {
  return `"${path.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}
