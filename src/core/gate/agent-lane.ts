// What agents may do through a session's gate: keys, whole lines, and what the shell asks about their lines. Owns: which
// programs a person allowed keys for, and which runs are watched from inside the shell. Writes nothing itself.
import type { ShellName } from "../../protocol/words/program.ts";
import type { Cancelled } from "../base/cancellation.ts";
import { type Fault, fault, isFault } from "../base/fault.ts";
import { exactText } from "../base/utf8.ts";
import type { GuardAnswer, GuardQuestion } from "../block/shells.ts";
import type { Probe } from "../journal/holding.ts";
import { type Actor, actorName } from "./actor.ts";
import type { Approvals, Question } from "./approvals.ts";
import { alwaysRule, NO_RULES, type PersonRules } from "./person-rules.ts";
import { type Boxing, BY_CLASS, isBoxed, type Policy, type Verdict } from "./policy.ts";
import { isShell } from "./program-names.ts";
import { promptKeys } from "./prompt-keys.ts";
import { type Admitted, type Intent, ruledOut, type Settled, settle } from "./settle.ts";
import { namesOf, ShellGuard } from "./shell-guard.ts";
import { asking, type JudgedLine, judgeKeys, judgeLine } from "./verdicts.ts";

/** How often a person had taken or stopped when something began. */
export interface Epoch {
  readonly takes: number;
  readonly stops: number;
}

interface AgentLaneParts {
  readonly session_id: string;
  readonly approvals: Approvals;
  rules(cwd: string | null): readonly PersonRules[];
  place(): Place;
  /** Keeps the person's files before an agent's keys may change them. True when that took time. */
  keepFiles(actor: Actor, text: string, input: "keys" | "line"): Promise<boolean>;
}

/** Where the shell is, as far as it says so. */
export interface Place {
  readonly cwd: string | null;
  readonly shell: ShellName | null;
  readonly atPrompt: boolean;
  /** For a line at the prompt. */
  readonly box: Boxing;
  /** For the program in front. */
  readonly frontBox: Boxing;
}

interface Foreground {
  readonly atPrompt: boolean;
  readonly name: string;
  /** Identifies one run of one program. Null when it is unknown. */
  readonly instance: string | null;
}

/** The part of the gate that the agent lane uses. */
interface GateForAgents {
  epoch(): Epoch;
  policy(): Policy;
  /** The session's first program. */
  leader(): number | null;
  /** Undefined while the gate is shut. */
  probe(): Promise<Probe | undefined>;
  refused(actor: Actor, what: "line" | "keys", probe: Probe | undefined, since: Epoch): Fault | undefined;
  type(actor: Actor, bytes: Uint8Array): Promise<"written" | "shut" | Fault>;
  log(event: object): void;
  pause(ms: number): Promise<void>;
}

/** How long a line waits for a program to read again, too short for a person to notice: 15 probes, 20 ms apart. */
const READS_AGAIN_PROBES = 15;
const READS_AGAIN_MS = 20;
/** At a prompt the shell may still ask us about the previous line, for about five seconds. After that we type anyway. */
const PROMPT_PROBES = 250;
export class AgentLane {
  #parts: AgentLaneParts;
  #gate: GateForAgents;
  /** Which agent a person allowed to send keys to which foreground program. */
  #permitted = new Set<string>();
  #allowed: { readonly rule: string; readonly cwd: string | null }[] = [];
  #guard = new ShellGuard();
  #last: Actor | undefined;

  constructor(parts: AgentLaneParts, gate: GateForAgents) {
    this.#parts = parts;
    this.#gate = gate;
  }

  /** A person came or changed their mind, so permissions for programs end. */
  forget(): void {
    this.#permitted.clear();
  }

  /** A person said "always", for this session and this folder. */
  allowAlways(rule: string, cwd: string | null): void {
    this.#allowed.push({ rule, cwd });
    this.#gate.log({ kind: "rule", scope: "session", allow: rule, cwd });
  }

