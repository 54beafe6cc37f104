// What every part of a question's card is given.
import type { Approval } from "../../src/protocol/ops/gate.ts";
import type { PageState, ShownSession } from "../app/page-state.ts";

export interface CardProps {
  readonly page: PageState;
  readonly shown: ShownSession | undefined;
  readonly approval: Approval;
}
