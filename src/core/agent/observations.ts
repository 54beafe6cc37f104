// What an agent is told when there is nothing to see: faults, tools that do not exist, texts beyond all measure. Pure.
import type { Fault } from "../base/fault.ts";
import { OBSERVATION_CHARS_MAX } from "./limits.ts";
import type { Seen } from "./tool.ts";

export function faultSeen({ code, message, hint }: Fault): Seen {
  return { ok: false, text: `${code}: ${message}\n${hint}`, again: null, block_id: null, suggests: null };
}

export function unknownTool(name: string, known: readonly string[]): Seen {
  const text = `no tool is called "${name}"\nThe tools are: ${known.join(", ")}`;
  return { ok: false, text, again: null, block_id: null, suggests: null };
}

export function shortened(text: string): string {
  const rest = text.length - OBSERVATION_CHARS_MAX;
  return rest <= 0 ? text : `${text.slice(0, OBSERVATION_CHARS_MAX)}\n[cut: ${rest} more characters]`;
}
