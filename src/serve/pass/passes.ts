// The keys that a person gave away: links to one session, and paired devices. Owns: passes.json, and when a pass ends. Only the hash
// of a secret is kept. Refuses: to say what a pass may do (guest-rules.ts). A damaged file lets nobody in.
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import * as z from "zod";
import type { Clock } from "../../core/base/clock.ts";
import { type Fault, fault } from "../../core/base/fault.ts";
import { writeWhole } from "../../host/disk/files.ts";
import { readPrivately } from "../../host/disk/private.ts";
import { ShareRole } from "../../protocol/ops/share.ts";
import { PassId, SessionId, Ts } from "../../protocol/words/ids.ts";
import { PersonName } from "../../protocol/words/policy.ts";

/** More than one person keeps an eye on. */
const PASSES_MAX = 200;
const SECRET_BYTES = 32;
/** As PERSON_NAME has it. */
const NAME_CHARS_MAX = 40;
/** When somebody was here is written down this exactly: not every call writes a file. */
const USED_MS = 60_000;
/** Timers hold no longer time. */
const LOOK_MS_MAX = 86_400_000;

const Common = {
  id: PassId,
  name: PersonName,
  made_at: Ts,
  last_used_at: Ts.nullable(),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
};

const Share = z.strictObject({
  ...Common,
  kind: z.literal("share"),
  session_id: SessionId,
  role: ShareRole,
  masked: z.boolean(),
  expires_at: Ts,
  uses_left: z.int().min(0).nullable(),
});

const Device = z.strictObject({ ...Common, kind: z.literal("device"), last_from: z.string().max(100).nullable() });

const Pass = z.discriminatedUnion("kind", [Share, Device]);

export type SharePass = Readonly<z.output<typeof Share>>;
type DevicePass = Readonly<z.output<typeof Device>>;
export type Pass = Readonly<z.output<typeof Pass>>;

type Ended = "revoked" | "expired";

interface PassesParts {
  readonly path: string;
  readonly clock: Clock;
  newId(): string;
}

export class Passes {
  #parts: PassesParts;
  #all: ReadonlyMap<string, Pass>;
  #cancelLook: () => void = () => undefined;
  #onEnd: ((pass: Pass, why: Ended) => void) | undefined;
  /** Why nobody gets in by what was given away before. */
  readonly damage: string | undefined;

  constructor(parts: PassesParts) {
    this.#parts = parts;
    const read = passesIn(readPrivately(parts.path));
    this.damage = typeof read === "string" ? read : undefined;
    this.#all = new Map(typeof read === "string" ? [] : read.map((pass) => [pass.id, pass]));
  }

  /** From now on it is told when a pass lets nobody in any more. */
  watch(onEnd: (pass: Pass, why: Ended) => void): void {
    this.#onEnd = onEnd;
    this.#look();
  }

