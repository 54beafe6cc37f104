// What a person wrote into the form for a new session, as the daemon wants it. Pure, but for asking what the daemon offers.
import type { Call } from "../../src/protocol/ops.ts";
import { call, isFault } from "../wire/api.ts";
import { argvOf } from "./labels.ts";

/** What only some daemons can do. */
export type Offer = "worktree" | "sandbox";

export type Opening = { readonly open: Call<"pty_open"> } | { readonly wrong: string };

/** Each field as it was written, by its name; absent and empty mean the same. */
export function openingOf(field: (name: string) => string): Opening {
  const [command, name, cwd] = [field("command"), field("name"), field("cwd")];
  const size = sizeOf(field("size"));
  if (size === "wrong") return { wrong: "The size is columns × rows, like 120×36." };
  const env = envOf(field("env"));
  if (typeof env === "string") return { wrong: env };
  const extra = { worktree: field("worktree"), sandbox: field("sandbox") };
  const offered = Object.fromEntries(Object.entries(extra).filter(([, value]) => value !== ""));
  return {
    open: {
      ...(command && { command: argvOf(command) }),
      ...(name && { name }),
      ...(cwd && { cwd }),
      ...size,
      ...(Object.keys(env).length > 0 && { env }),
      ...(field("lazy") && { lazy: true }),
      ...offered,
    },
  };
}

function sizeOf(text: string): { cols: number; rows: number } | "wrong" | undefined {
  if (text === "") return undefined;
  const [, cols, rows] = /^(\d{1,4})\s*[x×*, ]\s*(\d{1,4})$/.exec(text) ?? [];
  return cols && rows ? { cols: Number(cols), rows: Number(rows) } : "wrong";
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

/** Older daemons do not say; then there is nothing. */
export async function readOffers(): Promise<readonly Offer[]> {
  const status = await call("status", {});
  if (isFault(status)) return [];
  const { offers } = status as { offers?: unknown };
  const all: readonly Offer[] = ["worktree", "sandbox"];
  return Array.isArray(offers) ? all.filter((offer) => offers.includes(offer)) : [];
}
