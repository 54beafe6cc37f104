// What a program inside a box reads when the proxy does not let it through: what happened, and how to ask.
import type { Target } from "../../../core/box/network.ts";

export interface Refusal {
  readonly status: 400 | 403 | 502;
  readonly text: string;
}

export function isRefusal(value: object): value is Refusal {
  return "status" in value;
}

export function refused({ host, port }: Target, why: string): Refusal {
  const text = `duetty: refused by the box: ${host}:${port} ${why}.
An agent asks for it by a line that names the host (such as curl https://${host}/…): a person's yes opens it for that run.
A person opens it for good by adding it to box.network in duetty's config.json; it counts for new sessions.
`;
  return { status: 403, text };
}

export function malformed(): Refusal {
  return {
    status: 400,
    text: "duetty: this is the box's proxy. It takes CONNECT host:port and http:// addresses, without a user name.\n",
  };
}

export function noAddress({ host }: Target): Refusal {
  return { status: 502, text: `duetty: ${host} is open to this box, but the name has no address.\n` };
}

export function unreachable({ host, port }: Target, why: string): Refusal {
  return { status: 502, text: `duetty: ${host}:${port} is open to this box, but there was no connection: ${why}\n` };
}

/** The whole response, for a connection that no HTTP server looks after any more. */
export function responseBytes({ status, text }: Refusal): string {
  const name = { 400: "Bad Request", 403: "Forbidden", 502: "Bad Gateway" }[status];
  const head = [
    `HTTP/1.1 ${status} ${name}`,
    "Content-Type: text/plain; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(text)}`,
    "Connection: close",
  ];
  return `${head.join("\r\n")}\r\n\r\n${text}`;
}
