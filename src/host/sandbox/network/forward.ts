// A plain HTTP request through the proxy. It is parsed and written anew, in origin form and without the headers that
// concern one hop, so nothing can be hidden in it from us or from the server. One request for each connection.
import { request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { readTarget, type Target } from "../../../core/box/network.ts";
import { type Refusal, unreachable } from "./refusal.ts";
import { addressOptions, CONNECT_MS_MAX, IDLE_MS_MAX, type Way } from "./tunnel.ts";

const HTTP_PORT = 80;
const ONE_HOP = new Set([
  "connection",
  "expect",
  "host",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** `http://host:port/path?query`, the form that a proxy gets. */
export function readAbsolute(url: string): { readonly target: Target; readonly path: string } | undefined {
  const [, authority = "", path = ""] = /^http:\/\/([^/?#]+)([/?][\x21\x22\x24-\x7e]*)?$/i.exec(url) ?? [];
  const target = readTarget(authority, HTTP_PORT);
  return target && { target, path: path.startsWith("/") ? path : `/${path}` };
}

/** Undefined when the answer was passed on, or nobody waits for it any more. */
export async function forward(
  request: IncomingMessage,
  response: ServerResponse,
  way: Way & { readonly path: string },
): Promise<Refusal | undefined> {
  try {
    const answer = await send(request, response, way);
    response.writeHead(answer.statusCode ?? 502, endToEnd(answer));
    await pipeline(answer, response);
    return undefined;
  } catch (error) {
    // The server or the client went away, or what the server sent is not HTTP.
    return unreachable(way.target, error instanceof Error ? error.message : String(error));
  }
}

function send(
  request: IncomingMessage,
  response: ServerResponse,
  way: Way & { readonly path: string },
): Promise<IncomingMessage> {
  const { method = "GET", headers } = request;
  // Node adds it by itself only to methods that usually have a body.
  const framing = headers["transfer-encoding"] === undefined ? {} : { "transfer-encoding": "chunked" };
  const host = { host: authorityOf(way.target) };
  return new Promise((resolve, reject) => {
    const out = httpRequest({
      ...addressOptions(way),
      method,
      path: way.path,
      headers: { ...endToEnd(request), ...framing, ...host, connection: "close" },
      agent: false,
      timeout: CONNECT_MS_MAX,
    });
    out.on("error", reject);
    out.once("response", resolve);
    out.once("close", () => reject(new Error("closed without an answer")));
    out.once("timeout", () => out.destroy(new Error("no answer in time")));
    out.once("socket", (socket) => socket.once("connect", () => out.setTimeout(IDLE_MS_MAX)));
    response.once("close", () => out.destroy());
    request.pipe(out);
  });
}

/** The headers that are for the other end. `Connection` may name more that are not. */
function endToEnd(message: IncomingMessage): Record<string, string[]> {
  const named = (message.headers.connection ?? "").split(",").map((name) => name.trim().toLowerCase());
  const all = Object.entries(message.headersDistinct);
  return Object.fromEntries(
    all.flatMap(([name, values]) => (!values || ONE_HOP.has(name) || named.includes(name) ? [] : [[name, values]])),
  );
}

function authorityOf({ host, port }: Target): string {
  const bare = host.includes(":") ? `[${host}]` : host;
  return port === HTTP_PORT ? bare : `${bare}:${port}`;
}
