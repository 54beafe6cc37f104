// One command of a transcript. Owns: its element, and the end of its output, which is read while it is in sight.

import { statusOf } from "../../../web/sessions/command-words.ts";
import { drawLines } from "../../../web/text/draw.ts";
import { durationWord, grouped } from "../../../web/text/numbers.ts";
import { marked } from "../../core/base/invisible.ts";
import type { Block } from "../../protocol/ops/blocks.ts";
import type { Source } from "./source.ts";

/** As much of an output as a part of a page shows. */
const TAIL_LINES = 20;

export class Card {
  readonly element = document.createElement("li");
  #block: Block;
  #source: Source;
  #signal: AbortSignal;
  #onRead: () => void;
  #head = document.createElement("header");
  #output = document.createElement("div");
  #isSeen = false;
  /** What was read of it: an ended command prints no more. */
  #read: "nothing" | "some" | "all" = "nothing";
  #isReading = false;

  constructor(block: Block, source: Source, signal: AbortSignal, onRead: () => void) {
    [this.#block, this.#source, this.#signal, this.#onRead] = [block, source, signal, onRead];
    this.element.className = "card";
    this.element.setAttribute("part", "card");
    this.#output.className = "frozen";
    this.element.append(this.#head, this.#output);
    this.#drawHead();
  }

  get begin(): number {
    return this.#block.cursor_begin;
  }

  get isRunning(): boolean {
    return this.#block.state === "running";
  }

  set isSeen(isSeen: boolean) {
    this.#isSeen = isSeen;
    if (this.#read !== "all") this.read();
  }

  update(block: Block): void {
    const hasEnded = this.isRunning && block.state !== "running";
    this.#block = block;
    this.#drawHead();
    if (hasEnded) this.read();
  }

  read(): void {
    if (this.#isSeen && !this.#isReading) void this.#readTail();
  }

  async #readTail(): Promise<void> {
    this.#isReading = true;
    const wasRunning = this.isRunning;
    const { block_id, alt_screen_used } = this.#block;
    const format = alt_screen_used && !wasRunning ? "screen" : "runs";
    try {
      const asked = { block_id, format, lines: `-${TAIL_LINES}:` } as const;
      const { runs = [], lines_total = runs.length } = await this.#source.client.block(asked, { signal: this.#signal });
      this.#drawOutput(runs, lines_total);
      this.#read = wasRunning ? "some" : "all";
    } catch {
      // The command itself is told. Who may not read its output, or not now, sees no output.
      this.#read = "some";
    }
    this.#isReading = false;
    if (wasRunning && !this.isRunning) this.read();
    if (!this.#signal.aborted) this.#onRead();
  }

  #drawHead(): void {
    const { cmd, duration_ms, actor } = this.#block;
    const { glyph, tone, word } = statusOf(this.#block);
    const sign = text("span", glyph, `st ${tone}`);
    sign.setAttribute("aria-hidden", "true");
    const line = text("code", cmd === null ? "a command" : marked(cmd.split("\n", 1)[0] ?? ""), "cmd");
    line.setAttribute("part", "command");
    const exit = text("span", word, tone === "fail" ? "bad" : "");
    exit.setAttribute("part", "exit");
    const took = duration_ms === null ? [] : [text("span", durationWord(duration_ms), "")];
    const who = actor === "person" ? [] : [text("span", marked(actor), "who")];
    const right = document.createElement("span");
    right.className = "r";
    right.append(...who, exit, ...took);
    this.#head.replaceChildren(sign, line, right);
  }

  #drawOutput(lines: Parameters<typeof drawLines>[0], total: number): void {
    const pre = document.createElement("pre");
    pre.setAttribute("part", "output");
    pre.append(drawLines(lines));
    // Places in files lead to the prompt of duetty's own page. There is none here.
    for (const place of pre.querySelectorAll("a[data-place]")) place.replaceWith(...place.childNodes);
    const left = total - lines.length;
    const fold = left > 0 ? [text("p", `${grouped(left)} earlier line${left === 1 ? "" : "s"}`, "fold")] : [];
    this.#output.replaceChildren(...fold, ...(lines.length > 0 ? [pre] : []));
  }
}

function text(tag: "span" | "code" | "p", content: string, className: string): HTMLElement {
  const element = document.createElement(tag);
  element.className = className;
  element.textContent = content;
  return element;
}
