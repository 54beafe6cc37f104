// Judges what an agent types: keys to what is in front, or the whole line that a plain shell there would read. Pure.
import { exactText } from "../base/utf8.ts";
import type { Probe } from "../journal/holding.ts";
import type { Question } from "./approvals.ts";
import { type Foreground, interrupts, type Place } from "./key-reader.ts";
import { isSettled, type PlainLine, type PlainShell } from "./line/plain-shell.ts";
import type { Policy, Verdict } from "./policy.ts";
import { promptKeys } from "./prompt-keys.ts";
import { judgeKeys } from "./verdicts.ts";

interface FrontKeys {
  readonly who: string;
  readonly bytes: Uint8Array;
  /** All that a person would be asked about, when more follows by the same yes. */
  readonly all: readonly Uint8Array[] | undefined;
  readonly pasted: boolean;
  readonly confidence: number | null;
  readonly policy: Policy;
  readonly front: Foreground;
  readonly probe: Probe;
  readonly place: Place;
  readonly isPermitted: boolean;
}

interface JudgedFront {
  readonly verdict: Verdict;
  readonly question: Pick<Question, "kind" | "text" | "risk" | "always" | "program" | "instance">;
  /** It is settled without a person, as a line. */
  readonly line: PlainLine | undefined;
}

export function judgeFront(keys: FrontKeys, plain: Pick<PlainShell, "lineIn" | "judge" | "began">): JudgedFront {
  const { who, bytes, all, pasted, confidence, policy, front, probe, place, isPermitted } = keys;
  const about = { always: null, program: front.name || null, instance: front.instance };
  const line = all ? undefined : plain.lineIn(bytes, front, probe);
  const judged = line && plain.judge(line, who, confidence, probe.echo);
  if (line && judged && isSettled(judged.verdict, line.isCertain && !pasted)) {
    const question = { kind: "run" as const, text: line.text, risk: judged.risk, ...about };
    return { verdict: judged.verdict, question, line };
  }
  const text = (all ?? [bytes]).map(exactText).join("");
  // A person's rules are about lines. Whether the shell stands at its prompt makes no difference to them.
  if (judged && (judged.verdict.rule === "rules.deny" || judged.verdict.rule === "rules.ask"))
    return { verdict: judged.verdict, question: { kind: "keys", text, risk: judged.risk, ...about }, line: undefined };
  const verdict = judgeKeys({
    who,
    policy,
    echo: probe.echo,
    confidence,
    box: place.frontBox,
    lentTo: place.lentTo,
    at: front.atPrompt ? "prompt" : "program",
    editing: front.atPrompt && promptKeys(bytes) !== undefined,
    program: front.name,
    permitted: isPermitted,
    interrupts: interrupts(bytes, probe) && (place.beganBy === who || plain.began(who, probe)),
  });
  return { verdict, question: { kind: "keys" as const, text, risk: null, ...about }, line: undefined };
}
