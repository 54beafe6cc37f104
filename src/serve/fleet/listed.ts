// The lists of one machine, which are asked for together.
import { isFault } from "../../core/base/fault.ts";

type Ask = (op: "pty_list" | "approvals" | "needs", input: object) => Promise<object>;

/** What is refused of one of them is refused. */
export async function listed(ask: Ask): Promise<object> {
  const answers = await Promise.all([ask("pty_list", { all: true }), ask("approvals", {}), ask("needs", {})]);
  return answers.find((answer) => isFault(answer) || "error" in answer) ?? Object.assign({}, ...answers);
}
