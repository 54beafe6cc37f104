// What a guest is told, in words. Pure.
import type { Presence } from "../../src/protocol/stream.ts";
import { holderOf } from "../sessions/labels.ts";
import type { Shared } from "./seat.ts";
import type { Over } from "./visit.ts";

const ASK = "Ask the person who shared it for a new link.";

export const OVER: Readonly<Record<Over, { readonly title: string; readonly words: string }>> = {
  incomplete: {
    title: "Part of this link is missing",
    words: "The part after the # is the key. Open the whole link, as you got it.",
  },
  invalid: {
    title: "This link does not work",
    words: `Its time may be over, it may have been taken back, or a part of it may be missing. ${ASK}`,
  },
  used_up: {
    title: "This link was used already",
    words: `It was opened as often as it may be. ${ASK}`,
  },
  revoked: { title: "The link was taken back", words: `The session is not shared with you any more. ${ASK}` },
  expired: { title: "The time is over", words: `The session was shared with you until now. ${ASK}` },
  inside: {
    title: "Open this link in another browser",
    words: "This one was started from inside duetty, where everybody counts as an agent.",
  },
  away: { title: "Nobody answers", words: "The machine may be off, or out of reach. This page tries again by itself." },
};

const ROLES: Readonly<Record<Shared["role"], { readonly title: string; readonly means: string }>> = {
  watch: { title: "you watch", means: "You see the session. Your keys are not sent." },
  type: { title: "you may type", means: "You see the session and may type into it." },
  approve: {
    title: "you may type and answer",
    means: "You see the session, may type into it, and answer what agents ask in it.",
  },
};

export function roleWords({ role }: Shared) {
  return ROLES[role];
}

/** "15:30", or with the day when that is another one. */
export function untilWords(until: number, now: number): string {
  const [end, today] = [new Date(until), new Date(now)];
  const time = end.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  if (end.toDateString() === today.toDateString()) return time;
  return `${end.toLocaleDateString([], { month: "short", day: "numeric" })}, ${time}`;
}

const MAY: Readonly<Record<Presence["here"][number]["may"], string>> = {
  all: "",
  watch: " (watches)",
  type: " (may type)",
  approve: " (may type and answer)",
};

/** Who else is here. */
export function othersHere(here: Presence["here"], me: string): string[] {
  return here.filter(({ actor }) => actor !== me).map(({ actor, may }) => `${holderOf(actor, me).word}${MAY[may]}`);
}
