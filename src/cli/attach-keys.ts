// What a key means while attached: something for the program, or something for duetty. Pure: state and bytes in, actions
// and the state after them out. Refuses: to let a paste, or a key that was meant for the program, answer a request.
//
// Ctrl+` also turns the mode, on terminals that can say it (CSI 96;5u or CSI 27;5;96~). Elsewhere it is NUL, which is
// Ctrl+Space too: editors and shells set their mark with it, so NUL belongs to the program and Ctrl+T does it.
import type { FromViewer } from "../protocol/stream.ts";
import { type MouseReport, type Place, placed, readMouse, writeMouse } from "./attach-mouse.ts";
import type { OuterModes } from "./attach-screen.ts";
import { type AttachState, agentHolds, isYesOrNo, type Mode, proposed } from "./attach-state.ts";

/** A request must have been in front of the person for so long before a key answers it: a reflex is no answer. */
export const ARM_MS = 400;

export type KeyAction =
  | { readonly do: "type"; readonly bytes: Buffer }
  | { readonly do: "send"; readonly message: FromViewer }
  | { readonly do: "detach" };

/** What a chunk of input left open. */
export interface Unfinished {
  /** Bytes of a sequence that goes on in the next chunk, one a character. */
  readonly tail: string;
  readonly isPasting: boolean;
  /** A button went down in the program. */
  readonly isDragging: boolean;
  /** Keys whose press was ours: their release is too. */
  readonly ours: readonly string[];
}

export const NOTHING_OPEN: Unfinished = { tail: "", isPasting: false, isDragging: false, ours: [] };

export interface Keyboard {
  readonly state: AttachState;
  readonly open: Unfinished;
}

export interface Surroundings {
  /** Monotonic. */
  readonly now: number;
  readonly modes: Pick<OuterModes, "bracketed_paste" | "mouse_format">;
  readonly place: Place;
  /** Whether the person can see all of what is proposed. */
  readonly isReadable: boolean;
}