  /** Writes an agent's keys, or returns a fault that says why not. `before` runs right before the write. */
  async keys(
    actor: Actor,
    bytes: Uint8Array,
    intent: Intent,
    cancelled?: Cancelled,
    before?: () => Fault | undefined,
  ): Promise<"written" | "shut" | Fault> {
    const began = this.#gate.epoch();
    const first = await this.#gate.probe();
    if (!first) return "shut";
    const probe = this.#gate.refused(actor, "keys", first, began) ?? (await this.#whenItReads(bytes, first));
    if (!probe) return "shut";
    if (isFault(probe)) return probe;
    const front = this.#front(probe);
    const editing = front.atPrompt ? promptKeys(bytes) : undefined;
    const who = actorName(actor);
    const permit = front.instance === null ? null : `${who} ${front.instance}`;
    const verdict = judgeKeys({
      who,
      policy: this.#gate.policy(),
      echo: probe.echo,
      confidence: intent.confidence ?? null,
      box: this.#parts.place().frontBox,
      at: front.atPrompt ? "prompt" : "program",
      editing: editing !== undefined,
      program: front.name,
      permitted: permit !== null && this.#permitted.has(permit),
    });
    const text = exactText(bytes);
    const { instance } = front;
    const question = { kind: "keys" as const, text, risk: null, always: null, program: front.name || null, instance };
    const settled = await this.#settle(actor, verdict, question, intent, cancelled);
    if (isFault(settled)) return settled;
    // While the question was open, a person may have come back, a password prompt may be up, or another program may run.
    const waited = !editing && (await this.#parts.keepFiles(actor, `keys to ${front.name || "the program"}`, "keys"));
    const now = settled.asked || waited ? await this.#gate.probe() : probe;
    if (!now) return "shut";
    const late =
      this.#gate.refused(actor, "keys", now, began) ??
      this.#moved(front, now) ??
      this.#unread(bytes, now) ??
      before?.();
    if (late) return late;
    this.#last = actor;
    // For a shell each line is another program. For any other program the yes counts for this instance.
    const once = front.atPrompt || (isShell(front.name) && now.foreground?.pid === this.#gate.leader());
    if (settled.asked && !once && permit !== null) this.#permitted.add(permit);
    return this.#gate.type(actor, editing?.bytes ?? bytes);
  }

  /** The program that would get the keys. */
  #front({ foreground }: Probe): Foreground {
    if (!foreground) return { atPrompt: false, name: "", instance: null };
    const { pid, name, instance = "" } = foreground;
    // Any program can print the marks of a prompt. The shell itself is in front only at a real one.
    const atPrompt = this.#parts.place().atPrompt && pid === this.#gate.leader();
    return { atPrompt, name, instance: `${pid} ${name} ${instance}` };
  }

  #moved(asked: Foreground, probe: Probe): Fault | undefined {
    const now = this.#front(probe);
    if (now.instance === asked.instance && now.atPrompt === asked.atPrompt) return undefined;
    return fault("gate.held", "another program now has the terminal", "Read the screen and ask again.");
  }

  /** A program that just got a line reads again soon. For a shell we cannot know whether it is at its prompt then. */
  async #whenItReads(bytes: Uint8Array, first: Probe): Promise<Probe | undefined | Fault> {
    const front = this.#front(first);
    if (front.atPrompt) return this.#whenShellReads(first);
    let probe: Probe | undefined = first;
    for (let probes = isShell(front.name) ? 0 : READS_AGAIN_PROBES; probe; probes -= 1) {
      const busy = this.#unread(bytes, probe);
      if (!busy) return probe;
      if (probes <= 0) return busy;
      await this.#gate.pause(READS_AGAIN_MS);
      probe = await this.#gate.probe();
      if (probe && this.#moved(front, probe)) return busy;
    }
    return undefined;
  }

  /** Keys that come while the shell asks about a line are lost: Ctrl+C would end the question and leave the line. */
  async #whenShellReads(first: Probe): Promise<Probe | undefined> {
    let probe: Probe | undefined = first;
    // While a key's own function runs, fish gives the terminal its plain mode: it does not read, or not yet.
    const isAway = (now: Probe) => now.activity.reading === "no" || now.echo === "on";
    for (let probes = 0; probes < PROMPT_PROBES && probe && isAway(probe); probes += 1) {
      await this.#gate.pause(READS_AGAIN_MS);
      probe = await this.#gate.probe();
      if (probe && !this.#front(probe).atPrompt) break;
    }
    return probe;
  }

  /** If the program does not read a line, the shell after it would read it unjudged. */
  #unread(bytes: Uint8Array, probe: Probe): Fault | undefined {
    const { shell } = this.#parts.place();
    if (shell === null || this.#front(probe).atPrompt || probe.activity.reading !== "no") return undefined;
    if (!bytes.some((byte) => byte === 0x0d || byte === 0x0a || byte === 0x0f)) return undefined;
    return fault("session.busy", "the program does not read now", "Wait until it asks; interrupt it with Ctrl+C.");
  }

