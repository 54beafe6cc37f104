// What an agent is told when there is nothing to see: faults, tools that do not exist. Pure.
import type { Fault } from "../../base/fault.ts";
import type { Seen } from "../tool.ts";

export function faultSeen({ code, message, hint }: Fault): Seen {
  return { ok: false, text: `${code}: ${message}\n${hint}`, again: null, block_id: null, suggests: null };
}

export function unknownTool(name: string, known: readonly string[]): Seen {
  const text = `no tool is called "${name}"\nThe tools are: ${known.join(", ")}`;
  return { ok: false, text, again: null, block_id: null, suggests: null };
}
