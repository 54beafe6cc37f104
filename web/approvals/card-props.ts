// What every part of a question's card is given, on the owner's page and on a guest's.
import type { Approval } from "../../src/protocol/ops/gate.ts";
import type { PageState } from "../app/page-state.ts";

export interface CardProps {
  readonly page: Pick<PageState, "currentApproval" | "approvals" | "focus">;
  /** The terminal of the session that it is about, where one is shown. */
  readonly seat:
    | {
        /** How sure an agent must be. Guests are not told. */
        threshold(): number | undefined;
        takeOver(): void;
        showTerminal(): void;
      }
    | undefined;
  readonly approval: Approval;
}
