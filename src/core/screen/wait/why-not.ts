// Why a wait came to its deadline, in words for whoever waited. Pure.
import type { Waiting } from "../../../protocol/words/program.ts";
import { advice } from "../../base/advice.ts";
import type { Probe } from "../../journal/holding.ts";
import type { Leaf } from "./conditions.ts";
import type { AgentNow } from "./pending.ts";
import type { Pattern } from "./seen.ts";
import type { ScreenView } from "./view.ts";

interface Facts {
  readonly view: ScreenView | undefined;
  /** Which rows count. */
  readonly counts: (row: number) => boolean;
  /** Whether it is there as something that was printed, not only as a line that was entered. */
  isPrinted(pattern: Pattern): boolean;
  /** The wait counted everything from the beginning. */
  readonly countsAll: boolean;
  /** The last look at the program, if somebody wanted one. */
  readonly probe: Probe | undefined;
  readonly agent: AgentNow | undefined;
  readonly asking: Waiting | null;
}

/** Reasons in one answer. Those of twenty conditions would help nobody. */
const REASONS_MAX = 3;

export function whyNot(unmet: readonly Leaf[], facts: Facts): string {
  const { asking } = facts;
  const password = asking?.kind === "password" ? [passwordReason(asking.program)] : [];
  const reasons = new Set([...password, ...unmet.map((leaf) => reasonOf(leaf, facts))]);
  return [...reasons].slice(0, REASONS_MAX).join(" ");
}

export function passwordReason(program: string): string {
  return `${program} asks for a password. ${advice("asks_password")}`;
}

function reasonOf(leaf: Leaf, facts: Facts): string {
  const program = facts.probe?.foreground?.name || "The program";
  switch (leaf.kind) {
    case "pattern":
      return patternReason(leaf.pattern, facts);
    case "gone":
      return `${JSON.stringify(leaf.text)} is still on the screen.`;
    case "settled":
      return `The screen did not stay the same for ${leaf.ms} ms.`;
    case "idle":
      return `${program} kept printing or working.`;
    case "change":
      return "Nothing on the screen changed.";
    case "exit":
      return `${program} still runs.`;
    case "echo_off":
      return "Nothing asked for a password.";
    case "block_end":
      return `${program} still runs: the command has not ended.`;
    case "state":
      return facts.agent
        ? `${facts.agent.name} is ${facts.agent.state}.`
        : "No agent CLI is in front: other programs have no such states.";
    case "prompt":
    case "input":
      return readingReason(leaf.kind, program, facts);
  }
}

function patternReason(pattern: Pattern, { view, counts, isPrinted, countsAll }: Facts): string {
  const { shown, literal, row, findAll } = pattern;
  const isThere = (isCounted: boolean) =>
    view?.rows.some(
      (text, i) => (counts(i) && (row === undefined || row === i)) === isCounted && findAll(text).length > 0,
    );
  if (isThere(true) && !isPrinted(pattern))
    return `${shown} is on the screen, but only in a line that was entered, which never counts.`;
  if (isThere(true))
    return `${shown} is on the screen, but only as old text${countsAll ? "" : ": pass since: 0 to count it"}.`;
  if (isThere(false)) return `${shown} is on the screen, but in rows that do not count.`;
  const small = literal?.toLowerCase();
  const other = small === undefined ? undefined : view?.rows.find((text) => text.toLowerCase().includes(small));
  if (small !== undefined && other !== undefined) {
    const at = other.toLowerCase().indexOf(small);
    return `The screen has ${JSON.stringify(other.slice(at, at + small.length))}: upper and lower case differ.`;
  }
  const trailing = /\s\$?$/.test(literal ?? shown.slice(1, -1));
  return `${shown} did not appear.${trailing ? " Rows end with their last visible character, except before the cursor." : ""}`;
}

function readingReason(kind: "prompt" | "input", program: string, { probe, view }: Facts): string {
  if (!probe || probe.activity.reading === "no") return `${program} works and does not read the terminal.`;
  if (kind === "prompt" && view?.alt_screen)
    return `${program} has the whole screen: wait for input instead of prompt.`;
  return `${program} kept printing or working.`;
}
