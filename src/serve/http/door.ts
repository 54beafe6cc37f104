// The checks that every request and every upgrade passes before anything else happens: Host, Origin, credentials.
// A page of another site that reaches our port (DNS rebinding, CSRF) stops here.
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { type Fault, fault } from "../../core/base/fault.ts";
import type { Auth, Caller } from "../auth.ts";
import type { Peers } from "../peers.ts";

/** The listener of a request. The unix socket is in a private folder, and no browser reaches it. */
export type Way = { kind: "unix" } | { kind: "tcp"; port: number };

export function checkPlace(way: Way, headers: IncomingHttpHeaders): Fault | undefined {
  const origin = headers.origin;
  if (way.kind === "unix") return origin === undefined ? undefined : foreign("Origin", origin);
  const hosts = [`127.0.0.1:${way.port}`, `localhost:${way.port}`];
  if (!hosts.includes(headers.host ?? "")) return foreign("Host", headers.host ?? "(none)");
  if (origin !== undefined && !hosts.some((host) => origin === `http://${host}`)) return foreign("Origin", origin);
  return undefined;
}

/** Who is let in, and by what. */
export interface Door {
  readonly auth: Auth;
  readonly peers: Peers;
  readonly way: Way;
  cookieName(): string;
}

/** Where something could change, a cookie counts only with our own Origin, because browsers send it by themselves. */
export function identify({ auth, peers, cookieName }: Door, { headers, socket }: IncomingMessage): Caller | Fault {
  const bearer = /^Bearer (.+)$/.exec(headers.authorization ?? "")?.[1];
  const cookie = headers.origin === undefined ? undefined : cookieOf(headers.cookie ?? "", cookieName());
  const as = headers["x-duetty-as"];
  const shown = { bearer, cookie, as: typeof as === "string" ? as : undefined };
  const caller = auth.caller(shown, peers.of(socket));
  return (
    caller ?? fault("auth.required", "no valid token", "Send Authorization: Bearer with person.token or agent.token.")
  );
}

function cookieOf(header: string, name: string): string | undefined {
  for (const part of header.split(";")) {
    const at = part.indexOf("=");
    if (part.slice(0, at).trim() === name) return part.slice(at + 1).trim();
  }
  return undefined;
}

function foreign(what: string, value: string): Fault {
  return fault("auth.forbidden", `${what} "${value}" is not ours`, "Use the address that duetty printed.");
}
