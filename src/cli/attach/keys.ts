// What a key means while attached: something for the program, or something for duetty. Pure: state and bytes in, actions
// and the state after them out. Refuses: to let a paste, or a key that was meant for the program, answer a request. Ctrl+Y turns to
// the request first, and only then y is a yes. Enter never is.
//
// Ctrl+` also changes the mode on terminals that can send it (CSI 96;5u or CSI 27;5;96~). Elsewhere it is NUL, which is
// also Ctrl+Space. Editors and shells set their mark with it, so NUL belongs to the program and Ctrl+T changes the mode.

import type { FromViewer } from "../../protocol/stream.ts";
import type { Mode } from "../../protocol/words/policy.ts";
import { isAtWork } from "./agent-status.ts";
import { MODIFIERS, nameOf } from "./key-names.ts";
import { type MouseReport, type Place, placed, readMouse, writeMouse } from "./mouse.ts";
import type { OuterModes } from "./outer-screen.ts";
import { heldBack, PASTE_BEGIN, PASTE_END } from "./pasting.ts";
import type { Reading } from "./question.ts";
import { type AttachState, agentHolds, answerTo, isTalking, isYesOrNo, nextNeed, proposed } from "./state.ts";

/** A request must have been visible this long before a key answers it. A reflex is not an answer. */
export const ARM_MS = 400;

export type KeyAction =
  | { readonly do: "type"; readonly bytes: Buffer }
  | { readonly do: "send"; readonly message: FromViewer }
  /** To another session that needs the person. */
  | { readonly do: "go"; readonly session_id: string }
  | { readonly do: "detach" };

/** Input at an agent's prompt, one byte per character. */
export type PromptInput =
  | { readonly type: "text"; readonly bytes: string }
  | { readonly type: "paste"; readonly bytes: string }
  | { readonly type: "key"; readonly sequence: string }
  | { readonly type: "wheel"; readonly by: -1 | 1 };

/** The state that one chunk of input leaves for the next. */
export interface Unfinished {
  /** Bytes of a sequence that continues in the next chunk, one byte per character. */
  readonly tail: string;
  readonly isPasting: boolean;
  /** A button went down in the program. */
  readonly isDragging: boolean;
  /** Keys whose press we used, so their release is ours too. */
  readonly ours: readonly string[];
}

export const NOTHING_OPEN: Unfinished = { tail: "", isPasting: false, isDragging: false, ours: [] };

export interface KeyState {
  readonly state: AttachState;
  readonly open: Unfinished;
}

export interface Surroundings {
  /** Monotonic. */
  readonly now: number;
  readonly modes: Pick<OuterModes, "bracketed_paste" | "mouse_format">;
  readonly place: Place;
  readonly reading: Reading;
}

