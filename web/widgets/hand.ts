// Whether a person scrolls, or what grew and shrank only moved. Owns: the time of the last gesture.

/** Scrolling may continue this long after the gesture that caused it, counted from the first frame that reported it. */
const HAND_MS = 1_000;
/** A wheel in motion sends events more often than this. */
const MOVING_MS = 150;
const SCROLLS = ["PageUp", "ArrowUp", "Home", " "];

export class Hand {
  #until = Number.NEGATIVE_INFINITY;
  #frame = 0;

  constructor(scroller: HTMLElement) {
    // A browser scrolls to what gets the focus by Tab.
    for (const gesture of ["wheel", "touchmove", "pointerdown", "keydown", "focusin"])
      scroller.addEventListener(gesture, (event) => scrolls(event) && this.#touched(), { passive: true });
  }

  /** Asked while it scrolls: a person does it, who may go on. */
  scrolls(): boolean {
    const byHand = performance.now() < this.#until;
    if (byHand) this.#touched();
    return byHand;
  }

  /** A person scrolls right now. */
  isMoving(): boolean {
    return performance.now() < this.#until - HAND_MS + MOVING_MS;
  }

  dispose(): void {
    cancelAnimationFrame(this.#frame);
  }

  /** A busy page learns of scrolling with its next frame, which may come late. */
  #touched(): void {
    this.#until = Number.POSITIVE_INFINITY;
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => {
      this.#until = performance.now() + HAND_MS;
    });
  }
}

/** Typing into the live terminal, or clicking there, scrolls nothing. */
function scrolls(event: Event): boolean {
  if (event instanceof KeyboardEvent && !SCROLLS.includes(event.key)) return false;
  return event.type === "wheel" || !(event.target instanceof Element && event.target.closest(".xterm"));
}
