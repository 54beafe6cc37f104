// How another machine stands, in words for people. Pure.
import type { Output } from "../../src/protocol/ops.ts";
import { placeOf } from "../../src/protocol/plain/host-place.ts";
import { ageOf } from "../text/numbers.ts";

export type Host = Output<"hosts">["hosts"][number];
const MINUTE_MS = 60_000;
type Standing = Pick<Host, "host" | "reach" | "why" | "since">;

/** The machine of a session, a question or a command. Undefined: this one. */
export function hostOf(id: string | null | undefined): string | undefined {
  return placeOf(id)?.host;
}

/** For an operation that names no session: it is done where this one is. */
export function hostFor(id: string): { readonly host?: string } {
  const host = hostOf(id);
  return host === undefined ? {} : { host };
}

export function hostDot({ reach }: Pick<Host, "reach">): "run" | "wait" | "idle" {
  if (reach === "here") return "run";
  return reach === "connecting" ? "wait" : "idle";
}

/** "gone", "gone 5 min" */
export function hostWord({ reach, since }: Pick<Host, "reach" | "since">, now: number): string {
  const isLong = reach !== "here" && reach !== "connecting" && now - since >= MINUTE_MS;
  return isLong ? `${reach} ${ageOf(now - since)}` : reach;
}

/** Why it is not here, and since when; for a title. */
export function hostTitle(host: Standing & Pick<Host, "address">, now: number): string {
  return `${host.address}: ${hostWord(host, now)}${host.why === null ? "" : `, ${host.why}`}`;
}

/** In a sentence, above what is shown of it. */
export function awaySentence({ host, reach }: Pick<Standing, "host" | "reach">): string {
  switch (reach) {
    case "here":
      return `The way to ${host} is lost.`;
    case "connecting":
      return `Connecting to ${host}…`;
    case "quiet":
      // Its title says why: it may be the broker that is away.
      return `${host} is not heard now.`;
    case "gone":
      return `${host} is away.`;
    case "refused":
      return `${host} cannot be used from here.`;
    default:
      return reach satisfies never;
  }
}

/** "box was not searched", "box and desk were not searched" */
export function namesOf(hosts: readonly string[]): string {
  return hosts.length < 2 ? hosts.join("") : `${hosts.slice(0, -1).join(", ")} and ${hosts.at(-1)}`;
}

/** This machine first, then the others by their names. */
export function byHost(a: string, b: string): number {
  const [one, other] = [hostOf(a) ?? "", hostOf(b) ?? ""];
  return one < other ? -1 : one > other ? 1 : 0;
}
