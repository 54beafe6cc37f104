// What a caller wants typed, as bytes: text, then keys, then a paste, encoded by the terminal's current modes.
import { type Fault, fault, isFault } from "../base/fault.ts";
import { encodeKeys, type KeyModes, utf8 } from "./keys.ts";

export interface InputSpec {
  readonly text?: string | undefined;
  readonly keys?: readonly string[] | undefined;
  readonly paste?: string | undefined;
}

export interface InputModes extends KeyModes {
  readonly bracketed_paste: boolean;
}

export function encodeInput(spec: InputSpec, modes: InputModes): Uint8Array | Fault {
  if (spec.text === undefined && spec.keys === undefined && spec.paste === undefined) {
    return fault("input.invalid", "nothing to send", "Give text, keys or paste.");
  }
  const keys = encodeKeys(spec.keys ?? [], modes);
  if (isFault(keys)) return keys;
  return join([typed(spec.text ?? ""), pasted(spec.paste ?? "", modes), keys]);
}

/** A line break that is typed is the Enter key. */
function typed(text: string): Uint8Array {
  return utf8(text.replace(/\r?\n/g, "\r"));
}

function pasted(text: string, modes: InputModes): Uint8Array {
  if (text === "") return new Uint8Array(0);
  if (!modes.bracketed_paste) return typed(text);
  // The end mark inside the text would end the paste early and run the rest as keys.
  const safe = text.replaceAll("\x1b[201~", "").replace(/\r?\n/g, "\r");
  return utf8(`\x1b[200~${safe}\x1b[201~`);
}

function join(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
