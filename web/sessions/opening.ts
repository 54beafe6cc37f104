// What a person wrote into the form for a new session, as the daemon wants it. Pure.
import type { Call } from "../../src/protocol/ops.ts";

type Opening = { readonly open: Call<"pty_open"> } | { readonly mistake: string };

/** Each field as it was written, by its name; absent and empty mean the same. */
export function openingOf(field: (name: string) => string): Opening {
  const [command, name, cwd, agent] = [field("command"), field("name"), field("cwd"), field("agent")];
  const [branch, from, host] = [field("branch"), field("from"), field("host")];
  const size = sizeOf(field("size"));
  if (size === "mistake") return { mistake: "The size is columns × rows, like 120×36." };
  const env = envOf(field("env"));
  if (typeof env === "string") return { mistake: env };
  return {
    open: {
      ...(host && { host }),
      ...(command && { command: argvOf(command) }),
      ...(name && { name }),
      ...(cwd && { cwd }),
      ...(agent && { agent }),
      ...(field("worktree") && { worktree: { ...(branch && { branch }), ...(from && { from }) } }),
      ...size,
      ...(Object.keys(env).length > 0 && { env }),
      ...(field("lazy") && { lazy: true }),
    },
  };
}

/** Plain words become arguments, so that a typing mistake is reported at once. Anything else goes to a shell. */
function argvOf(line: string): string[] {
  const text = line.trim();
  return /^[\w\s./:@%+=,-]*$/.test(text) && !/^\w+=/.test(text) ? text.split(/\s+/) : ["/bin/sh", "-c", text];
}

function sizeOf(text: string): { cols: number; rows: number } | "mistake" | undefined {
  if (text === "") return undefined;
  const [, cols, rows] = /^(\d{1,4})\s*[x×*, ]\s*(\d{1,4})$/.exec(text) ?? [];
  return cols && rows ? { cols: Number(cols), rows: Number(rows) } : "mistake";
}

/** KEY=VALUE in each line; KEY alone takes the variable away. */
function envOf(text: string): Record<string, string | null> | string {
  const made: Record<string, string | null> = {};
  for (const line of text.split("\n").map((each) => each.trim())) {
    if (line === "") continue;
    const [, key, rest] = /^([A-Za-z_]\w*)(=.*)?$/.exec(line) ?? [];
    if (key === undefined) return `“${line}” is not KEY=VALUE.`;
    made[key] = rest?.slice(1) ?? null;
  }
  return made;
}
