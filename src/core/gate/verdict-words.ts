// A verdict in words: whether a line runs, where, and what is asked. Pure.
import type { Where } from "../../protocol/ops/gate.ts";
import { hostWords } from "../base/question-words.ts";
import { isBoxed } from "./policy.ts";
import type { JudgedLine } from "./verdicts.ts";

const RUNS: Readonly<Record<Where, string>> = {
  box: "runs in the box",
  "box+network": "runs in the box, with network for this one run",
  outside: "runs outside the box",
};

export function verdictWords({ verdict, risk: { kind }, box, hosts }: JudgedLine): string {
  const { do: decision, rule, where } = verdict;
  const opens = where === "box+network" ? `: ${hostWords(hosts)}` : "";
  const runs = isBoxed(box) ? RUNS[where] + opens : "runs";
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
