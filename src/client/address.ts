// Where things are at a daemon, or at a server of somebody's own that has them below a path.
import { CallError } from "./client.ts";

/** What an address says of the place: no query, no hash, and no slash at its end. */
export function rootOf(url: string | URL): string {
  const { protocol = "", origin = "", pathname = "" } = URL.canParse(String(url)) ? new URL(url) : {};
  if (protocol !== "http:" && protocol !== "https:")
    throw new CallError({
      code: "input.invalid",
      message: "url is no http: or https: address",
      hint: "Name a server.",
    });
  return `${origin}${pathname}`.replace(/\/+$/, "");
}

/** Where the terminal's socket of a session is. */
export function terminalAddress(root: string, session_id: string, query: URLSearchParams): string {
  return `${root.replace(/^http/, "ws")}/v1/sessions/${encodeURIComponent(session_id)}/terminal?${query}`;
}
