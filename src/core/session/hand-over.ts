// Ends a hand-over by itself. An agent handed the keyboard to a person, for a password or for a program; when the program has read
// its line and shows again what is typed, or has ended, the person is done. Owns: when to look. Refuses: to look at what is typed.
import type { Clock } from "../base/clock.ts";
import { type Approval, type Approvals, handsOver } from "../gate/approvals.ts";
import type { Gate } from "../gate/gate.ts";
import type { Probe } from "../journal/holding.ts";
import type { Screen } from "../screen/screen.ts";

/** After a wrong password the next try is asked at once. A program that went on for this long does not ask again. */
const GOES_ON_MS = 1_000;
/** Until then a program may still check the password in silence: PAM lets a wrong one wait for three seconds at most. */
const SILENT_MS = 4_000;
/** How often we look after the person typed, at first and when it takes long. */
const LOOK_MS = 150;
const LOOK_MS_LATER = 1_000;
const LATER_MS = 15_000;

interface HandOverParts {
  readonly session_id: string;
  readonly clock: Clock;
  readonly approvals: Approvals;
  readonly gate: Gate;
  probe(): Promise<Probe>;
  /** The command that runs. Null: none, or the shell does not tell. */
  running(): string | null;
  /** Undefined while no engine is in memory. */
  screen(): Screen | undefined;
}

/** shown: no password was asked since it began. hidden: one is asked now. back: one was read, and echo is on again. */
export type Secret =
  | { readonly is: "shown" }
  | { readonly is: "hidden"; readonly front: number | null; readonly line: string }
  | {
      readonly is: "back";
      readonly since: number;
      readonly front: number | null;
      readonly line: string;
      /** Since when the program is seen to go on. */
      readonly goesOn: number | null;
    };

interface Look {
  readonly probe: Probe;
  readonly line: string;
  readonly now: number;
}

export class HandOver {
  #parts: HandOverParts;
  #secret: Secret = { is: "shown" };
  /** all: also for passwords to come. end: only for the end of the command. */
  #for: "all" | "end" | "nothing" = "nothing";
  #block: string | null = null;
  #typedAt: number | undefined;
  #due = 0;
  #cancel: (() => void) | undefined;

  constructor(parts: HandOverParts) {
    this.#parts = parts;
  }

  /** The keyboard was handed over. Who is asked to take over at a prompt does as much as they like. */
  async begin(): Promise<void> {
    if (this.#for !== "nothing") return;
    this.#block = this.#parts.running();
    // After a restart nobody knows what was asked.
    const asked = this.#asked();
    const isForProgram = asked.length > 0 && asked.every(({ kind }) => kind === "take_over");
    if (isForProgram && this.#block === null) return;
    this.#for = "all";
    await this.#look();
    // A program may read many lines, and a password among them is not all that it was about.
    if (isForProgram && this.#for === "all" && this.#secret.is === "shown") this.#for = "end";
  }

  /** It was handed back. */
  end(): void {
    [this.#for, this.#secret, this.#typedAt] = ["nothing", { is: "shown" }, undefined];
    this.#cancel?.();
    this.#cancel = undefined;
  }

  typed(): void {
    if (this.#for !== "all") return;
    this.#typedAt = this.#parts.clock.monotonic();
    // Each look counts: keys that come fast must not put it off.
    if (!this.#cancel || this.#due > this.#typedAt + LOOK_MS) this.#lookIn(LOOK_MS);
  }

  /** Somebody else has looked, right before something was typed. */
  saw(probe: Probe): void {
    if (this.#for === "all" && probe.echo === "off")
      this.#secret = { is: "hidden", front: frontOf(probe), line: this.#line() };
  }

  /** A command ended: the one that it was about, or one that has read a password. */
  blockEnded(block_id: string): void {
    if (this.#for === "nothing" || (this.#block !== block_id && this.#secret.is === "shown")) return;
    this.#over();
  }

  #asked(): Approval[] {
    const { approvals, session_id } = this.#parts;
    return approvals.list("pending", session_id).filter(({ kind }) => handsOver(kind));
  }

  /** The agents that asked go on, and the keyboard is where it was. */
  #over(): void {
    this.end();
    const asked = this.#asked();
    for (const { approval_id } of asked) this.#parts.approvals.settle(approval_id, { state: "approved", answer: null });
    if (asked.length === 0) this.#parts.gate.release();
  }

  /** The last one with text on the screen. */
  #line(): string {
    return (
      this.#parts
        .screen()
        ?.view()
        .rows.findLast((row) => row.trim() !== "") ?? ""
    );
  }

  #lookIn(ms: number): void {
    this.#cancel?.();
    this.#due = this.#parts.clock.monotonic() + ms;
    this.#cancel = this.#parts.clock.after(ms, () => void this.#look());
  }

  async #look(): Promise<void> {
    this.#cancel = undefined;
    const probe = await this.#parts.probe();
    if (this.#for !== "all" || this.#cancel) return;
    const now = this.#parts.clock.monotonic();
    const secret = seen(this.#secret, { probe, line: this.#line(), now });
    if (secret === "read") return this.#over();
    this.#secret = secret;
    if (this.#typedAt === undefined) return;
    this.#lookIn(now - this.#typedAt < LATER_MS ? LOOK_MS : LOOK_MS_LATER);
  }
}

/** Pure. read: the program has its line and goes on. */
export function seen(before: Secret, { probe, line, now }: Look): Secret | "read" {
  const front = frontOf(probe);
  if (probe.echo === "off") return { is: "hidden", front, line };
  if (before.is === "shown") return before;
  const { reading } = probe.activity;
  const goesOn = reading === "blocked" || reading === "polled" || front !== before.front || line !== before.line;
  const back = before.is === "back" ? before : { ...before, is: "back" as const, since: now, goesOn: null };
  const since = goesOn ? (back.goesOn ?? now) : null;
  const isOver = (since !== null && now - since >= GOES_ON_MS) || now - back.since >= SILENT_MS;
  return isOver ? "read" : { ...back, goesOn: since };
}

function frontOf({ foreground }: Probe): number | null {
  return foreground?.pid ?? null;
}
