// A verdict in words: whether a line runs, where, and what is asked. Pure.
import type { RiskKind, Where } from "../../protocol/ops/gate.ts";
import { type Boxing, isBoxed, type Verdict } from "./policy.ts";

const RUNS: Readonly<Record<Where, string>> = {
  box: "runs in the box",
  "box+network": "runs in the box, with network for this one run",
  outside: "runs outside the box",
};

export function verdictWords({ do: decision, rule, where }: Verdict, kind: RiskKind | null, box: Boxing): string {
  const runs = isBoxed(box) ? RUNS[where] : "runs";
  const without = box === "missing" ? "; there is no box on this machine" : "";
  switch (decision) {
    case "deny":
      return `refused: ${rule}`;
    case "allow":
      return `${runs}${isBoxed(box) ? "" : " without a question"}${without}`;
    case "ask":
      return `asks: ${kind ?? rule}${isBoxed(box) ? `; after a yes it ${runs}` : ""}${without}`;
  }
}
