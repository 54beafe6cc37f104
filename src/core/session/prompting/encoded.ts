// A prompt's text as bytes: a paste where the program takes pastes, else keys, in which a line break does not send. Pure.
import type { Box } from "../../agent-cli/preset.ts";
import { type Fault, fault, isFault } from "../../base/fault.ts";
import { encodeInput } from "../../screen/input/input.ts";

type Modes = Parameters<typeof encodeInput>[1];

export function encodedKeys(keys: readonly string[], modes: Modes): Uint8Array | Fault {
  return encodeInput({ keys }, modes);
}

export function encodedText(text: string, modes: Modes, box: Box | undefined): Uint8Array | Fault {
  if (modes.bracketed_paste) return encodeInput({ paste: text }, modes);
  // A typed Tab is a key of the program.
  const lines = text.replaceAll("\t", "  ").split("\n");
  if (lines.length > 1 && box?.newline === undefined)
    return fault("input.invalid", "this program takes no pastes, so a line break would send", "Give one line.");
  const whole: number[] = [];
  for (const [i, line] of lines.entries()) {
    const key = i > 0 && box?.newline !== undefined ? encodedKeys([box.newline], modes) : new Uint8Array(0);
    const typed = encodeInput({ paste: line }, modes);
    if (isFault(key)) return key;
    if (isFault(typed)) return typed;
    whole.push(...key, ...typed);
  }
  return Uint8Array.from(whole);
}
