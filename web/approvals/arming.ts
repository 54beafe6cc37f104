// When a question can be answered. It can be denied once it has been visible for a while, and approved once both ends of its texts
// have been, too (seen.ts). When the queue changes, buttons may have moved, so the time starts again.
import { type Accessor, createEffect, createMemo, createSignal, on, onCleanup } from "solid-js";
import { createSeen, type Seen } from "./seen.ts";

/** A question must have been visible this long before it can be answered. A reflex is not an answer. */
const ARM_MS = 400;

export interface Arming {
  /** It can be denied. */
  readonly inSight: Accessor<boolean>;
  /** It can be approved. */
  readonly armed: Accessor<boolean>;
  readonly seen: Seen;
}

/** `queue`: the question and what else moves its buttons. */
export function createArming(queue: Accessor<string>): Arming {
  const [seen, isVisible] = [createSeen(), createVisible()];
  const inSight = createLasting(queue, isVisible);
  return { inSight, armed: createLasting(queue, () => isVisible() && seen.all()), seen };
}

/** Whether the page can be seen at all. */
function createVisible(): Accessor<boolean> {
  const [visible, setVisible] = createSignal(!document.hidden);
  const look = () => setVisible(!document.hidden);
  document.addEventListener("visibilitychange", look);
  onCleanup(() => document.removeEventListener("visibilitychange", look));
  return visible;
}

/** True once it has been so for ARM_MS while the key stayed the same. */
function createLasting(key: Accessor<string>, isSo: Accessor<boolean>): Accessor<boolean> {
  const [lasting, setLasting] = createSignal(false);
  createEffect(
    on([key, createMemo(isSo)], ([, so]) => {
      setLasting(false);
      if (!so) return;
      // The time starts with the frame that shows it, because a busy page draws late and handles earlier keys late.
      let timer: ReturnType<typeof setTimeout> | undefined;
      const frame = requestAnimationFrame(() => {
        timer = setTimeout(() => setLasting(true), ARM_MS);
      });
      onCleanup(() => {
        cancelAnimationFrame(frame);
        clearTimeout(timer);
      });
    }),
  );
  return lasting;
}
