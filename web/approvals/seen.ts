// Which ends of the question's texts have been in view. Owns: that, for as long as the question's card is there. Nobody approves
// what they did not see: not below the fold, not scrolled away, not behind a dialog.
import { type Accessor, createEffect, createSignal, onCleanup } from "solid-js";

/** Soon enough that nobody waits for it. */
const LOOK_MS = 100;

interface End {
  readonly el: HTMLElement;
  /** For the person: "the end of the command". */
  readonly name: string;
}

export interface Seen {
  /** Whether there is a question, and both ends of each of its texts were in view. */
  readonly all: Accessor<boolean>;
  /** What was not in view yet, by name. */
  readonly missing: Accessor<readonly string[]>;
  /** One end of a text, until its component is gone. */
  watch(el: HTMLElement, name: string): void;
  /** Scrolls on by one page, towards what was not in view yet. */
  showMore(): void;
}

export function createSeen(): Seen {
  const [ends, setEnds] = createSignal<readonly End[]>([]);
  const [unseen, setUnseen] = createSignal<readonly End[]>([]);
  // What a look did not find. Before the first look nothing is said to be missing: that line would come and go at once.
  const [missed, setMissed] = createSignal<readonly End[]>([]);
  const look = () => {
    const left = unseen().filter(({ el }) => !isInView(el));
    setMissed((known) => (known.length === left.length ? known : left));
    if (left.length < unseen().length) setUnseen(left);
  };
  createEffect(() => {
    if (unseen().length === 0) return;
    // Before the next picture. Inside an effect nothing stands in the page yet.
    queueMicrotask(look);
    const timer = setInterval(look, LOOK_MS);
    onCleanup(() => clearInterval(timer));
  });
  return {
    all: () => ends().length > 0 && unseen().length === 0,
    missing: () => missed().map(({ name }) => name),
    watch(el, name) {
      const end = { el, name };
      setEnds((all) => [...all, end]);
      setUnseen((all) => [...all, end]);
      onCleanup(() => {
        const others = (all: readonly End[]) => all.filter((one) => one !== end);
        setEnds(others);
        setUnseen(others);
        setMissed(others);
      });
    },
    showMore() {
      const el = unseen()[0]?.el;
      const text = el?.parentElement;
      if (!el || !text) return;
      const isAtEnd = text.scrollTop + text.clientHeight >= text.scrollHeight - 1;
      if (isAtEnd) el.scrollIntoView({ block: "nearest" });
      else text.scrollBy({ top: Math.max(1, text.clientHeight - el.offsetHeight) });
    },
  };
}

/** Whether a person who looks at the page sees it. What clips or covers it is found in its place. */
function isInView(el: HTMLElement): boolean {
  if (document.hidden) return false;
  const { left, top, width, height } = el.getBoundingClientRect();
  const found = document.elementFromPoint(left + width / 2, top + height / 2);
  return found !== null && el.parentElement?.contains(found) === true;
}