const TOKENS = /\x1b\[<[\d;]*[Mm]|\x1b\[M[\s\S]{3}|\x1b\[[0-?]*[ -/]*[@-~]|\x1bO[\s\S]|\x1b[^\x1b]|[\s\S]/g;
/** The beginning of a mouse report or a paste. Nobody types these; the rest comes with the next chunk. */
const CUT_OFF = /\x1b\[(?:<[\d;]*|M[\s\S]{0,2}|2|20|200)$/;
const ANSWERS = new Set(["y", "Y", "n", "N", "ctrl+c"]);
const LEAVES = new Set(["q", "enter", "escape", "ctrl+c"]);
/** Keys that turn the pages of a question: Space, Page Down and Up, arrows. */
const PAGES: Readonly<Record<string, 1 | -1>> = {
  " ": 1,
  "\x1b[6~": 1,
  "\x1b[B": 1,
  "\x1bOB": 1,
  "\x1b[5~": -1,
  "\x1b[A": -1,
  "\x1bOA": -1,
};
const [WHEEL_UP, WHEEL_DOWN] = [64, 65];
const NEXT: Readonly<Record<Mode, Mode>> = {
  terminal: "agent_terminal",
  agent_terminal: "agent",
  agent: "terminal",
};

interface Pressed extends KeyState {
  readonly actions: KeyAction[];
  readonly prompt: PromptInput[];
}

export function press(before: KeyState, bytes: Buffer, around: Surroundings): Pressed {
  const keys = new Presses(before, around);
  keys.take(bytes.toString("latin1"));
  return keys.result;
}

class Presses {
  #state: AttachState;
  #open: Unfinished;
  #around: Surroundings;
  #actions: KeyAction[] = [];
  #prompt: PromptInput[] = [];
  #typed = "";

  constructor({ state, open }: KeyState, around: Surroundings) {
    this.#state = state;
    this.#open = open;
    this.#around = around;
  }

  get result(): Pressed {
    this.#flush();
    return { state: this.#state, open: this.#open, actions: this.#actions, prompt: this.#prompt };
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
    if (this.#wantsBrackets) this.#type(PASTE_BEGIN);
    return text.slice(paste + PASTE_BEGIN.length);
  }

  #paste(text: string): string {
    const end = text.indexOf(PASTE_END);
    const reads = this.#wantsBrackets || isTalking(this.#state) ? "keys" : "lines";
    const tail = end < 0 ? heldBack(text, reads) : "";
    const pasted = end < 0 ? text.slice(0, text.length - tail.length) : text.slice(0, end);
    if (isTalking(this.#state)) this.#say({ type: "paste", bytes: pasted });
    else this.#type(pasted);
    this.#open = { ...this.#open, tail, isPasting: end < 0 };
    if (end < 0) return "";
    if (this.#wantsBrackets) this.#type(PASTE_END);
    return text.slice(end + PASTE_END.length);
  }

  get #wantsBrackets(): boolean {
    return this.#around.modes.bracketed_paste && !isTalking(this.#state);
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

  /** What the key means to duetty. Undefined when it is for the program. */
  #ours(name: string): KeyAction[] | undefined {
    if (name === "ctrl+\\" || (this.#state.over && LEAVES.has(name))) return [{ do: "detach" }];
    if (this.#state.role !== "person") return undefined;
    // A repeated key, for example one held down, was meant for the question that is already answered.
    if (ANSWERS.has(name) && this.#around.now - this.#state.answeredAt < ARM_MS) return [];
    const isTurned = proposed(this.#state) !== undefined && this.#state.focus === "question";
    return (isTurned ? this.#questionKey(name) : undefined) ?? this.#commonKey(name);
  }

  /** A key of a person who turned to the question. */
  #questionKey(name: string): KeyAction[] | undefined {
    if (name === "y" || name === "Y") return this.#answer("approve");
    if (name === "n" || name === "N") return this.#answer("deny");
    if (name === "enter") return [];
    const pages = PAGES[name];
    return pages === undefined ? undefined : this.#scroll(pages);
  }

  #commonKey(name: string): KeyAction[] | undefined {
    switch (name) {
      case "ctrl+t":
      case "ctrl+`":
        return this.#turn();
      case "ctrl+]":
        return [{ do: "send", message: { type: this.#state.hold === "person" ? "release" : "take" } }];
      case "ctrl+y":
        return this.#showRequest();
      case "ctrl+^":
      case "ctrl+6": {
        const session_id = nextNeed(this.#state);
        return session_id ? [{ do: "go", session_id }] : undefined;
      }
      case "escape":
        return this.#isStoppable ? [{ do: "send", message: { type: "stop" } }] : undefined;
      case "ctrl+c":
        return proposed(this.#state) && this.#isShown ? this.#answer("deny") : undefined;
      default:
        return undefined;
    }
  }

  /** A person who came to talk switches between the two views. A working agent goes on while they watch. */
  #turn(): KeyAction[] {
    const { mode, talks, agent } = this.#state;
    const isBack = talks === "first" && mode !== "agent";
    const next = isBack ? "agent" : mode === "agent" && isAtWork(agent) ? "agent_terminal" : NEXT[mode];
    if (next === "agent") this.#state = { ...this.#state, talks: talks ?? "too" };
    return [{ do: "send", message: { type: "mode", mode: next } }];
  }

  /** A program often uses Escape itself, so there it counts only against agents that type or ask. */
  get #isStoppable(): boolean {
    const isWorking = isTalking(this.#state) && isAtWork(this.#state.agent);
    return agentHolds(this.#state) || proposed(this.#state) !== undefined || isWorking;
  }

  /** Turns to the question. One that was aside must be read anew. */
  #showRequest(): KeyAction[] | undefined {
    if (this.#state.approvals.length === 0) return undefined;
    const anew = this.#state.aside ? { shownAt: this.#around.now, scrolled: 0 } : {};
    this.#state = { ...this.#state, aside: false, focus: "question", ...anew };
    return [];
  }

  /** A page shares a row with the next one, so nothing is skipped. Each must be read before a yes. */
  #scroll(pages: number): KeyAction[] {
    const { page, last } = this.#around.reading;
    const to = this.#state.scrolled + pages * Math.max(1, page - 1);
    this.#state = { ...this.#state, scrolled: Math.max(0, Math.min(last, to)), shownAt: this.#around.now };
    return [];
  }

  get #isShown(): boolean {
    return this.#around.now - this.#state.shownAt >= ARM_MS;
  }

  #answer(answer: "approve" | "deny"): KeyAction[] {
    const approval = proposed(this.#state);
    if (!approval || !this.#isShown) return [];
    if (answer === "approve" && !(isYesOrNo(approval) && this.#around.reading.isWhole)) return [];
    this.#state = { ...this.#state, answeredAt: this.#around.now };
    return [{ do: "send", message: answerTo(approval, answer) }];
  }

  #mouse(report: MouseReport): void {
    if (isTalking(this.#state)) {
      if (report.code === WHEEL_UP) this.#say({ type: "wheel", by: -1 });
      if (report.code === WHEEL_DOWN) this.#say({ type: "wheel", by: 1 });
      return;
    }
    const there = placed(report, this.#around.place, this.#open.isDragging ? "under way" : "none");
    const text = there && writeMouse(there, this.#around.modes.mouse_format);
    if (report.kind !== "other")
      this.#open = { ...this.#open, isDragging: report.kind === "press" && text !== undefined };
    if (text !== undefined) this.#pass(text);
  }

  /** The person types into the program, so requests step aside. */
  #type(text: string): void {
    this.#state = { ...this.#state, focus: "program" };
    if (isTalking(this.#state)) return this.#write(text);
    if (this.#state.role === "watch" || this.#state.mode === "agent") return;
    this.#typed += text;
    if (this.#state.approvals.length > 0) this.#state = { ...this.#state, aside: true };
  }

  /** For the agent's prompt. The question stays visible and is answered from there. */
  #write(token: string): void {
    const isText = token.length === 1 && token >= " " && token !== "\x7f";
    const last = this.#prompt.at(-1);
    if (!isText) this.#prompt.push({ type: "key", sequence: token });
    else if (last?.type !== "text") this.#say({ type: "text", bytes: token });
    else this.#prompt[this.#prompt.length - 1] = { type: "text", bytes: last.bytes + token };
  }

  #say(input: PromptInput): void {
    this.#prompt.push(input);
  }

  #pass(text: string): void {
    if (this.#state.role !== "watch" && this.#state.mode !== "agent") this.#typed += text;
  }

  #flush(): void {
    if (this.#typed !== "") this.#actions.push({ do: "type", bytes: Buffer.from(this.#typed, "latin1") });
    this.#typed = "";
  }
}