const PASTE_BEGIN = "\x1b[200~";
const PASTE_END = "\x1b[201~";
const TOKENS = /\x1b\[<[\d;]*[Mm]|\x1b\[M[\s\S]{3}|\x1b\[[0-?]*[ -/]*[@-~]|\x1bO[\s\S]|\x1b[^\x1b]|[\s\S]/g;
/** The beginning of a mouse report or a paste. Nobody types these; the rest comes with the next chunk. */
const CUT_OFF = /\x1b\[(?:<[\d;]*|M[\s\S]{0,2}|2|20|200)$/;
const NEXT: Readonly<Record<Mode, Mode>> = {
  terminal: "agent_terminal",
  agent_terminal: "agent",
  agent: "terminal",
};

export function press(keyboard: Keyboard, bytes: Buffer, around: Surroundings): Keyboard & { actions: KeyAction[] } {
  const keys = new Presses(keyboard, around);
  keys.take(bytes.toString("latin1"));
  return keys.result;
}

class Presses {
  #state: AttachState;
  #open: Unfinished;
  #around: Surroundings;
  #actions: KeyAction[] = [];
  #typed = "";

  constructor({ state, open }: Keyboard, around: Surroundings) {
    this.#state = state;
    this.#open = open;
    this.#around = around;
  }

  get result(): Keyboard & { actions: KeyAction[] } {
    this.#flush();
    return { state: this.#state, open: this.#open, actions: this.#actions };
  }

  take(chunk: string): void {
    if (chunk === "\x1b" && !this.#open.isPasting && this.#open.tail === "") return this.#key("\x1b", "escape");
    let rest = this.#open.tail + chunk;
    this.#open = { ...this.#open, tail: "" };
    while (rest !== "") rest = this.#open.isPasting ? this.#paste(rest) : this.#keys(rest);
  }

  /** Up to the beginning of a paste; returns what follows it. */
  #keys(text: string): string {
    const paste = text.indexOf(PASTE_BEGIN);
    const before = paste < 0 ? text : text.slice(0, paste);
    const cut = paste < 0 ? CUT_OFF.exec(before) : null;
    for (const token of before.slice(0, cut?.index).match(TOKENS) ?? []) this.#token(token);
    this.#open = { ...this.#open, tail: cut?.[0] ?? "", isPasting: paste >= 0 };
    if (paste < 0) return "";
    if (this.#around.modes.bracketed_paste) this.#type(PASTE_BEGIN);
    return text.slice(paste + PASTE_BEGIN.length);
  }

  #paste(text: string): string {
    const end = text.indexOf(PASTE_END);
    const tail = end < 0 ? unfinishedEnd(text) : "";
    this.#type(end < 0 ? text.slice(0, text.length - tail.length) : text.slice(0, end));
    this.#open = { ...this.#open, tail, isPasting: end < 0 };
    if (end < 0) return "";
    if (this.#around.modes.bracketed_paste) this.#type(PASTE_END);
    return text.slice(end + PASTE_END.length);
  }

  #token(token: string): void {
    const mouse = readMouse(token);
    if (mouse) return this.#mouse(mouse);
    if (token === "\x1b[I" || token === "\x1b[O") return this.#pass(token);
    if (MODIFIERS.test(token)) return this.#pass(token);
    const { name, event } = nameOf(token);
    if (event === "release") {
      const ours = this.#open.ours.includes(name);
      this.#open = { ...this.#open, ours: this.#open.ours.filter((other) => other !== name) };
      if (!ours) this.#pass(token);
      return;
    }
    this.#key(token, name);
  }

  #key(token: string, name: string): void {
    const actions = this.#ours(name);
    if (!actions) return this.#type(token);
    this.#flush();
    this.#actions.push(...actions);
    if (token.endsWith("u")) this.#open = { ...this.#open, ours: [...this.#open.ours, name] };
  }

  /** What the key means to duetty; undefined: nothing, it is the program's. */
  #ours(name: string): KeyAction[] | undefined {
    if (name === "ctrl+\\") return [{ do: "detach" }];
    if (this.#state.role !== "person") return undefined;
    switch (name) {
      case "ctrl+t":
      case "ctrl+`":
        return [{ do: "send", message: { type: "mode", mode: NEXT[this.#state.mode] } }];
      case "ctrl+]":
        return [{ do: "send", message: { type: this.#state.hold === "person" ? "release" : "take" } }];
      case "ctrl+y":
        return this.#look();
      case "escape":
        return agentHolds(this.#state) || proposed(this.#state)
          ? [{ do: "send", message: { type: "stop" } }]
          : undefined;
      case "enter":
        return this.#answer("approve");
      case "ctrl+c":
        return this.#answer("deny");
      default:
        return undefined;
    }
  }

  #look(): KeyAction[] | undefined {
    if (!this.#state.aside || this.#state.approvals.length === 0) return undefined;
    this.#state = { ...this.#state, aside: false, shownAt: this.#around.now };
    return [];
  }

  #answer(answer: "approve" | "deny"): KeyAction[] | undefined {
    const { now } = this.#around;
    // The same key once more, as when it is held down: it was meant for what is already answered.
    if (now - this.#state.answeredAt < ARM_MS) return [];
    const approval = proposed(this.#state);
    if (!approval || now - this.#state.shownAt < ARM_MS) return undefined;
    if (answer === "approve" && !isYesOrNo(approval)) return undefined;
    if (answer === "approve" && !this.#around.isReadable) return [];
    this.#state = { ...this.#state, answeredAt: now };
    return [{ do: "send", message: { type: "answer", approval_id: approval.approval_id, answer } }];
  }

  #mouse(report: MouseReport): void {
    const there = placed(report, this.#around.place, this.#open.isDragging);
    const text = there && writeMouse(there, this.#around.modes.mouse_format);
    if (report.kind !== "other")
      this.#open = { ...this.#open, isDragging: report.kind === "press" && text !== undefined };
    if (text !== undefined) this.#pass(text);
  }

  /** Typing goes on with the program: requests step aside. */
  #type(text: string): void {
    if (this.#state.role === "watch" || this.#state.mode === "agent") return;
    this.#typed += text;
    if (this.#state.approvals.length > 0) this.#state = { ...this.#state, aside: true };
  }

  #pass(text: string): void {
    if (this.#state.role !== "watch" && this.#state.mode !== "agent") this.#typed += text;
  }

  #flush(): void {
    if (this.#typed !== "") this.#actions.push({ do: "type", bytes: Buffer.from(this.#typed, "latin1") });
    this.#typed = "";
  }
}

/** The longest end of the text that may be the beginning of a paste's end. */
function unfinishedEnd(text: string): string {
  for (let length = PASTE_END.length - 1; length > 0; length -= 1)
    if (text.endsWith(PASTE_END.slice(0, length))) return text.slice(-length);
  return "";
}

const LEGACY: Readonly<Record<string, string>> = {
  "\x14": "ctrl+t",
  "\x1d": "ctrl+]",
  "\x19": "ctrl+y",
  "\x1c": "ctrl+\\",
  "\x03": "ctrl+c",
  "\r": "enter",
};
/** Kitty's form, with alternate keys, event and text; and xterm's for other keys. */
const KITTY = /^\x1b\[(\d+)(?::\d*)*(?:;(\d*)(?::(\d))?(?:;[\d:]*)?)?u$/;
const OTHER = /^\x1b\[27;(\d+);(\d+)~$/;
/** Shift, Ctrl and their kind alone, as a program may want to hear of them (57441 to 57454). */
const MODIFIERS = /^\x1b\[574(?:4[1-9]|5[0-4])[;:u]/;
const NAMED: Readonly<Record<number, string>> = { 13: "enter", 27: "escape" };
/** Caps and num lock change no meaning. */
const LOCKS = 64 | 128;
const CTRL = 4;

function nameOf(token: string): { name: string; event: "press" | "release" } {
  const legacy = LEGACY[token];
  if (legacy !== undefined) return { name: legacy, event: "press" };
  const kitty = KITTY.exec(token);
  const other = kitty ? null : OTHER.exec(token);
  if (!kitty && !other) return { name: token, event: /^\x1b\[[\d;:]*:3[~A-Z]$/.test(token) ? "release" : "press" };
  const code = Number(kitty?.[1] ?? other?.[2]);
  const mods = (Number(kitty?.[2] || other?.[1] || 1) - 1) & ~LOCKS;
  const key = NAMED[code] ?? String.fromCodePoint(Math.min(code, 0x10ffff));
  const name = mods === 0 ? key : mods === CTRL ? `ctrl+${key}` : token;
  return { name, event: kitty?.[3] === "3" ? "release" : "press" };
}
