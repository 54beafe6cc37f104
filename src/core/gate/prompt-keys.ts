// What an agent may do at a shell's prompt without asking: change the line, and enter it. The person's own key bindings decide
// what a typed byte does there, so none is typed: the shell gets the changes by name, and at Enter it asks the gate. Ctrl+C
// alone is typed, because the kernel acts on it. Pure.
import type { Cancelled } from "../base/cancellation.ts";
import { type Fault, fault } from "../base/fault.ts";
import { Utf8 } from "../base/utf8.ts";

const [INTERRUPT, TAB, LF, CR, ESC, DEL] = [0x03, 0x09, 0x0a, 0x0d, 0x1b, 0x7f];

/** What the scripts in shell/ can do to the line. Text to insert has an equals sign before it. */
export type LineEdit =
  | `=${string}`
  | "left"
  | "right"
  | "home"
  | "end"
  | "back"
  | "delete"
  /** Erases to the end, to the beginning, and the word before the cursor. */
  | "kill"
  | "clear"
  | "word";

export type Typed = "written" | "shut" | Fault;

/** What follows on keys by the same yes. */
export interface Sequel {
  /** All that a person is asked about. */
  readonly all: readonly Uint8Array[];
  run(press: Press): Promise<Typed>;
}

/** `before` runs right before the write. */
export type Press = (bytes: Uint8Array, before: () => Fault | undefined) => Promise<Typed>;

export interface KeysOptions {
  readonly cancelled?: Cancelled | undefined;
  /** Runs right before the first write. */
  readonly before?: (() => Fault | undefined) | undefined;
  readonly sequel?: Sequel | undefined;
  /** It was given as a paste, whatever the terminal makes of it. */
  readonly pasted?: boolean;
}

/** Why keys that waited are not typed any more. */
export function unwanted(cancelled: Cancelled | undefined): () => Fault | undefined {
  let isGone = false;
  cancelled?.onCancel(() => {
    isGone = true;
  });
  return () => (isGone ? fault("gate.denied", "whoever sent it has gone", "Send it again.") : undefined);
}

/** Has the shell change the line at its prompt, and then `enter` it. */
export type EditLine = (
  edits: readonly LineEdit[],
  press: (key: Uint8Array) => Promise<Typed>,
  enter: (() => Promise<Typed>) | undefined,
) => Promise<Typed>;

type PromptKeys = { readonly do: "interrupt" } | EditKeys;
export interface EditKeys {
  readonly do: "edit";
  readonly edits: readonly LineEdit[];
  readonly enters: boolean;
}

const CONTROLS: ReadonlyMap<number, LineEdit> = new Map([
  [0x01, "home"],
  [0x02, "left"],
  [0x05, "end"],
  [0x06, "right"],
  [0x08, "back"],
  [0x0b, "kill"],
  [0x15, "clear"],
  [0x17, "word"],
  [DEL, "back"],
]);

/** Left, Right, Home, End, Delete. Not Up and Down: they would let an agent change lines of the person's history. */
const SEQUENCE = /^\x1b(?:[[O]([CDHF])|\[([13478])~)/;
const SEQUENCES: ReadonlyMap<string, LineEdit> = new Map([
  ["D", "left"],
  ["C", "right"],
  ["H", "home"],
  ["F", "end"],
  ["1", "home"],
  ["7", "home"],
  ["4", "end"],
  ["8", "end"],
  ["3", "delete"],
]);
const PASTE = /^\x1b\[200~([^\x1b]*)\x1b\[201~/;
const TEXT = /^[^\x00-\x1f\x7f]+/;

/** Undefined: they would do more than change this line, or they are not text. Enter comes last, because a program may follow. */
export function promptKeys(bytes: Uint8Array): PromptKeys | undefined {
  if (bytes.length === 1 && bytes[0] === INTERRUPT) return { do: "interrupt" };
  let keys = decoded(bytes);
  if (keys === undefined) return undefined;
  const edits: LineEdit[] = [];
  while (keys !== "") {
    const code = keys.charCodeAt(0);
    if (code === CR || code === LF) return keys.length === 1 ? { do: "edit", edits, enters: true } : undefined;
    const next = code === ESC ? afterEscape(keys) : ([TEXT.exec(keys)?.[0] ?? "", CONTROLS.get(code)] as const);
    if (next === undefined) return undefined;
    const [taken, edit] = next;
    if (taken === "" && edit === undefined) return undefined;
    edits.push(edit ?? `=${taken}`);
    keys = keys.slice(taken === "" ? 1 : taken.length);
  }
  return { do: "edit", edits, enters: false };
}

/** Text and Enter. */
export function isWholeLine(bytes: Uint8Array): boolean {
  const keys = promptKeys(bytes);
  return keys?.do === "edit" && keys.enters && keys.edits.length > 0;
}

/** What was read, and what it does. */
function afterEscape(keys: string): readonly [string, LineEdit] | undefined {
  const [paste, pasted] = PASTE.exec(keys) ?? [];
  if (paste !== undefined && pasted !== undefined) {
    const text = pasted.replace(/\r\n?/g, "\n");
    return [...text].some((char) => isControl(char)) ? undefined : [paste, `=${text}`];
  }
  const [sequence = "", letter, digit] = SEQUENCE.exec(keys) ?? [];
  const edit = SEQUENCES.get(letter ?? digit ?? "");
  return edit && [sequence, edit];
}

function isControl(char: string): boolean {
  const code = char.charCodeAt(0);
  return (code < 0x20 && code !== TAB && code !== LF) || code === DEL;
}

/** Undefined: it is not UTF-8, or shows as if it were not. */
function decoded(bytes: Uint8Array): string | undefined {
  const utf8 = new Utf8();
  const text = utf8.text(bytes) + utf8.end();
  return text.includes("\ufffd") ? undefined : text;
}
