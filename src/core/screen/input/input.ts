// A caller's input as bytes: text, then a paste, then keys, then the mouse, encoded by the terminal's
// current modes. If one part is refused, nothing is typed.
import type { Input } from "../../../protocol/ops.ts";
import type { DeepReadonly } from "../../base/deep-readonly.ts";
import { type Fault, fault, isFault } from "../../base/fault.ts";
import { withoutControls } from "../../base/invisible.ts";
import { utf8 } from "../../base/utf8.ts";
import { encodeKeys, type KeyModes } from "./keys.ts";
import { encodeMouse, type MouseModes, type MouseScreen, type MouseSpec } from "./mouse.ts";

export type InputSpec = DeepReadonly<Pick<Input<"pty_send">, "text" | "paste" | "keys" | "mouse">>;

interface InputModes extends KeyModes, MouseModes {
  readonly bracketed_paste: boolean;
}

/** `screen` is what the mouse points at: the screen that the caller sees now, before any of this is typed. */
export function encodeInput(spec: InputSpec, modes: InputModes, screen?: MouseScreen): Uint8Array | Fault {
  const { text, paste, mouse } = spec;
  if (text === undefined && paste === undefined && spec.keys === undefined && mouse === undefined) {
    return fault("input.invalid", "nothing to send", "Give text, paste, keys, click or scroll.");
  }
  const keys = encodeKeys(spec.keys ?? [], modes);
  if (isFault(keys)) return keys;
  const pointed = mouse ? point(mouse, modes, screen) : new Uint8Array(0);
  if (isFault(pointed)) return pointed;
  return join([typed(text ?? ""), pasted(paste ?? "", modes), keys, pointed]);
}

function point(mouse: MouseSpec, modes: InputModes, screen: MouseScreen | undefined): Uint8Array | Fault {
  if (!screen) throw new Error("mouse input without a screen");
  return encodeMouse(mouse, modes, screen);
}

/** A line break that is typed is the Enter key. */
function typed(text: string): Uint8Array {
  return utf8(text.replace(/\r?\n/g, "\r"));
}

function pasted(text: string, modes: InputModes): Uint8Array {
  if (text === "") return new Uint8Array(0);
  if (!modes.bracketed_paste) return typed(withoutControls(text));
  // The end mark inside the text would end the paste early and run the rest as keys.
  const safe = withoutControls(text.replaceAll("\x1b[201~", "")).replace(/\r?\n/g, "\r");
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
