// A boxed session's only way to the network: an HTTP proxy on a unix socket that is bound into its box. Owns: the socket
// and its connections. Decides on the name, looks it up once and connects to the very address that was judged. Refuses:
// to keep rules (src/core/box) and to read a tunnel's bytes.
import fs from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { type Address, reachOf, readAddress, sameAddress } from "../../../core/box/address.ts";
import type { BoxNetwork, NetworkDecision } from "../../../core/box/box-network.ts";
import { readTarget, type Target } from "../../../core/box/network.ts";
import { forward, readAbsolute } from "./forward.ts";
import { isRefusal, malformed, noAddress, type Refusal, refused, responseBytes } from "./refusal.ts";
import { IDLE_MS_MAX, tunnel, type Way } from "./tunnel.ts";

/** npm opens 15 at once, a build tool perhaps 50. More is a flood, and each costs the daemon two descriptors. */
const CONNECTIONS_MAX = 100;
/** Servers take 8 KiB of header, and a proxy's request line has a host more. */
const HEADER_BYTES_MAX = 16 << 10;
/** The client is on the same machine. One that takes longer for its header does not mean to send it. */
const HEADER_MS_MAX = 10_000;

interface ProxyParts {
  readonly network: BoxNetwork;
  /** All addresses of a name; none if it is unknown. */
  lookup(host: string): Promise<readonly string[]>;
  /** Of this machine. What listens there may count on being asked by its own people. */
  ownAddresses(): readonly string[];
  /** Our own are never reached, whatever a list opens: the call would come from the daemon itself, which is nobody's agent. */
  ownPorts(): readonly number[];
}

export class NetworkProxy {
  #parts: ProxyParts;
  #server: Server;
  /** Each client, and the run whose grant let it through. */
  #clients = new Map<Duplex, string | null>();

  constructor(parts: ProxyParts) {
    this.#parts = parts;
    parts.network.onClosed = (run_id) => this.#cut(run_id);
    const limits = { maxHeaderSize: HEADER_BYTES_MAX, headersTimeout: HEADER_MS_MAX, requestTimeout: 0 };
    this.#server = createServer({ ...limits, noDelay: true });
    this.#server.maxConnections = CONNECTIONS_MAX;
    this.#server.maxRequestsPerSocket = 1;
    this.#server.timeout = IDLE_MS_MAX;
    this.#server.on("connection", (client: Socket) => {
      this.#clients.set(client, null);
      client.once("close", () => this.#clients.delete(client));
    });
    this.#server.on("request", (request, response) => void this.#onRequest(request, response));
    this.#server.on("connect", (request, client, head) => void this.#onConnect(request, client, head));
  }

  /**
   * Replaces a socket that an earlier daemon left. The box sees the folder, so it finds the new one. Listens when it
   * returns: Node binds a path at once and tells later when it could not.
   */
  listen(path: string, failed: (message: string) => void): void {
    this.#server.on("error", ({ message }) => failed(`This box has no network: ${message}`));
    fs.rmSync(path, { force: true });
    this.#server.listen(path);
  }

  close(): void {
    this.#server.close();
    for (const client of this.#clients.keys()) client.destroy();
  }

  #cut(run_id: string): void {
    for (const [client, grant] of this.#clients) if (grant === run_id) client.destroy();
  }

  async #onRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // One request for each connection: a second one would hang on the first one's grant.
    response.setHeader("connection", "close");
    const wanted = readAbsolute(request.url ?? "");
    const way = await this.#admit(wanted?.target, request.socket);
    const refusal = isRefusal(way) ? way : await forward(request, response, { ...way, path: wanted?.path ?? "/" });
    if (!refusal || response.destroyed) return;
    if (response.headersSent) return void response.destroy();
    response.writeHead(refusal.status, { "content-type": "text/plain; charset=utf-8" });
    response.end(refusal.text);
  }

  async #onConnect(request: IncomingMessage, client: Duplex, head: Buffer): Promise<void> {
    client.on("error", () => client.destroy());
    const way = await this.#admit(readTarget(request.url ?? ""), client);
    if (client.destroyed) return;
    if (isRefusal(way)) client.end(responseBytes(way));
    else tunnel(client, head, way);
  }

  /** One decision and one event. */
  async #admit(target: Target | undefined, client: Duplex): Promise<Way | Refusal> {
    const { network } = this.#parts;
    if (!target) {
      network.decided(null, { allowed: false, why: "is not a host and a port", run_id: null });
      return malformed();
    }
    const byName = network.judgeHost(target);
    const addresses = !byName.allowed ? [] : target.address ? [target.host] : await this.#parts.lookup(target.host);
    const judged = addresses.map((address) => ({ address, decision: this.#judge(target, address) }));
    const open = judged.filter(({ decision }) => decision.allowed);
    const decision = (open[0] ?? judged[0])?.decision ?? byName;
    network.decided(target, decision);
    if (!decision.allowed) return refused(target, decision.why);
    if (open.length === 0) return noAddress(target);
    if (!client.destroyed) this.#clients.set(client, decision.run_id);
    const sameGrant = open.filter((one) => one.decision.run_id === decision.run_id);
    return { target, addresses: sameGrant.map(({ address }) => address) };
  }

  #judge(target: Target, text: string): NetworkDecision {
    const address = readAddress(text);
    if (!address) return { allowed: false, why: "leads to an address that we cannot read", run_id: null };
    const far = reachOf(address);
    const reach = far === "public" && this.#isOwn(address) ? "own" : far;
    if (this.#parts.ownPorts().includes(target.port) && reach !== "public")
      return { allowed: false, why: "is duetty itself", run_id: null };
    return this.#parts.network.judgeAddress(target, address, reach);
  }

  #isOwn(address: Address): boolean {
    return this.#parts.ownAddresses().some((own) => sameAddress(readAddress(own) ?? [], address));
  }
}
