// The half line at the shell's own prompt: typed ahead while a command ran, or typed there by somebody else. Owns: what the
// daemon says of it, whether keys of this page may stand in it, and the one request that takes it.
import { type Accessor, createSignal } from "solid-js";
import type { ToViewer } from "../../src/protocol/stream.ts";

type Taken = Extract<ToViewer, { type: "lifted" }>;
type Half = Pick<Extract<ToViewer, { type: "line" }>, "text" | "actor">;

const NONE: Half = { text: "", actor: "" };

export interface ShellLine {
  readonly half: Accessor<Half>;
  /** True while the daemon is asked for it. */
  readonly isTaking: Accessor<boolean>;
  /** Keys of this page went to the terminal and may not have been read by a program. */
  isDue(): boolean;
  /** This page sent keys to the terminal. */
  typed(): void;
  /** Nothing of this page stands there any more. */
  done(): void;
  /** Takes it away from the shell. Undefined: the shell is not at a prompt, or nobody answers. */
  take(): Promise<Taken | undefined>;
  /** Resolves when nothing is asked any more: an answer that nobody hears would be lost with its text. */
  answered(): Promise<unknown>;
  onMessage(message: ToViewer): void;
}

/** `lift` asks the daemon, after the keys that were sent before. False when there is no connection. */
export function createShellLine(lift: () => boolean): ShellLine {
  const [half, setHalf] = createSignal<Half>(NONE);
  const [isTaking, setTaking] = createSignal(false);
  let isDue = false;
  let asked: Promise<Taken | undefined> | undefined;
  let answer: (taken: Taken | undefined) => void = () => undefined;

  function settle(taken: Taken | undefined): void {
    asked = undefined;
    setTaking(false);
    answer(taken);
  }

  return {
    half,
    isTaking,
    isDue: () => isDue,
    typed() {
      isDue = true;
    },
    done() {
      isDue = false;
    },
    take() {
      if (asked) return asked;
      if (!lift()) return Promise.resolve(undefined);
      setTaking(true);
      asked = new Promise((resolve) => {
        answer = resolve;
      });
      return asked;
    },
    answered: () => asked ?? Promise.resolve(),
    onMessage(message) {
      if (message.type === "line") setHalf({ text: message.text, actor: message.actor });
      if (message.type === "hello") {
        // A new connection does not answer what the last one was asked.
        setHalf(NONE);
        settle(undefined);
      }
      if (message.type !== "lifted") return;
      // Null: a command runs, so the keys may still be on their way.
      if (message.text !== null) isDue = false;
      settle(message.text === null ? undefined : message);
    },
  };
}
