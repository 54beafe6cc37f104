// What agents may do through a session's gate: keys, whole lines, and what the shell asks about their lines. Owns: which
// programs a person allowed keys for, and which runs are watched from inside the shell. Writes nothing itself.
import { advice } from "../base/advice.ts";
import type { Cancelled } from "../base/cancellation.ts";
import { type Fault, fault, isFault } from "../base/fault.ts";
import { ENTER_KEY, type GuardAnswer, type GuardQuestion } from "../block/shells.ts";
import type { Probe, QuickProbe } from "../journal/holding.ts";
import { type Actor, actorName } from "./actor.ts";
import type { Question } from "./approvals.ts";
import { judgeFront } from "./front-keys.ts";
import type { AgentInput, Epoch, GateForAgents } from "./gate-for-agents.ts";
import { anotherProgram, type Foreground, KeyReader } from "./key-reader.ts";
import { isSamePlace, linePlace } from "./line/line-place.ts";
import { LineVerdicts, type LineVerdictsParts } from "./line/line-verdicts.ts";
import { PlainShell, type PlainShellParts } from "./line/plain-shell.ts";
import { alwaysRule } from "./person-rules.ts";
import { BY_CLASS, EDIT_RULE, isBoxed, type Verdict } from "./policy.ts";
import { isShell } from "./program-names.ts";
import {
  type EditKeys,
  type EditLine,
  isWholeLine,
  type KeysOptions,
  promptKeys,
  type Typed,
  unwanted,
} from "./prompt-keys.ts";
import { type Admitted, editedFault, type Intent, ruledOut, type Settled, type Settling, settle } from "./settle.ts";
import { type JudgedEntry, namesOf, ShellGuard } from "./shell-guard.ts";
import { asking, type JudgedLine } from "./verdicts.ts";

export interface AgentLaneParts extends Pick<Settling, "approvals" | "waysOf">, LineVerdictsParts, PlainShellParts {
  readonly session_id: string;
  quickProbe(): Promise<QuickProbe>;
  /** A program of the person's shell will get keys. The shell is told, so that it does not read what the program leaves. */
  keysComing(): void;
  readonly edit: EditLine;
}

export class AgentLane {
  #parts: AgentLaneParts;
  #gate: GateForAgents;
  #reader: KeyReader;
  /** Which agent a person allowed to send keys to which foreground program. */
  #permitted = new Set<string>();
  #verdicts: LineVerdicts;
  #plain: PlainShell;
  #guard = new ShellGuard();
  #last: Actor | undefined;
  #typed: Promise<unknown> = Promise.resolve();
  #judged: JudgedEntry = { count: 0, text: "", refused: undefined, roots: null };

  constructor(parts: AgentLaneParts, gate: GateForAgents) {
    this.#parts = parts;
    this.#gate = gate;
    this.#verdicts = new LineVerdicts(parts, () => gate.policy());
    this.#plain = new PlainShell(parts, this.#verdicts);
    this.#reader = new KeyReader({ place: () => parts.place() }, gate);
  }

  /** A person came or changed their mind, so permissions for programs end. */
  forget(): void {
    this.#permitted.clear();
    this.#plain.forget();
  }

  /** We typed something ourselves to the program in front. */
  spoil(): void {
    this.#plain.spoil();
  }

  /** A person said "always", for this session and this folder. */
  allowAlways(rule: string, cwd: string | null): void {
    this.#verdicts.allowAlways(rule, cwd);
    this.#gate.log({ kind: "rule", scope: "session", allow: rule, cwd });
  }

