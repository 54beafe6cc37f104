// Short messages that go away by themselves. Owns: how many and how long.
import { type Accessor, createSignal } from "solid-js";
import type { Fault } from "../wire/api.ts";

/** Long enough to read two sentences. */
const TOAST_MS = 8_000;
/** More would cover the terminal. */
const TOASTS_MAX = 3;

interface Toast {
  readonly id: number;
  /** Of the fault that it tells, if it tells one. */
  readonly code: string;
  readonly tone: "bad" | "info";
  readonly message: string;
  readonly hint: string;
}

export interface Toasts {
  readonly all: Accessor<readonly Toast[]>;
  fault(fault: Fault): void;
  notify(message: string): void;
  dismiss(id: number): void;
  /** What these say is no longer so. */
  over(isOver: (toast: Toast) => boolean): void;
}

export function createToasts(): Toasts {
  const [all, setAll] = createSignal<readonly Toast[]>([]);
  let last = 0;
  const dismiss = (id: number) => setAll((toasts) => toasts.filter((toast) => toast.id !== id));
  function add(toast: Omit<Toast, "id">): void {
    last += 1;
    const id = last;
    const isSame = (other: Toast) => other.message === toast.message;
    setAll((toasts) => [...toasts.filter((other) => !isSame(other)), { ...toast, id }].slice(-TOASTS_MAX));
    setTimeout(() => dismiss(id), TOAST_MS);
  }
  return {
    all,
    fault: ({ code, message, hint }) => add({ tone: "bad", code, message, hint }),
    notify: (message) => add({ tone: "info", code: "", message, hint: "" }),
    dismiss,
    over: (isOver) => setAll((toasts) => toasts.filter((toast) => !isOver(toast))),
  };
}
