// What a person should know before a yes, shown below the proposal: the risk and why, where it would happen, and what
// the agent says about it. Pure.
import { riskWords, ruleWords, whereWords } from "../../core/base/question-words.ts";
import type { Approval } from "../../protocol/ops/gate.ts";
import type { Row } from "../conversation/rows.ts";
import { wordWrapped } from "../conversation/wrap.ts";
import { harmlessLine } from "../text/harmless.ts";

/** How many reasons we show. The first ones matter most. */
const REASONS_MAX = 3;
const INDENT = "    ";

export function cardRows(card: Approval, cols: number): Row[] {
  const { cwd, program, stdin, description, reasons } = card;
  const [runs, risk] = [whereWords(card), riskWords(card)];
  const where = [
    ...(cwd === null ? [] : [`in ${cwd}`]),
    ...(card.kind === "keys" && program !== null ? [`into ${program}`] : []),
  ];
  const against = reasons.filter((reason) => reason.class !== "safe").slice(0, REASONS_MAX);
  const lines = [
    `${risk === undefined ? "" : `${risk}: `}${ruleWords(card)}`,
    ...(where.length === 0 ? [] : [where.join(" ")]),
    ...against.map(({ part, why }) => `${part}: ${why}`),
    ...(stdin === null ? [] : [`it would read: ${stdin}`]),
    ...(runs === undefined ? [] : [`it runs ${runs}`]),
    ...(description === null ? [] : [`it says: ${description}`]),
  ];
  const room = Math.max(1, cols - INDENT.length);
  return lines.flatMap((line) =>
    wordWrapped(harmlessLine(line), room).map((text) => ({ text: INDENT + text, tone: "plain" as const })),
  );
}
