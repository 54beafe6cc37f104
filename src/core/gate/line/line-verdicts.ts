// How an agent's line is judged in one session: by the person's rules for the folder, by what they said "always" to, and by what a
// restore point has. Owns: the rules that a person added for this session.
import { type Actor, actorName } from "../actor.ts";
import type { Place } from "../key-reader.ts";
import { NO_RULES, type PersonRules } from "../person-rules.ts";
import { EDIT_RULE, levelOf, type Policy } from "../policy.ts";
import type { Risk } from "../risk/risk.ts";
import type { Intent } from "../settle.ts";
import { type JudgedLine, judgeLine, type LineFacts } from "../verdicts.ts";
import type { EditPlace, Edits } from "./edits.ts";
import { linePlace, unguarded } from "./line-place.ts";

export interface LineVerdictsParts extends Pick<LineFacts, "isFree"> {
  /** A person's own rules that count in a folder. */
  rules(cwd: string | null): readonly PersonRules[];
  place(): Place;
  readonly keptFiles: KeptBefore;
}

/** Keeps the person's files before an agent changes them. */
interface KeptBefore {
  /** True when that took time. */
  before(actor: Actor, text: string, input: "keys" | "line", cwd?: string): Promise<boolean>;
  /** What of the edits no restore point has then, or why there is none. */
  lacks(actor: Actor, text: string, edits: Edits): Promise<string | undefined>;
  /** The shell's folder by its real name, if the box of a line there can be held to this folder. */
  editPlace(folder: string): EditPlace | null;
}

/** What else counts. */
interface LineQuestion extends Pick<LineFacts, "who" | "echo"> {
  readonly intent: Pick<Intent, "confidence" | "leave">;
  /** A person let this agent type to the program in front. */
  readonly isPermitted: boolean;
}

export class LineVerdicts {
  #parts: LineVerdictsParts;
  #policy: () => Policy;
  #always: { readonly rule: string; readonly cwd: string | null }[] = [];

  constructor(parts: LineVerdictsParts, policy: () => Policy) {
    [this.#parts, this.#policy] = [parts, policy];
  }

  /** A person said "always", for this session and this folder. */
  allowAlways(rule: string, cwd: string | null): void {
    this.#always.push({ rule, cwd });
  }

  /** How a line is judged here now, if its files can be kept. */
  explain(text: string, asked: LineQuestion, place: Place = this.#parts.place()): JudgedLine {
    return this.#judge(text, asked, place, this.#editPlace(asked.who, place));
  }

  /** The same for another place than the session's own shell. Nobody keeps files for it first, so no level frees edits there. */
  inPlace(text: string, asked: LineQuestion, place: Place): JudgedLine {
    return this.#judge(text, asked, place, null);
  }

  /** The same, after its files were kept. What no point has is asked about. */
  async afterKeeping(actor: Actor, text: string, asked: Omit<LineQuestion, "who">): Promise<JudgedLine> {
    const place = this.#parts.place();
    const question = { ...asked, who: actorName(actor) };
    const judged = this.explain(text, question, place);
    const lacks = judged.edits && (await this.#parts.keptFiles.lacks(actor, text, judged.edits));
    if (!lacks) return judged;
    const { risk, ...without } = this.#judge(text, question, place, null);
    const reason = { part: lacks, why: "could not be brought back", rule: "restore.lacks", class: "risky" } as const;
    return { ...without, risk: { ...risk, reasons: [reason, ...risk.reasons] } };
  }

  #judge(text: string, asked: LineQuestion, at: Place, editPlace: EditPlace | null): JudgedLine {
    const { shell, cwd, box, nested } = linePlace(at);
    const always = this.#always.flatMap((one) => (one.cwd === cwd ? [one.rule] : []));
    const rules = [...this.#parts.rules(cwd), { ...NO_RULES, allow: always }];
    const { who, echo, isPermitted } = asked;
    const { confidence = null, leave } = asked.intent;
    const counts = leave ? ("all" as const) : undefined;
    const { isFree } = this.#parts;
    const facts = { who, echo, confidence, box, shell, rules, folder: cwd, isFree, counts, editPlace };
    const judged = judgeLine(text, { ...facts, policy: this.#policy() });
    const risk = editPlace && judged.verdict.do === "ask" ? whatIsFree(judged.risk, editPlace) : judged.risk;
    return { ...judged, risk, verdict: unguarded(judged.verdict, text, nested !== null, isPermitted) };
  }

  /** fish reads words in its own way, and a shell inside may be on another machine. */
  #editPlace(who: string, { nested, shell }: Place): EditPlace | null {
    const policy = this.#policy();
    if (levelOf(policy, who) !== "edit_here" || policy.edit_folder === null) return null;
    return nested || shell === "fish" ? null : this.#parts.keptFiles.editPlace(policy.edit_folder);
  }
}

/** Who is asked about it, and who asked, learn what needs no question here. */
function whatIsFree(risk: Risk, { folder }: EditPlace): Risk {
  if (risk.kind !== "destructive") return risk;
  const why = `frees rm, mv, cp, chmod, tee and > on names written out, below ${folder}`;
  return { ...risk, reasons: [...risk.reasons, { part: "edit_here", why, rule: EDIT_RULE, class: risk.class }] };
}
