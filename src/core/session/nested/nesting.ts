// Makes a shell that runs inside of a session's program mark its commands: a nested one, or one on another machine. One line
// is typed at its prompt; it says which shell it is and reads the rest, which nobody sees. Nothing is written to a disk there.
// Owns: one such attempt at a time. Refuses: to type where somebody has begun a line, or where no shell is known to read.
import { quotedWords } from "../../../protocol/plain/quoted-words.ts";
import type { Waiting } from "../../../protocol/words/program.ts";
import { advice } from "../../base/advice.ts";
import { type Fault, fault, isFault } from "../../base/fault.ts";
import type { Blocks } from "../../block/blocks.ts";
import type { Hello } from "../../block/marks.ts";
import { isNamed, isOtherShell, nestedPlace } from "../../block/nested-place.ts";
import type { Shells } from "../../block/shells.ts";
import type { Gate } from "../../gate/gate.ts";
import type { Meta, NestedShell } from "../../journal/store.ts";
import type { Glance } from "../../screen/wait/reads.ts";
import type { Program } from "../program.ts";
import type { NestedShells } from "./nested-shells.ts";

/** A shell on the other side of the world, on a busy machine, answers within this time. */
const ANSWER_MS = 10_000;
/** More shells in each other, or one after the other, are nobody's work. */
const DEPTH_MAX = 8;
const NESTED_MAX = 100;
/** How the prompts of shells end. Only those are integrated without a person who looks. */
const PROMPT_END = /[$#%>❯➜»λ]\s*$/;
const OLDEST = { bash: [4, 4], zsh: [5, 3], fish: [3, 4] } as const;

export interface NestingParts {
  /** What a person lets be integrated without asking: "ssh", "ssh HOST". */
  readonly integrates: readonly string[];
  readonly blocks: Blocks;
  readonly shells: Shells;
  readonly program: Program;
  gate(): Gate;
  glance(): Glance | undefined;
  /** Whether somebody has typed at the prompt and not entered it, as far as we saw. */
  isHalf(): boolean;
  /** Whether the command that runs is confined. */
  isBoxed(): boolean;
  readonly meta: Meta;
  readonly nested: NestedShells;
  until<T>(check: () => T | undefined, timeout_ms: number): Promise<T | "deadline" | "cancelled">;
}

export class Nesting {
  #parts: NestingParts;
  #hello: Hello | undefined;
  #busy = false;
  /** The program for which it was tried by a rule. */
  #tried: string | undefined;

  constructor(parts: NestingParts) {
    this.#parts = parts;
  }

  heard(hello: Hello): void {
    this.#hello ??= hello;
  }

  /** The shell that could be integrated, by what the program that waits is called. */
  offer(waiting: Waiting | null): { readonly kind: string; readonly host: string | null } | undefined {
    const { blocks, meta, isBoxed } = this.#parts;
    if (waiting?.kind !== "keys" || blocks.atPrompt || meta.box || isBoxed()) return undefined;
    const found = nestedPlace({ name: waiting.program }, this.#words());
    return found && { kind: found.kind, host: found.host };
  }

  /** By a person's rule, once for each program in front, when it has shown a prompt. */
  async byRule(): Promise<void> {
    const { program, glance, blocks, integrates } = this.#parts;
    if (integrates.length === 0) return;
    const { foreground } = await program.quickProbe();
    if (!foreground || this.#busy || blocks.atPrompt) return;
    const found = nestedPlace(foreground, this.#words());
    const instance = `${foreground.pid} ${foreground.instance ?? ""} ${blocks.depth}`;
    const isPrompt = PROMPT_END.test(glance()?.before ?? "") && !glance()?.alt_screen;
    if (!found || this.#tried === instance || !isPrompt || !isNamed(integrates, found)) return;
    this.#tried = instance;
    await this.integrate("rule");
  }

  async integrate(by: "person" | "rule" = "person"): Promise<NestedShell | Fault> {
    if (this.#busy) return fault("session.busy", "it is being integrated already", "Wait a moment.");
    this.#busy = true;
    try {
      const done = await this.#integrate();
      const told = isFault(done) ? { refused: done.message } : { id: done.id, place: done.kind, host: done.host };
      this.#parts.gate().log({ kind: "integrate", by, ...told });
      return done;
    } finally {
      this.#parts.blocks.expect(undefined);
      this.#busy = false;
    }
  }

  async #integrate(): Promise<NestedShell | Fault> {
    const { program, blocks, shells, nested: all, until } = this.#parts;
    const { inputs } = this.#parts.gate();
    const { foreground, activity, echo } = await program.probe();
    const found = foreground && nestedPlace(foreground, this.#words());
    if (!foreground || !found) return noWay(foreground?.name ?? "nothing");
    const reads = activity.reading !== "no" && echo === "raw";
    const refused = this.#refuses(reads && inputs === this.#parts.gate().inputs);
    if (refused) return refused;
    const token = shells.secret();
    const cursor = blocks.await(token);
    this.#hello = undefined;
    if (this.#press(shells.greeting(token)) === "shut") return gone();
    // It ended, or the shell outside goes on: then that one may have read what was meant for the shell inside.
    const { cycle } = blocks;
    const isOver = () => !program.alive || blocks.cycle !== cycle;
    const hello = await until(() => (isOver() ? null : this.#hello), ANSWER_MS);
    if (hello === null) return gone();
    if (typeof hello === "string") return silent();
    const { shell } = hello;
    // The other side waits for a line, whatever we think of it.
    if (shell === null || !isNewEnough(shell, hello.version) || (found.shell !== null && found.shell !== shell)) {
      this.#press("\n");
      return unknownShell(hello);
    }
    const { pid, instance = null } = foreground;
    const where = { kind: found.kind, host: found.host, far: found.far, pid, instance, cursor };
    const whose = { parent: blocks.nested?.id ?? null, parent_cycle: blocks.shellCycle };
    const nested = { id: `n${all.count + 1}`, ...whose, nonce: shells.secret(), shell, ...where };
    // Its nonce is masked in all that is read before it is printed for the first time.
    all.add(nested);
    blocks.expect(nested);
    this.#press(shells.marksOf(shell, nested.nonce));
    const isThere = () => {
      if (blocks.nested?.id !== nested.id) return isOver() ? null : undefined;
      return blocks.atPrompt ? true : program.alive ? undefined : null;
    };
    const there = await until(isThere, ANSWER_MS);
    if (there === true) return nested;
    return there === null ? gone() : mute(shell);
  }

  #refuses(isStill: boolean): Fault | undefined {
    const { blocks, glance, isHalf, isBoxed, meta, nested } = this.#parts;
    if (blocks.atPrompt) return fault("input.invalid", "the shell in front marks its commands already", "Use it.");
    if (blocks.supported && blocks.phase !== "running")
      return fault("session.busy", "the shell is about to show its prompt", "Try again in a moment.");
    if (meta.box || isBoxed())
      return fault(
        "input.invalid",
        "what runs in a box is not integrated",
        "Open the shell in a session without a box.",
      );
    if (blocks.depth >= DEPTH_MAX || nested.count >= NESTED_MAX)
      return fault("session.limit", "too many shells were integrated here", "Open another session.");
    if (glance()?.alt_screen)
      return fault("input.invalid", "a full-screen program is in front there", "Leave it, or start it in a session.");
    const before = glance()?.before.trim() ?? "";
    if (!isStill || before === "")
      return fault(
        "session.busy",
        "no shell waits at a prompt there",
        advice("send_keys", this.#parts.meta.session_id),
      );
    return isHalf() ? fault("prompt.busy", "there is unfinished text at the prompt", "Run it or erase it.") : undefined;
  }

  #press(text: string): "written" | "shut" {
    const gate = this.#parts.gate();
    gate.agentLane.spoil();
    return gate.press(Uint8Array.from(text, (char) => char.charCodeAt(0)));
  }

  #words(): string[] {
    const { blocks, meta } = this.#parts;
    const line = blocks.running?.cmd ?? blocks.own.running?.cmd;
    return line ? quotedWords(line) : blocks.supported ? [] : [...meta.command];
  }
}

function isNewEnough(shell: keyof typeof OLDEST, version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [oldest, older] = OLDEST[shell];
  return major > oldest || (major === oldest && minor >= older);
}

function noWay(name: string): Fault {
  if (isOtherShell(name)) return unmarked(`${name} cannot mark its commands`);
  const what = `${name} is in front, which is no shell and no way to one`;
  return fault("input.invalid", what, "Known are bash, zsh, fish, ssh, docker, podman, kubectl, sudo, su, nix-shell.");
}

function unknownShell({ shell, version }: Hello): Fault {
  const what = shell === null ? "the shell there is neither bash, zsh nor fish" : `${shell} ${version} is not enough`;
  return unmarked(what);
}

function unmarked(what: string): Fault {
  return fault("run.no_marks", what, "It takes bash 4.4, zsh 5.3 or fish 3.4. Start one there.");
}

function silent(): Fault {
  return fault(
    "run.no_answer",
    "no shell answered there",
    "Read the screen: the line that was typed is still to be seen.",
  );
}

function mute(shell: string): Fault {
  return fault(
    "run.no_answer",
    `${shell} there does not mark its commands`,
    "It may not edit lines (bash --noediting), or /dev/tty is closed to it.",
  );
}

function gone(): Fault {
  return fault("session.ended", "it ended meanwhile", "Open another.");
}
