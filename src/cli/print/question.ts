// A question of an agent as the command line shows it, whole: its text, what it would read, its folder, where it would run, why it
// is asked. What the agent wrote has a bar before each line, so that none of it looks like ours.
import { partsOf, riskWords, ruleWords, wants } from "../../core/base/question-words.ts";
import type { Approval } from "../../protocol/ops/gate.ts";
import { visible } from "../text/harmless.ts";
import { exactly, line } from "../text/output.ts";
import { wrapped } from "../text/width.ts";
import { columns } from "./table.ts";

const BAR = "  │ ";
/** How many reasons we show. The first ones matter most. */
const REASONS_MAX = 3;

/** `state`: how long it waits, or how it was settled. */
export function printQuestion(card: Approval, state: string): void {
  const { approval_id, actor, session_id, choices } = card;
  const where = session_id === null ? "" : ` in ${session_id}`;
  line(`${approval_id}  ${actor} ${wants(card)}${where}, ${state}`);
  quoted(card.text);
  for (const { name, text } of partsOf(card)) {
    if (name !== "reads") line(`  ${name}: ${text}`);
    else {
      line("  reads:");
      quoted(text);
    }
  }
  if (choices.length > 0) line(`  choices: ${choices.join(", ")}`);
  printReasons(card);
}

function printReasons(card: Approval): void {
  const { reasons, description } = card;
  const risk = riskWords(card);
  line(`  ${risk === undefined ? "" : `${risk}: `}${ruleWords(card)}`);
  const against = reasons.filter((reason) => reason.class !== "safe" && reason.why !== "").slice(0, REASONS_MAX);
  for (const { part, why } of against) line(`  ${part}: ${why}`);
  if (description !== null) line(`  it says: ${description}`);
}

/** Every line of it, over as many rows as it needs. */
function quoted(text: string): void {
  for (const one of text.split("\n")) {
    const rows = process.stdout.isTTY ? wrapped(visible(one), Math.max(20, columns() - BAR.length)) : [visible(one)];
    for (const row of rows) exactly(BAR + row);
  }
}
