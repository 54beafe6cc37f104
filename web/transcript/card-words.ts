// What a card says about its command, in words. Pure.
import type { Block } from "../../src/protocol/ops/blocks.ts";
import { statusOf } from "../sessions/command-words.ts";

interface Who {
  readonly kind: "you" | "agent";
  readonly word: string;
}

export function whoOf(actor: string): Who {
  if (!actor.startsWith("agent")) return { kind: "you", word: "you" };
  const name = actor.slice("agent:".length);
  return { kind: "agent", word: name === "" || name === "unnamed" ? "agent" : `agent ${name}` };
}

/** "npm test, by agent claude, exit 1" */
export function cardLabel(block: Block): string {
  const line = firstLine(block.cmd);
  return `${line}, by ${whoOf(block.actor).word}, ${statusOf(block).word}`;
}

export function firstLine(cmd: string | null): string {
  return cmd === null ? "a command" : (cmd.split("\n", 1)[0] ?? "");
}
