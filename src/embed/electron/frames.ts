// Which frames may have a terminal. Pure. A page that somebody else wrote, an embedded frame or a frame that is gone has none.
import type { FrameLike } from "./types.ts";

/** Origins such as "app://main" or "http://localhost:5173", or a rule of one's own for the address of a page. */
export type AllowFrame = readonly string[] | ((url: string) => boolean);

/** Pages that the app brings along. */
export const OWN_FILES: readonly string[] = ["file://"];

/** Why this frame is refused. Undefined: it may. */
export function refusesFrame(frame: FrameLike | null, allow: AllowFrame): string | undefined {
  if (!frame) return "the frame that asks is gone";
  // Whatever a page embeds has no part in its terminals, also if it comes from the same place.
  if (frame.parent !== null) return "only the main frame of a window may use terminals";
  const may = typeof allow === "function" ? allow(frame.url) : allow.includes(originOf(frame.url));
  return may === true
    ? undefined
    : `pages of ${originOf(frame.url)} may not use terminals; allowFrame names those that may`;
}

/** The URL class has no origin for files and for an app's own schemes. */
function originOf(url: string): string {
  if (!URL.canParse(url)) return "an unknown place";
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}`;
}