  /** Writes an agent's keys, or returns a fault that says why not. */
  async keys(actor: Actor, bytes: Uint8Array, intent: Intent, options: KeysOptions = {}): Promise<Typed> {
    const { cancelled, before, sequel, pasted = false } = options;
    const began = this.#gate.epoch();
    const isLine = isWholeLine(bytes);
    const gone = unwanted(cancelled);
    const refused = (now: Probe) =>
      gone() ?? this.#gate.refused(actor, isLine && this.#reader.front(now).atPrompt ? "entered" : "keys", now, began);
    const later = (now: Probe) => gone() ?? this.#gate.refused(actor, isLine ? "next" : "keys", now, began);
    const first = await this.#reader.whenFree(refused, later);
    const probe = first && !isFault(first) ? await this.#reader.whenItReads(bytes, first) : first;
    if (!probe || isFault(probe)) return probe ?? "shut";
    const front = this.#reader.front(probe);
    const editing = front.atPrompt ? promptKeys(bytes) : undefined;
    const who = actorName(actor);
    const permit = front.instance === null ? null : `${who} ${front.instance}`;
    const asked = { who, bytes, all: sequel?.all, pasted, confidence: intent.confidence ?? null, front, probe };
    const isPermitted = permit !== null && this.#permitted.has(permit);
    const { verdict, question, line } = judgeFront(
      { ...asked, isPermitted, policy: this.#gate.policy(), place: this.#parts.place() },
      this.#plain,
    );
    const settled = await this.#settle(actor, verdict, question, intent, cancelled);
    if (isFault(settled)) return settled;
    // While the question was open, a person may have come back, a password prompt may be up, or another program may run.
    const what = [line?.text ?? `keys to ${front.name || "the program"}`, line ? "line" : "keys", line?.cwd] as const;
    const waited = !editing && (await this.#parts.keptFiles.before(actor, ...what));
    const { shell, block_id, frontBox } = this.#parts.place();
    const isPersonsShell = shell !== null && frontBox !== "session" && !front.atPrompt;
    if (isPersonsShell) this.#parts.keysComing();
    // A shell that reads already does not know of it, so we look again.
    const now = settled.asked || waited || isPersonsShell ? await this.#gate.probe() : probe;
    if (!now) return "shut";
    const late =
      refused(now) ??
      // In a boxed session that is still starting, one program takes another's place, and nobody was asked about either.
      (frontBox === "session" && !settled.asked && !editing ? undefined : this.#reader.moved(front, now)) ??
      (isPersonsShell && this.#parts.place().block_id !== block_id ? anotherProgram() : undefined) ??
      this.#reader.unread(bytes, now) ??
      (line && this.#plain.moved(line, now)) ??
      before?.();
    if (late) return late;
    this.#last = actor;
    // For a shell each line is another program. For any other program the yes counts for this instance.
    const once = front.atPrompt || (isShell(front.name) && now.foreground?.pid === this.#gate.leader());
    if (settled.asked && !once && permit !== null) this.#permitted.add(permit);
    if (editing?.do === "edit") return this.#edit(actor, editing, began, front);
    const keys = line ? this.#plain.laidOut(line, actor, now) : this.#plain.others(bytes, actor);
    const typed = this.#gate.type(actor, keys);
    this.#typed = typed.catch(() => undefined);
    if (line) void this.#plain.whenOver(line, this.#gate);
    if (!sequel || (await typed) !== "written") return typed;
    return sequel.run((more, late) => this.#press(actor, more, began, front, late));
  }

  /** Keys that belong to what was typed. Meanwhile a person may have come, or another program. */
  async #press(
    actor: Actor,
    bytes: Uint8Array,
    began: Epoch,
    front: Foreground,
    before?: () => Fault | undefined,
    what: AgentInput = "keys",
  ): Promise<Typed> {
    const first = await this.#gate.probe();
    const probe = first && (await this.#reader.whenItReads(bytes, first));
    if (!probe) return "shut";
    if (isFault(probe)) return probe;
    const late = this.#gate.refused(actor, what, probe, began) ?? this.#reader.moved(front, probe) ?? before?.();
    return late ?? this.#gate.type(actor, bytes);
  }

  /** It waits for its turn, so another line may run by then. */
  #edit(actor: Actor, { edits, enters }: EditKeys, began: Epoch, front: Foreground): Promise<Typed> {
    const press = (key: Uint8Array) => this.#press(actor, key, began, front, undefined, enters ? "entered" : "keys");
    return this.#parts.edit(edits, press, enters ? () => this.#press(actor, ENTER_KEY, began, front) : undefined);
  }

  /** What an agent should know of what it typed, once. */
  hintFor(actor: Actor): string | null {
    return this.#plain.tells(actorName(actor)) ? advice("plain_line", this.#parts.session_id) : null;
  }

  /** After all keys of agents so far are written. */
  get typed(): Promise<unknown> {
    return this.#typed;
  }

  /** What the shell was told about the line that an agent entered last. */
  get judged(): JudgedEntry {
    return this.#judged;
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
    const probe = await this.#parts.quickProbe();
    const place = linePlace(this.#parts.place());
    const { box, nested } = place;
    const early = this.#gate.refused(actor, "line", undefined, began);
    if (early) return early;
    const asked = { intent, echo: probe.echo, isPermitted: this.#permits(actorName(actor), probe.foreground) };
    const { risk, verdict: judged, hosts, edits } = await this.#verdicts.afterKeeping(actor, text, asked);
    const verdict = asking(judged, box, intent, ask);
    const opens = verdict.where === "box+network" && hosts ? { hosts } : {};
    const always = nested ? null : alwaysRule(risk.normal);
    // A yes counts for this shell, and for no other.
    const where = { program: nested?.label ?? null, instance: nested?.id ?? null };
    const question = { kind: "run" as const, text, risk, always, ...where, ...opens };
    const settled = await this.#settle(actor, verdict, question, intent, cancelled);
    if (isFault(settled)) return settled;
    const late = this.#gate.refused(actor, "line", undefined, began);
    if (late) return late;
    if (!isSamePlace(place, linePlace(this.#parts.place())))
      return fault(
        "gate.held",
        "the shell is now in another folder, or another shell is in front",
        "Look where it is and ask again.",
      );
    // An edited line is the person's own, but their rules still apply.
    const edited = settled.edited === undefined ? undefined : this.explain(actorName(actor), settled.edited, intent);
    if (edited?.verdict.do === "deny") return ruledOut();
    const { rule } = verdict;
    const isByClass = !settled.asked && BY_CLASS.has(rule) && box !== "session" && !nested;
    const how = box === "line" && verdict.where === "box" ? "boxed" : isByClass ? "guarded" : "plain";
    const whose = { names: namesOf(risk), asked: settled.asked, hosts: edited ? edited.hosts : hosts };
    const held = rule === EDIT_RULE ? { edits } : {};
    const at = { where: verdict.where, nested: nested?.id ?? null };
    return { text: settled.edited ?? text, how, rule, ...at, ...whose, ...held };
  }

  /** How a line is judged in this session now. */
  explain(
    who: string,
    text: string,
    intent: Pick<Intent, "confidence" | "leave">,
    { echo, foreground }: Pick<QuickProbe, "echo" | "foreground"> = { echo: "on", foreground: null },
  ): JudgedLine {
    return this.#verdicts.explain(text, { who, intent, echo, isPermitted: this.#permits(who, foreground) });
  }

  /** Whether a person let this agent type to the program in front. A yes for a shell is for one line. */
  #permits(who: string, foreground: QuickProbe["foreground"]): boolean {
    const { instance, name } = this.#reader.front({ foreground });
    return instance !== null && !isShell(name) && this.#permitted.has(`${who} ${instance}`);
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
    const answer = await this.#askedToEnter(question);
    const refused = isFault(answer) ? answer : undefined;
    const roots = isFault(answer) || !answer.edits ? null : [answer.edits.folder];
    this.#judged = { count: this.#judged.count + 1, text, refused, roots };
    return isFault(answer) ? { deny: answer.message } : this.#enters(run_id, answer);
  }

  async #askedToEnter({ text }: GuardQuestion): Promise<Admitted | Fault> {
    const agent = this.#last;
    if (!agent) return fault("gate.denied", "nobody typed this", "Type it again.");
    // The shell waits for us, so a person's answer counts when the agent enters the line again.
    // fish cannot check what a line runs, and a typed line may use anybody's functions.
    const { shell, box } = this.#parts.place();
    const ask = shell === "fish" ? "shell.unguarded" : undefined;
    // It has no run whose end would shut the box again.
    if (box === "session" && this.explain(actorName(agent), text, {}).verdict.where !== "box")
      return fault("gate.denied", "this line leaves the box, which only a whole command may do", advice("run_whole"));
    const admitted = await this.line(agent, text, { timeout_ms: 0 }, undefined, ask);
    return isFault(admitted) || admitted.text === text ? admitted : editedFault(admitted.text);
  }

  #enters(run_id: string, { how, rule }: Admitted): GuardAnswer {
    if (how === "plain") return "allow";
    if (how === "boxed") return "allow boxed";
    this.#guard.admit(run_id, rule);
    return "allow guarded";
  }

  #settle(
    actor: Actor,
    verdict: Verdict,
    about: Pick<Question, "kind" | "text" | "risk" | "always" | "program" | "instance" | "hosts">,
    intent: Intent,
    cancelled?: Cancelled,
  ): Promise<Settled | Fault> {
    const { session_id, approvals, waysOf } = this.#parts;
    const { lentTo, ...place } = this.#parts.place();
    const { cwd, box } = about.kind === "run" ? linePlace({ lentTo, ...place }) : place;
    const whose = { session_id, actor: actorName(actor), cwd };
    return settle(
      { approvals, waysOf, log: (event) => this.#gate.log(event) },
      verdict,
      { ...whose, ...about, ...(isBoxed(box) && lentTo === null ? { where: verdict.where } : {}) },
      intent,
      cancelled,
    );
  }
}