  /** Whether an agent may run a line. It is not typed here. `ask`: why a person must be asked in any case. */
  async line(
    actor: Actor,
    text: string,
    intent: Intent,
    cancelled?: Cancelled,
    ask?: string,
  ): Promise<Admitted | Fault> {
    const began = this.#gate.epoch();
    const probe = await this.#gate.probe();
    const { cwd, box } = this.#parts.place();
    const early = this.#gate.refused(actor, "line", undefined, began);
    if (early) return early;
    const { risk, verdict: judged } = this.explain(actorName(actor), text, intent, probe?.echo);
    const verdict = asking(judged, box, intent, ask);
    const question = { kind: "run" as const, text, risk, always: alwaysRule(risk.normal), program: null };
    const settled = await this.#settle(actor, verdict, question, intent, cancelled);
    if (isFault(settled)) return settled;
    const late = this.#gate.refused(actor, "line", undefined, began);
    if (late) return late;
    if (this.#parts.place().cwd !== cwd)
      return fault("gate.held", "the shell is now in another folder", "Look where it is and ask again.");
    // An edited line is the person's own, but their rules still apply.
    if (settled.edited !== undefined && this.explain(actorName(actor), settled.edited, intent).verdict.do === "deny")
      return ruledOut();
    const { rule, where } = verdict;
    const isByClass = !settled.asked && BY_CLASS.has(rule) && box !== "session";
    const how = !isByClass ? "plain" : where === "box" ? "boxed" : "guarded";
    return { text: settled.edited ?? text, how, where, rule, names: namesOf(risk) };
  }

  /** How a line is judged in this session now. */
  explain(who: string, text: string, intent: Pick<Intent, "confidence">, echo: Probe["echo"] = "on"): JudgedLine {
    const { shell, cwd, box } = this.#parts.place();
    const always = this.#allowed.flatMap((one) => (one.cwd === cwd ? [one.rule] : []));
    const rules = [...this.#parts.rules(cwd), { ...NO_RULES, allow: always }];
    const policy = this.#gate.policy();
    const { confidence = null } = intent;
    return judgeLine(text, { who, policy, echo, confidence, box, shell, rules, folder: cwd });
  }

  /** Runs that an earlier daemon allowed stay allowed. */
  restore(events: readonly unknown[]): void {
    for (const event of events) {
      if (typeof event !== "object" || event === null || !("kind" in event) || event.kind !== "run") continue;
      const { run_id, rule } = event as { run_id?: unknown; rule?: unknown };
      if (typeof run_id === "string" && typeof rule === "string" && BY_CLASS.has(rule)) this.#guard.admit(run_id, rule);
    }
  }

  /** A run begins. A guarded run is checked from inside the shell. */
  handed(run_id: string, { how, rule }: Admitted): void {
    if (how === "guarded") this.#guard.admit(run_id, rule);
  }

  /** The shell asks: before one command of a guarded line, or before a line that an agent entered key by key. */
  async ask(question: GuardQuestion): Promise<GuardAnswer> {
    const { kind, run_id, text } = question;
    if (kind === "command") {
      const risk = this.#guard.refuses(run_id, text, this.#parts.place());
      if (risk) this.#gate.log({ kind: "veto", run_id, class: risk.class, rule: risk.rule });
      return risk ? { deny: risk.rule } : "allow";
    }
    const agent = this.#last;
    if (!agent) return { deny: "nobody typed this" };
    // The shell waits for us, so a person's answer counts at the agent's next Enter.
    // fish cannot check what a line runs, and a typed line may use anybody's functions.
    const { shell, box } = this.#parts.place();
    const ask = shell === "fish" ? "shell.unguarded" : undefined;
    // It has no run whose end would shut the box again.
    if (box === "session" && this.explain(actorName(agent), text, {}).verdict.where !== "box")
      return { deny: "leaves the box: use run_command" };
    const admitted = await this.line(agent, text, { timeout_ms: 0 }, undefined, ask);
    if (isFault(admitted)) return { deny: admitted.message };
    if (admitted.how === "plain") return "allow";
    if (admitted.how === "boxed") return "allow boxed";
    this.#guard.admit(run_id, admitted.rule);
    return "allow guarded";
  }

  #settle(
    actor: Actor,
    verdict: Verdict,
    about: Pick<Question, "kind" | "text" | "risk" | "always" | "program" | "instance">,
    intent: Intent,
    cancelled?: Cancelled,
  ): Promise<Settled | Fault> {
    const { session_id, approvals } = this.#parts;
    const { cwd, box } = this.#parts.place();
    const whose = { session_id, actor: actorName(actor), cwd };
    return settle(
      { approvals, log: (event) => this.#gate.log(event) },
      verdict,
      { ...whose, ...about, ...(isBoxed(box) ? { where: verdict.where } : {}) },
      intent,
      cancelled,
    );
  }
}
