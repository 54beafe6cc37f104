// What a link is for, in words. Pure.
import type { ShareRole } from "../../src/protocol/ops/share.ts";

interface RoleWords {
  readonly title: string;
  readonly means: string;
  readonly short: string;
}

export const ROLES: Readonly<Record<ShareRole, RoleWords>> = {
  watch: { title: "Watch", means: "sees the terminal", short: "watches" },
  type: { title: "Type", means: "also types into it and takes the keyboard", short: "may type" },
  approve: {
    title: "Answer",
    means: "also answers what agents ask in this session",
    short: "may type and answer",
  },
};

export const TIMES = [
  { value: "10m", title: "10 minutes" },
  { value: "1h", title: "1 hour" },
  { value: "8h", title: "8 hours" },
  { value: "1d", title: "1 day" },
  { value: "7d", title: "7 days" },
  { value: "30d", title: "30 days" },
] as const;

export const USES = [
  { value: "", title: "any number of times" },
  { value: "1", title: "once" },
  { value: "5", title: "5 times" },
] as const;

/** "Nov 17, 15:30" */
export function timeWords(ts: number): string {
  return new Date(ts).toLocaleString([], { month: "short", day: "numeric", hour: "2-digit", minute: "2-digit" });
}

/** Whether the link leads only to this machine itself. */
export function isLocal(url: string): boolean {
  return ["127.0.0.1", "localhost", "[::1]"].includes(new URL(url).hostname);
}
