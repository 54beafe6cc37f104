// What the element knows of a view, and a view of the element. Types only.
import type { FromViewer } from "../../protocol/stream.ts";
import type { LinkFacts, Source, Wrong } from "./source.ts";

export interface ViewParts {
  readonly session: string;
  readonly access: "input" | "watch";
  readonly source: Source;
  /** The element needs this view no more. */
  readonly signal: AbortSignal;
  /** An empty element of its own. */
  readonly stage: HTMLElement;
  /** The size of letters in px. */
  readonly font: number;
  onFacts(facts: LinkFacts): void;
  onExit(exit: { readonly exit_code: number | null; readonly signal: string | null }): void;
  onApproval(approval: { readonly approval_id: string }, settled: boolean): void;
  onNotice(text: string): void;
  /** It was refused for good. */
  onRefused(wrong: Wrong): void;
}

export interface View {
  write(text: string): boolean;
  send(message: FromViewer): boolean;
  focus(): void;
  fit(): void;
  retheme(): void;
  setFont(px: number): void;
  dispose(): void;
}
