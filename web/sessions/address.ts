// Addresses on this page, in the hash: #/s_x, #/s_x/b_y and #/s_x/diff; #/box/s_x and the same after it for a session of another
// machine. A machine's name has only letters, digits, dots, dashes and underscores, so it stands there as it is. Pure.
import { placeOf } from "../../src/protocol/plain/host-place.ts";

export const BOARD = "#/board";

export interface Place {
  readonly view: "session" | "board" | "diff";
  readonly session: string | undefined;
  readonly block: string | undefined;
}

const PARTS = /^#\/([\w.-]+)(?:\/([\w-]+))?(?:\/([\w-]+))?$/;
const SESSION = /^s_[0-9a-z]{8}$/;

export function readAddress(hash: string): Place {
  if (hash === BOARD) return { view: "board", session: undefined, block: undefined };
  const [, first, second, third] = PARTS.exec(hash) ?? [];
  // The second part decides: only a session of another machine stands there.
  const host = second !== undefined && SESSION.test(second) ? first : undefined;
  const [session, block] = host === undefined ? [first, second] : [`${host}/${second}`, third];
  if (host === undefined && third !== undefined) return { view: "session", session: undefined, block: undefined };
  if (block === "diff") return { view: "diff", session, block: undefined };
  return { view: "session", session, block: host && block ? `${host}/${block}` : block };
}

export function sessionAddress(session: string): string {
  return `#/${session}`;
}

export function diffAddress(session: string): string {
  return `#/${session}/diff`;
}

/** The machine stands there once, before the session. */
export function blockAddress(session: string, block: string): string {
  return `#/${session}/${placeOf(block)?.id ?? block}`;
}
