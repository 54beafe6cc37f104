// What every part of a command's card is given.
import type { Block } from "../../src/protocol/ops/blocks.ts";
import type { PageState, ShownSession } from "../app/page-state.ts";
import type { CardWindow } from "./card-window.ts";

export interface CardProps {
  readonly page: PageState;
  readonly shown: ShownSession;
  readonly block: Block;
  readonly previous: Block | undefined;
  /** Among how many, counted from 0. */
  readonly place: number;
  readonly of: number;
  readonly window: CardWindow;
}
