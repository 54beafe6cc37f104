// The commands of a session as cards: line, how it went, how long, the end of its output. New ones come by the socket, whose
// bytes only say that a running command has printed more. Owns: the cards.
import type { TerminalStream } from "../../client/stream.ts";
import type { Block } from "../../protocol/ops/blocks.ts";
import type { FromViewer, ToViewer } from "../../protocol/stream.ts";
import { Card } from "./card.ts";
import { openLink } from "./link.ts";
import type { View, ViewParts } from "./view.ts";

/** The newest ones. Nobody scrolls further in a part of a page. */
const CARDS_MAX = 100;
/** How often the output of a running command is read while it prints. */
const LOOK_MS = 400;

export class TranscriptView implements View {
  #parts: ViewParts;
  #list: HTMLOListElement;
  #cards = new Map<string, Card>();
  #link: TerminalStream;
  #seen: IntersectionObserver;
  #look: ReturnType<typeof setTimeout> | undefined;

  constructor(parts: ViewParts) {
    this.#parts = parts;
    parts.stage.className = "stage transcript";
    this.#list = document.createElement("ol");
    this.#list.tabIndex = 0;
    this.#list.setAttribute("part", "transcript");
    this.#list.setAttribute("aria-label", "Commands, the newest last");
    parts.stage.append(this.#list);
    this.setFont(parts.font);
    this.#seen = new IntersectionObserver((entries) => this.#shown(entries), { root: this.#list, rootMargin: "200px" });
    const printed = (cursor: number) => {
      this.#link.send({ type: "ack", cursor });
      this.#look ??= setTimeout(() => this.#lookAgain(), LOOK_MS);
    };
    this.#link = openLink(
      parts,
      { role: "watch", paint: "screen" },
      {
        onBytes: (_, cursor) => printed(cursor),
        onRepaint: (_, cursor) => printed(cursor),
        onMessage: (message) => this.#heard(message),
      },
    );
  }

  /** A transcript is read. */
  write(): boolean {
    return false;
  }

  send(message: FromViewer): boolean {
    return this.#link.send(message);
  }

  focus(): void {
    this.#list.focus();
  }

  fit(): void {
    // Lines break where the element ends.
  }

  retheme(): void {
    // Its colours are the style sheet's own.
  }

  setFont(px: number): void {
    this.#parts.stage.style.setProperty("--card-font", `${px}px`);
    this.#parts.stage.style.setProperty("--card-row", `${Math.round(px * 1.385)}px`);
  }

  dispose(): void {
    clearTimeout(this.#look);
    this.#seen.disconnect();
    this.#link.close();
    this.#list.remove();
  }

  #heard(message: Exclude<ToViewer, { type: "snapshot" }>): void {
    // Also after a lost connection: commands may have come and gone meanwhile.
    if (message.type === "hello") void this.#load();
    if (message.type === "block_begin" || message.type === "block_end") this.#put(message.block);
  }

  async #load(): Promise<void> {
    const { source, session, onNotice } = this.#parts;
    try {
      const asked = { session_id: session, limit: CARDS_MAX };
      const { blocks } = await source.client.blocks(asked, { signal: this.#parts.signal });
      for (const block of blocks) this.#put(block);
    } catch (error) {
      if (!this.#parts.signal.aborted) onNotice(error instanceof Error ? error.message : String(error));
    }
  }

  #put(block: Block): void {
    const { scrollHeight, scrollTop, clientHeight } = this.#list;
    const isAtEnd = scrollHeight - scrollTop - clientHeight < 40;
    const known = this.#cards.get(block.block_id);
    if (known) known.update(block);
    else this.#add(block);
    if (isAtEnd) this.#list.scrollTop = this.#list.scrollHeight;
  }

  #add(block: Block): void {
    const card = new Card(block, this.#parts.source, this.#parts.signal, () => this.#grown());
    this.#cards.set(block.block_id, card);
    // They may come out of order: what is listed was there before what was just told.
    const after = [...this.#cards.values()].filter((other) => other.begin > card.begin)[0];
    this.#list.insertBefore(card.element, after?.element ?? null);
    this.#seen.observe(card.element);
    for (const [id, old] of this.#cards) {
      if (this.#cards.size <= CARDS_MAX) break;
      this.#seen.unobserve(old.element);
      old.element.remove();
      this.#cards.delete(id);
    }
  }

  /** What is in sight is read; the rest when it comes into sight. */
  #shown(entries: readonly IntersectionObserverEntry[]): void {
    for (const { target, isIntersecting } of entries) {
      const card = [...this.#cards.values()].find(({ element }) => element === target);
      if (card) card.isSeen = isIntersecting;
    }
  }

  #lookAgain(): void {
    this.#look = undefined;
    for (const card of this.#cards.values()) if (card.isRunning) card.read();
  }

  /** An output arrived: who reads the end goes on to read the end. */
  #grown(): void {
    const last = this.#list.lastElementChild;
    if (last && this.#list.scrollTop > 0 && this.#isNearEnd()) last.scrollIntoView({ block: "end" });
  }

  #isNearEnd(): boolean {
    const { scrollHeight, scrollTop, clientHeight } = this.#list;
    return scrollHeight - scrollTop - clientHeight < clientHeight;
  }
}
