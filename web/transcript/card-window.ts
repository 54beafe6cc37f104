// Which cards are drawn, and the scroll position of the list. Owns: the heights of cards, and that nothing moves under a
// person's eyes: at the end the list stays at its end, elsewhere the first card in sight stays where it is.
import { type Accessor, createSignal } from "solid-js";
import { Hand } from "../widgets/hand.ts";
import { inSight, sum, type Window, windowOf } from "./windowing.ts";

/** A card that was never drawn: its header and a few lines. */
const USUAL_PX = 96;
/** Closer than this counts as being at the end. */
const END_PX = 3;
/** The space above a card that we scroll to. */
const GAP_PX = 10;

interface Anchor {
  readonly id: string;
  /** Pixels from the top of the visible area. */
  readonly offset: number;
}

export class CardWindow {
  readonly window: Accessor<Window>;
  /** The end is visible and stays visible. */
  readonly atEnd: Accessor<boolean>;
  #setWindow: (window: Window) => void;
  #setAtEnd: (atEnd: boolean) => void;
  #ids: Accessor<readonly string[]>;
  #heights = new Map<string, number>();
  #elements = new Map<string, HTMLElement>();
  #scroller: HTMLElement;
  #list: HTMLElement;
  #anchor: Anchor | undefined;
  #top = 0;
  #hand: Hand;
  #sizes: ResizeObserver;

  /** The scrolling element and, in it, the list. */
  constructor(scroller: HTMLElement, list: HTMLElement, ids: Accessor<readonly string[]>) {
    [this.#scroller, this.#list, this.#ids] = [scroller, list, ids];
    [this.window, this.#setWindow] = createSignal({ start: 0, end: 0, above: 0, below: 0 }, { equals: same });
    [this.atEnd, this.#setAtEnd] = createSignal(true);
    this.#sizes = new ResizeObserver((entries) => this.#sized(entries));
    this.#sizes.observe(scroller);
    this.#hand = new Hand(scroller);
  }

  /** Draws the visible cards, then restores their position. */
  layout(): void {
    const scroller = this.#scroller;
    const [all, height] = [this.#known(), scroller.clientHeight];
    const index = this.atEnd() ? -1 : this.#ids().indexOf(this.#anchor?.id ?? "");
    const from = index < 0 ? sum(all, 0, all.length) - height : sum(all, 0, index) - (this.#anchor?.offset ?? 0);
    this.#setWindow(windowOf(all, { top: Math.max(0, from), height }));
    if (this.atEnd()) scroller.scrollTop = scroller.scrollHeight;
    else this.#settle();
    this.#top = scroller.scrollTop;
  }

  scrolled(): void {
    const { scrollHeight, scrollTop, clientHeight } = this.#scroller;
    // A card that shrinks also moves the list. Only a person's own scrolling counts.
    const byHand = this.#hand.scrolls();
    if (scrollHeight - scrollTop - clientHeight <= END_PX) this.#setAtEnd(true);
    else if (byHand && scrollTop < this.#top - 1) this.#setAtEnd(false);
    this.#top = scrollTop;
    if (!this.atEnd()) this.#anchor = this.#found() ?? this.#guessed(-this.#topOf(this.#list));
    this.layout();
  }

  /** A person scrolls it right now. */
  isMoving(): boolean {
    return this.#hand.isMoving();
  }

  /** Its height counts from now on. */
  measure(id: string, element: HTMLElement): void {
    this.#elements.set(id, element);
    this.#sizes.observe(element);
  }

  unmeasure(id: string, element: HTMLElement): void {
    this.#sizes.unobserve(element);
    if (this.#elements.get(id) === element) this.#elements.delete(id);
  }

  /** Scrolls only if the card is not fully visible. */
  show(id: string): HTMLElement | undefined {
    const element = this.#elements.get(id);
    const top = element ? this.#topOf(element) : -1;
    if (element && top >= 0 && top + element.offsetHeight <= this.#scroller.clientHeight) return element;
    this.#setAtEnd(false);
    this.#anchor = { id, offset: GAP_PX };
    this.layout();
    // At the ends of the list it cannot reach its place.
    this.scrolled();
    return this.#elements.get(id);
  }

  toEnd(): void {
    this.#setAtEnd(true);
    this.layout();
  }

  dispose(): void {
    this.#hand.dispose();
    this.#sizes.disconnect();
  }

  #sized(entries: readonly ResizeObserverEntry[]): void {
    for (const { target, borderBoxSize } of entries) {
      const id = target instanceof HTMLElement ? target.dataset.block : undefined;
      // A card that was just removed has no height. We keep its last height.
      if (id !== undefined && target.isConnected) this.#heights.set(id, borderBoxSize[0]?.blockSize ?? USUAL_PX);
    }
    this.layout();
  }

  #known(): number[] {
    return this.#ids().map((id) => this.#heights.get(id) ?? USUAL_PX);
  }

  #topOf(element: HTMLElement): number {
    return element.getBoundingClientRect().top - this.#scroller.getBoundingClientRect().top;
  }

  #settle(): void {
    const element = this.#elements.get(this.#anchor?.id ?? "");
    if (!element || !this.#anchor) return;
    const off = this.#topOf(element) - this.#anchor.offset;
    if (Math.abs(off) >= 0.5) this.#scroller.scrollTop += off;
  }

  /** The first visible card. */
  #found(): Anchor | undefined {
    const { start, end } = this.window();
    for (const id of this.#ids().slice(start, end)) {
      const element = this.#elements.get(id);
      if (!element) continue;
      const offset = this.#topOf(element);
      if (offset > this.#scroller.clientHeight) return undefined;
      if (offset + element.offsetHeight > 0) return { id, offset };
    }
    return undefined;
  }

  /** Where nothing is drawn yet. */
  #guessed(from: number): Anchor | undefined {
    const all = this.#known();
    const { first } = inSight(all, { top: from, height: 0 });
    const id = this.#ids()[first];
    return id === undefined ? undefined : { id, offset: sum(all, 0, first) - from };
  }
}

function same(a: Window, b: Window): boolean {
  return a.start === b.start && a.end === b.end && a.above === b.above && a.below === b.below;
}
