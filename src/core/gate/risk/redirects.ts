// Judges redirections: reading is harmless, writing is not, and bash turns some names into sockets.
import type { Redirect } from "unbash";
import { mayRead } from "./places.ts";
import { type PartRisk, risky, safe, unknown } from "./risk.ts";
import { wordOf } from "./words.ts";

const SINKS = new Set(["/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty"]);
const SOCKET = /^\/dev\/(?:tcp|udp)\//;

export function redirectVerdict(redirect: Redirect, root: string | null): PartRisk {
  if (!redirect.target) return unknown("redirect.target", "its target is not in the line");
  if (redirect.descriptor?.type === "FileDescriptorVariable") {
    return redirect.operator === "<"
      ? unknown("redirect.variable", "opens a file that stays open")
      : writes("redirect.write");
  }
  const target = wordOf(redirect.target);
  const path = target.text;
  if (target.literal && SOCKET.test(path))
    return risky("redirect.socket", "network", "bash opens a connection for this name");
  switch (redirect.operator) {
    case "<":
      // A name known only at run time could be one of bash's sockets.
      return mayRead(target, root) && (target.literal || target.prefix !== "")
        ? safe("redirect.read")
        : unknown("redirect.dynamic", "what it reads can only be seen when it runs");
    case "<&":
    case ">&":
      if (target.literal && /^(?:\d+-?|-)$/.test(path)) return safe("redirect.descriptor");
      if (target.literal && SINKS.has(path)) return safe("redirect.sink");
      return writes("redirect.write");
    case ">>":
    case "&>>":
      if (target.literal && SINKS.has(path)) return safe("redirect.sink");
      return risky("redirect.append", "destructive", "adds to a file");
    default:
      return target.literal && SINKS.has(path) && redirect.operator !== "<>"
        ? safe("redirect.sink")
        : writes("redirect.write");
  }
}

function writes(rule: string): PartRisk {
  return risky(rule, "destructive", "writes to a file");
}