  get shares(): SharePass[] {
    return [...this.#all.values()].filter((pass) => pass.kind === "share");
  }

  get devices(): DevicePass[] {
    return [...this.#all.values()].filter((pass) => pass.kind === "device");
  }

  find(id: string): Pass | undefined {
    const pass = this.#all.get(id);
    return pass && !this.#isOver(pass) ? pass : undefined;
  }

  /** The secret is told once: here. */
  share(given: Pick<SharePass, "session_id" | "role" | "name" | "masked" | "expires_at" | "uses_left">) {
    const { secret, ...fresh } = this.#new();
    const pass: SharePass = { ...given, ...fresh, kind: "share", last_used_at: null };
    return this.full() ?? this.#add(pass, secret);
  }

  /** The secret is told once: here. */
  device(name: string, from: string | null) {
    const { secret, ...fresh } = this.#new();
    const taken = new Set(this.devices.map((device) => device.name));
    const pass: DevicePass = {
      ...fresh,
      kind: "device",
      name: freeName(name.normalize("NFC"), taken),
      last_used_at: fresh.made_at,
      last_from: from,
    };
    return this.full() ?? this.#add(pass, secret);
  }

  /** Why nothing more is given away. */
  full(): Fault | undefined {
    if (this.#all.size < PASSES_MAX) return undefined;
    return fault("input.invalid", `there are ${PASSES_MAX} links and devices already`, "Take some back first.");
  }

  /** The device whose key this is. */
  deviceWith(id: string, secret: string): DevicePass | undefined {
    const pass = this.find(id);
    return pass?.kind === "device" && isSame(hashOf(secret), pass.hash) ? pass : undefined;
  }

  /** Somebody opened a link. Undefined: there is no such link, or not any more. Only who has the secret hears that it is used up. */
  open(id: string, secret: string): SharePass | "used up" | undefined {
    const pass = this.find(id);
    if (pass?.kind !== "share" || !isSame(hashOf(secret), pass.hash)) return undefined;
    if (pass.uses_left === 0) return "used up";
    const uses_left = pass.uses_left === null ? null : pass.uses_left - 1;
    const opened = { ...pass, uses_left, last_used_at: this.#parts.clock.now() };
    this.#keep(new Map([...this.#all, [id, opened]]));
    return opened;
  }

  /** Somebody is here by it. */
  used({ id }: Pass, from: string | null): void {
    const [pass, now] = [this.#all.get(id), this.#parts.clock.now()];
    if (!pass || now - (pass.last_used_at ?? 0) < USED_MS) return;
    const seen = pass.kind === "device" ? { ...pass, last_from: from } : pass;
    this.#keep(new Map([...this.#all, [id, { ...seen, last_used_at: now }]]));
  }

  revoke(id: string): Pass | Fault {
    const pass = this.find(id);
    if (!pass)
      return fault("not_found", `no link or device is called "${id}"`, "The list of what is shared has the names.");
    this.#end([pass], "revoked");
    return pass;
  }

  revokeAll(): void {
    this.#end([...this.#all.values()], "revoked");
  }

  #new() {
    const secret = randomBytes(SECRET_BYTES).toString("base64url");
    return { id: this.#parts.newId(), made_at: this.#parts.clock.now(), hash: hashOf(secret), secret };
  }

  #add<P extends Pass>(pass: P, secret: string): { readonly pass: P; readonly secret: string } {
    this.#keep(new Map([...this.#all, [pass.id, pass]]));
    return { pass, secret };
  }

  /** Nobody gets in by it from here on, even if the disk refuses to note it. */
  #end(over: readonly Pass[], why: Ended): void {
    this.#all = new Map([...this.#all].filter(([id]) => !over.some((pass) => pass.id === id)));
    for (const pass of over) this.#onEnd?.(pass, why);
    this.#keep(this.#all);
  }

  #keep(all: ReadonlyMap<string, Pass>): void {
    writeWhole(this.#parts.path, `${JSON.stringify([...all.values()], null, 2)}\n`);
    this.#all = all;
    this.#look();
  }

  #isOver(pass: Pass): boolean {
    return pass.kind === "share" && pass.expires_at <= this.#parts.clock.now();
  }

  /** Looks again when the next one is over. */
  #look(): void {
    this.#cancelLook();
    const { clock } = this.#parts;
    const next = Math.min(...this.shares.map(({ expires_at }) => expires_at));
    if (next === Number.POSITIVE_INFINITY) return;
    this.#cancelLook = clock.after(Math.min(Math.max(0, next - clock.now()), LOOK_MS_MAX), () => {
      const over = [...this.#all.values()].filter((pass) => this.#isOver(pass));
      if (over.length > 0) this.#end(over, "expired");
      else this.#look();
    });
  }
}

/** The passes in a file's text, or why it cannot be read. */
function passesIn(text: string | undefined): Pass[] | string {
  if (text === undefined) return [];
  try {
    const read = z.array(Pass).safeParse(JSON.parse(text));
    return read.success ? read.data : "it does not hold passes";
  } catch (error) {
    if (error instanceof SyntaxError) return "it is not JSON";
    throw error;
  }
}

/** The name, or the name with the first number that no other has. */
function freeName(name: string, taken: ReadonlySet<string>): string {
  const numbered = (n: number) => (n === 1 ? name : `${name.slice(0, NAME_CHARS_MAX - 4).trimEnd()} ${n}`);
  let n = 1;
  while (taken.has(numbered(n))) n += 1;
  return numbered(n);
}

function hashOf(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

function isSame(a: string, b: string): boolean {
  return timingSafeEqual(Buffer.from(a), Buffer.from(b));
}
