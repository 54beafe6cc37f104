// What a card says about its command, in words. Pure.
import { marked } from "../../src/core/base/invisible.ts";
import type { Block } from "../../src/protocol/ops/blocks.ts";
import { hostOf } from "../hosts/words.ts";
import { statusOf } from "../sessions/command-words.ts";
import { holderOf } from "../sessions/labels.ts";
import { insideWord } from "../sessions/words.ts";

interface Who {
  readonly kind: "you" | "guest" | "agent";
  readonly word: string;
}

export function whoOf(actor: string): Who {
  const { kind, word } = holderOf(actor);
  if (kind === "agent") return { kind, word: word === "agent" ? word : `agent ${word}` };
  return kind === "guest" ? { kind, word } : { kind: "you", word: "you" };
}

/** "npm test, by agent claude, exit 1" */
export function cardLabel(block: Block): string {
  const line = firstLine(block.cmd);
  const host = hostOf(block.block_id);
  return `${line}, ${host ? `on ${host}, ` : ""}by ${whoOf(block.actor).word}, ${statusOf(block).word}`;
}

/** Its folder, or where the shell inside is that it ran in: "ssh desk:/srv". */
export function cardPlace({ cwd, nested }: Block): string {
  return nested ? insideWord(nested) : marked(cwd ?? "");
}

export function firstLine(cmd: string | null): string {
  return cmd === null ? "a command" : (cmd.split("\n", 1)[0] ?? "");
}
