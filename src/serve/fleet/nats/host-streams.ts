// Terminals of this machine that devices of the fleet look at. Owns: the open streams, by device and name.
import type { Clock } from "../../../core/base/clock.ts";
import { type Fault, fault, isFault } from "../../../core/base/fault.ts";
import type { Bus, BusMessage } from "../../../core/fleet/bus.ts";
import { UnknownHints } from "../../../core/fleet/stream/hints.ts";
import { HostStream } from "../../../core/fleet/stream/host.ts";
import { StreamLimits } from "../../../core/fleet/stream/limits.ts";
import { type DeviceId, type HostId, readSubject, subjects } from "../../../core/fleet/subjects.ts";
import type { Certificate } from "../../../host/fleet/certificate.ts";
import { levelOf } from "../../../host/fleet/levels.ts";
import type { Asked } from "../../../host/fleet/verifier.ts";
import type { Caller } from "../../auth.ts";
import type { Perform } from "../../perform.ts";
import type { Membership } from "../members/membership.ts";
import { AttachInput } from "./wire.ts";

type Serve = (stream: HostStream<Buffer>) => void;

interface Wanted {
  readonly caller: Caller;
  readonly session_id: string;
  readonly query: URLSearchParams;
  readonly may: "watch" | "drive";
  readonly perform: Perform;
}

/** Finds what is to be shown, before anything is promised. */
export type Aim = (wanted: Wanted) => Serve | Fault;

interface HostStreamsParts {
  readonly bus: Bus;
  readonly host: HostId;
  readonly membership: Membership;
  readonly clock: Clock;
  readonly aim: Aim;
}

/** For whom a stream is. */
interface For {
  readonly device: DeviceId;
  readonly name: string;
  readonly serial: string;
  readonly role: Certificate["role"];
  readonly until: number;
  readonly may: "watch" | "drive";
  readonly lost: "told" | "sent_again";
}

interface Open extends For {
  readonly stream: HostStream<Buffer>;
}

export class HostStreams {
  #parts: HostStreamsParts;
  #open = new Map<string, Open>();
  #limits = new StreamLimits();
  #hints: UnknownHints;
  #ends: (() => void)[];

  constructor(parts: HostStreamsParts) {
    this.#parts = parts;
    const { bus, host, clock, membership } = parts;
    this.#hints = new UnknownHints(clock);
    const heard = bus.subscribe(subjects.ins(host), (message) => this.#heard(message));
    // Frames were lost, or will be: whoever looks attaches anew.
    const status = bus.onStatus((now) => (now === "connected" ? undefined : this.#endAll()));
    const changed = membership.onChange(() => this.#endRefused());
    this.#ends = [() => heard.close(), status, changed];
  }

  attach(asked: Asked, wanted: Pick<Wanted, "caller" | "may" | "perform">, input: unknown) {
    const read = AttachInput.safeParse(input);
    if (!read.success) return fault("input.invalid", "this is no attach", "Both machines need the same version.");
    const { session_id, stream: name } = read.data;
    const query = new URLSearchParams(read.data.query);
    // Whoever numbers what they type hears what arrived: they send the rest again, or tell it.
    const lost = query.has("viewer") ? "sent_again" : "told";
    const serve = this.#parts.aim({ ...wanted, session_id, query });
    if (isFault(serve)) return serve;
    const { device, serial, role, until } = asked.certificate;
    const { may } = wanted;
    const release = this.#limits.begin(device);
    if (isFault(release)) return release;
    return {
      begin: (answer: Asked["answer"]) => {
        const answered = answer(200, Buffer.from("{}"));
        const whose = { device: device as DeviceId, name, serial, role, until, may, lost } as const;
        this.#begin(whose, answered.seals(name), serve, release);
        return answered.bytes;
      },
    };
  }

  close(): void {
    for (const end of this.#ends) end();
    this.#endAll();
  }

  #begin(whose: For, seals: ReturnType<ReturnType<Asked["answer"]>["seals"]>, serve: Serve, release: () => void): void {
    const { bus, host, clock } = this.#parts;
    const { device, name, lost } = whose;
    const key = `${device} ${name}`;
    const subject = subjects.out(host, device, name);
    this.#open.get(key)?.stream.terminate();
    const stream = new HostStream<Buffer>({
      ...{ seals, clock, lost },
      send: (frame) => bus.publish(subject, frame),
      bytesOf: (data) => Buffer.from(data.buffer, data.byteOffset, data.length),
      onEnd: () => {
        release();
        if (this.#open.get(key)?.stream === stream) this.#open.delete(key);
      },
    });
    this.#open.set(key, { ...whose, stream });
    // The answer goes first, in the turn that called us.
    serve(stream);
  }

  #heard({ subject, data }: BusMessage): void {
    const parts = readSubject(subject);
    if (parts?.what !== "in") return;
    const open = this.#open.get(`${parts.device} ${parts.stream}`);
    // Nobody looks longer than their certificate is good: whoever looks leases every few seconds.
    if (open && this.#parts.clock.now() >= open.until) return open.stream.terminate();
    if (open) return open.stream.heard(data);
    const hint = this.#hints.of(subject);
    if (hint) this.#parts.bus.publish(subjects.out(this.#parts.host, parts.device, parts.stream), hint);
  }

  /** Whose certificate was taken back, and who may do less here than when they attached. */
  #endRefused(): void {
    const { membership } = this.#parts;
    const { serials } = membership.revoked();
    const rules = membership.rules();
    for (const { stream, serial, device, role, may } of [...this.#open.values()]) {
      const level = levelOf(rules, device, role);
      const mayLess = level === "none" || (level === "watch" && may === "drive");
      if (serials.has(serial) || mayLess) stream.terminate();
    }
  }

  #endAll(): void {
    for (const { stream } of this.#open.values()) stream.terminate();
  }
}
