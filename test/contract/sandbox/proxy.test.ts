// The proxy of a boxed session, with real sockets on loopback: what is let through, what is refused, and that nothing can
// be hidden from it.
import { once } from "node:events";
import http from "node:http";
import net from "node:net";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { BoxNetwork } from "../../../src/core/box/box-network.ts";
import { NetworkProxy } from "../../../src/host/sandbox/network/proxy.ts";
import { testFolder } from "../../fixtures/folder.ts";
import { soon } from "../../fixtures/soon.ts";

interface Event {
  readonly kind: string;
  readonly host?: string | null;
  readonly allowed?: boolean;
  readonly rule?: string;
}

/** Public ones of this machine. */
const OWN = ["8.8.4.4", "2606:4700:4700::1111"];

/** A proxy with its own name server, in which every lookup is counted. */
async function proxyFor(rules: string[], names: Record<string, string[]> = {}, ownPort = 0) {
  const events: Event[] = [];
  const lookups: string[] = [];
  const network = new BoxNetwork(rules, (event) => events.push(event as Event), Date.now);
  const lookup = async (host: string) => {
    lookups.push(host);
    await nextTurn();
    return names[host] ?? [];
  };
  const proxy = new NetworkProxy({ network, lookup, ownAddresses: () => OWN, ownPorts: () => [1, ownPort] });
  const path = join(testFolder(), "net");
  proxy.listen(path, failed);
  onTestFinished(() => proxy.close());
  return { path, network, events, lookups, proxy };
}

const failed = (message: string) => {
  throw new Error(message);
};

/** An HTTP server that answers with what it was asked, as it came. */
async function origin(answer?: http.RequestListener): Promise<{ port: number; asked: string[] }> {
  const asked: string[] = [];
  const server = http.createServer(
    answer ??
      (async (request, response) => {
        const body: Buffer[] = [];
        for await (const chunk of request) body.push(chunk as Buffer);
        const { method, url, rawHeaders } = request;
        asked.push(`${method} ${url}`);
        response.end(JSON.stringify({ method, url, headers: rawHeaders, body: Buffer.concat(body).toString() }));
      }),
  );
  return { port: await listening(server), asked };
}

async function listening(server: net.Server): Promise<number> {
  const sockets = new Set<net.Socket>();
  server.on("connection", (socket) => sockets.add(socket));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const address = server.address();
  if (typeof address !== "object" || !address) throw new Error("no port");
  return address.port;
}

/** Sends the bytes and returns all that comes back until the end. */
async function exchange(path: string, ...pieces: string[]): Promise<string> {
  const socket = net.connect(path);
  onTestFinished(() => void socket.destroy());
  const chunks: Buffer[] = [];
  socket.on("data", (chunk) => chunks.push(chunk));
  socket.on("error", () => undefined);
  for (const piece of pieces) {
    socket.write(piece, "latin1");
    await nextTurn();
  }
  await once(socket, "close");
  return Buffer.concat(chunks).toString("latin1");
}

const get = (url: string, ...headers: string[]) => `GET ${url} HTTP/1.1\r\n${[...headers, "", ""].join("\r\n")}`;

test("a listed host answers, by the address that was judged, and the request arrives in origin form", async () => {
  const { port } = await origin();
  const { path, events, lookups } = await proxyFor(["app.test", "127.0.0.1"], { "app.test": ["127.0.0.1"] });
  const answer = await exchange(
    path,
    get(
      `http://APP.test.:${port}/a/b?c=1`,
      "Host: other.test",
      "Proxy-Authorization: Basic eDp5",
      "Proxy-Connection: keep-alive",
      "Connection: X-Hop, close",
      "X-Hop: 1",
      "X-Kept: 1",
      "Upgrade: h2c",
    ),
  );
  expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  const seen = JSON.parse(answer.slice(answer.indexOf("{"), answer.lastIndexOf("}") + 1));
  expect(seen.url).toBe("/a/b?c=1");
  const headers = Object.fromEntries(
    (seen.headers as string[]).flatMap((name, at, all) => (at % 2 === 0 ? [[name.toLowerCase(), all[at + 1]]] : [])),
  );
  expect(headers).toEqual({ host: `app.test:${port}`, "x-kept": "1", connection: "close" });
  expect(events).toMatchObject([{ kind: "network", host: "app.test", port, allowed: true, rule: "127.0.0.1" }]);
  expect(lookups).toEqual(["app.test"]);
});

test("a body arrives whole, with a length or in chunks, whatever the method", async () => {
  const { port } = await origin();
  const { path } = await proxyFor(["127.0.0.1"]);
  const url = `http://127.0.0.1:${port}/`;
  for (const method of ["POST", "GET", "DELETE"]) {
    const head = `${method} ${url} HTTP/1.1\r\nHost: x\r\n`;
    const counted = await exchange(path, `${head}Content-Length: 5\r\n\r\nhe`, "llo");
    expect(counted).toContain('"body":"hello"');
    const chunked = await exchange(path, `${head}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n`, "0\r\n\r\n");
    expect(chunked).toContain('"body":"hello"');
  }
});

test.each([
  ["a name that is not listed", "other.test", "is not on the list"],
  ["an address that is not listed", "127.0.0.2", "is not on the list"],
  ["a listed name at a loopback address", "rebind.test", "loopback"],
  ["a listed name at a loopback address in IPv6 form", "mapped.test", "loopback"],
  ["a listed name at the cloud's metadata address", "meta.test", "link-local"],
  ["a listed name at a private address", "inner.test", "private"],
  ["a listed name whose every address is private", "both.test", "private"],
  ["a listed name at a public address of this machine", "own.test", "an address of this machine"],
])("%s is refused with a text that says how to ask", async (_, host, why) => {
  const { port, asked } = await origin();
  const names = {
    "rebind.test": ["127.0.0.1"],
    "mapped.test": ["::ffff:127.0.0.1"],
    "meta.test": ["169.254.169.254"],
    "inner.test": ["10.0.0.1"],
    "both.test": ["10.0.0.1", "fd00::1"],
    "own.test": OWN,
  };
  const { path, events } = await proxyFor(Object.keys(names), names);
  for (const request of [get(`http://${host}:${port}/`, "Host: x"), `CONNECT ${host}:${port} HTTP/1.1\r\n\r\n`]) {
    const answer = await exchange(path, request);
    expect(answer).toMatch(/^HTTP\/1\.1 403 Forbidden\r\n/);
    expect(answer).toContain(why);
    expect(answer).toContain("a person's yes opens it for that run");
  }
  expect(asked).toEqual([]);
  expect(events).toMatchObject([
    { kind: "network", host, port, allowed: false },
    { kind: "network", host, port, allowed: false },
  ]);
});

test.each(OWN)("any public host does not mean this machine: %s", async (address) => {
  const { path } = await proxyFor(["*"]);
  const host = address.includes(":") ? `[${address}]` : address;
  expect(await exchange(path, `CONNECT ${host}:443 HTTP/1.1\r\n\r\n`)).toContain("leads to an address of this machine");
});

test("a name that is not listed is never looked up", async () => {
  const { path, lookups } = await proxyFor(["app.test"], { "secret-data.evil.test": ["127.0.0.1"] });
  await exchange(path, "CONNECT secret-data.evil.test:443 HTTP/1.1\r\n\r\n");
  expect(lookups).toEqual([]);
});

test("a name is looked up once: its answer cannot change between the judgement and the connection", async () => {
  const { port, asked } = await origin();
  const answers = [["127.0.0.1"], ["127.0.0.9"]];
  const { path, lookups, network } = await proxyFor(["127.0.0.1"], {
    get "turn.test"() {
      return answers.shift() ?? [];
    },
  });
  network.open("r_1", ["turn.test", "127.0.0.1"]);
  expect(await exchange(path, get(`http://turn.test:${port}/`, "Host: x"))).toContain("200 OK");
  expect(asked).toEqual(["GET /"]);
  expect(lookups).toEqual(["turn.test"]);
  expect(await exchange(path, get(`http://turn.test:${port}/`, "Host: x"))).toContain("403 Forbidden");
});

test("of several addresses only those that are allowed are tried", async () => {
  const { port } = await origin();
  const { path } = await proxyFor(["app.test", "127.0.0.1"], { "app.test": ["10.0.0.1", "::1", "127.0.0.1"] });
  expect(await exchange(path, get(`http://app.test:${port}/`, "Host: x"))).toContain("200 OK");
});

test.each([
  "CONNECT example.com HTTP/1.1\r\n\r\n",
  "CONNECT user@example.com:443 HTTP/1.1\r\n\r\n",
  "CONNECT 0x7f.1:80 HTTP/1.1\r\n\r\n",
  "CONNECT 2130706433:80 HTTP/1.1\r\n\r\n",
  "CONNECT http://example.com:80/ HTTP/1.1\r\n\r\n",
  get("/", "Host: example.com"),
  get("http://user:secret@example.com/", "Host: x"),
  get("http://127.1/", "Host: x"),
  get("https://example.com/", "Host: x"),
  get("ftp://example.com/", "Host: x"),
  get("http://example.com\\@evil.test/", "Host: x"),
  get("http://example.com#@evil.test/", "Host: x"),
  get("http:///", "Host: x"),
  get("http://bücher.test/", "Host: x"),
])("%j is malformed", async (request) => {
  const { path, events, lookups } = await proxyFor(["*"]);
  expect(await exchange(path, request)).toMatch(/^HTTP\/1\.1 400 /);
  expect(lookups).toEqual([]);
  expect(events.every(({ allowed }) => allowed === false)).toBe(true);
});

test.each([
  ["two lengths", "Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello"],
  [
    "a length and chunks",
    "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /hidden HTTP/1.1\r\n\r\n",
  ],
  ["chunks that are not the last coding", "Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n"],
  ["a folded header", "X-A: 1\r\n Transfer-Encoding: chunked\r\n\r\nGET /hidden HTTP/1.1\r\n\r\n"],
  ["a second request behind the first", "\r\nGET /hidden HTTP/1.1\r\nHost: x\r\n\r\n"],
  ["a second absolute request", "\r\nGET http://127.0.0.1:PORT/hidden HTTP/1.1\r\nHost: x\r\n\r\n"],
])("nothing is smuggled with %s", async (_, rest) => {
  const { port, asked } = await origin();
  const { path } = await proxyFor(["127.0.0.1"]);
  const first = `POST http://127.0.0.1:${port}/first HTTP/1.1\r\nHost: x\r\n`;
  await exchange(path, first + rest.replace("PORT", String(port)));
  expect(asked.filter((one) => one.includes("hidden"))).toEqual([]);
  expect(asked.length).toBeLessThanOrEqual(1);
});

test("headers that are too long are refused", async () => {
  const { path } = await proxyFor(["*"]);
  const answer = await exchange(path, get("http://example.com/", "Host: x", `X: ${"a".repeat(20_000)}`));
  expect(answer).toMatch(/^HTTP\/1\.1 431 /);
});

test("a tunnel passes bytes both ways, also those that came with its request, and each side ends by itself", async () => {
  const echo = net.createServer({ allowHalfOpen: true }, (socket) => socket.pipe(socket));
  const port = await listening(echo);
  const { path, events } = await proxyFor(["127.0.0.1"]);
  const socket = net.connect({ path, allowHalfOpen: true });
  onTestFinished(() => void socket.destroy());
  const chunks: Buffer[] = [];
  socket.on("data", (chunk) => chunks.push(chunk));
  socket.write(`CONNECT 127.0.0.1:${port} HTTP/1.1\r\n\r\nearly `);
  const large = "x".repeat(1 << 20);
  await soon(() => expect(Buffer.concat(chunks).toString()).toContain("early "));
  socket.end(large);
  await once(socket, "end");
  const answer = Buffer.concat(chunks).toString();
  expect(answer).toMatch(/^HTTP\/1\.1 200 Connection established\r\n\r\nearly x/);
  expect(answer.length).toBe("HTTP/1.1 200 Connection established\r\n\r\nearly ".length + large.length);
  expect(events).toMatchObject([{ host: "127.0.0.1", port, allowed: true, rule: "127.0.0.1" }]);
});

test("a side that does not read makes the other wait", async () => {
  let sent = 0;
  const flood = net.createServer((socket) => {
    const more = () => {
      while (!socket.destroyed) {
        sent += 1 << 16;
        if (!socket.write(Buffer.alloc(1 << 16))) return void socket.once("drain", more);
      }
    };
    socket.on("error", () => undefined);
    more();
  });
  const port = await listening(flood);
  const { path } = await proxyFor(["127.0.0.1"]);
  const socket = net.connect(path);
  onTestFinished(() => void socket.destroy());
  socket.pause();
  socket.write(`CONNECT 127.0.0.1:${port} HTTP/1.1\r\n\r\n`);
  let before = -1;
  await soon(async () => {
    const now = sent;
    await new Promise((resolve) => setTimeout(resolve, 50));
    const isStill = now > 0 && now === sent && now === before;
    before = now;
    expect(isStill).toBe(true);
  });
  // What the kernel's buffers and Node's take, and not more.
  expect(sent).toBeLessThan(32 << 20);
});

test("a server that is not there, and a name without an address, are told as such", async () => {
  const gone = net.createServer();
  const port = await listening(gone);
  gone.close();
  await once(gone, "close");
  const { path } = await proxyFor(["127.0.0.1", "nowhere.test"]);
  expect(await exchange(path, `CONNECT 127.0.0.1:${port} HTTP/1.1\r\n\r\n`)).toMatch(/^HTTP\/1\.1 502 .*ECONNREFUSED/s);
  expect(await exchange(path, get(`http://127.0.0.1:${port}/`, "Host: x"))).toMatch(/^HTTP\/1\.1 502 .*ECONNREFUSED/s);
  expect(await exchange(path, get("http://nowhere.test/", "Host: x"))).toMatch(/^HTTP\/1\.1 502 .*no address/s);
});

test("a server that breaks off breaks the answer off, and what is not HTTP is no answer", async () => {
  const breaks = await origin((_, response) => {
    response.writeHead(200, { "content-length": "100" });
    response.write("half", () => response.destroy());
  });
  const { path } = await proxyFor(["127.0.0.1"]);
  const answer = await exchange(path, get(`http://127.0.0.1:${breaks.port}/`, "Host: x"));
  expect(answer).toMatch(/^HTTP\/1\.1 200 .*half$/s);
  const nonsense = net.createServer((socket) => socket.on("error", () => undefined).end("SSH-2.0-x\r\n"));
  const port = await listening(nonsense);
  expect(await exchange(path, get(`http://127.0.0.1:${port}/`, "Host: x"))).toMatch(/^HTTP\/1\.1 502 /);
});

test("a grant opens for one run; its end cuts the tunnels that hang on it and no others", async () => {
  const echo = net.createServer((socket) => socket.on("error", () => undefined).pipe(socket));
  const port = await listening(echo);
  const { path, network, events } = await proxyFor(["127.0.0.1"], { "app.test": ["127.0.0.1"] });
  const connect = async (host: string) => {
    const socket = net.connect(path);
    onTestFinished(() => void socket.destroy());
    socket.on("error", () => undefined);
    socket.write(`CONNECT ${host}:${port} HTTP/1.1\r\n\r\n`);
    const [answer] = await once(socket, "data");
    return { socket, answer: String(answer) };
  };
  expect((await connect("app.test")).answer).toContain("403");
  network.open("r_1", ["app.test", "127.0.0.1"]);
  const granted = await connect("app.test");
  const listed = await connect("127.0.0.1");
  expect(granted.answer).toContain("200 Connection established");
  network.close("r_1");
  await once(granted.socket, "close");
  expect((await connect("app.test")).answer).toContain("403");
  listed.socket.write("still here");
  const [still] = await once(listed.socket, "data");
  expect(String(still)).toBe("still here");
  expect(events.map(({ kind, allowed, rule }) => [kind, allowed, rule])).toEqual([
    ["network", false, "is not on the list"],
    ["network_open", undefined, undefined],
    ["network", true, "127.0.0.1"],
    ["network", true, "127.0.0.1"],
    ["network_close", undefined, undefined],
    ["network", false, "is not on the list"],
  ]);
  expect(network.refusedSince(0)).toMatchObject([{ host: "app.test" }, { host: "app.test" }]);
});

test("a grant that ends while a name is looked up opens nothing", async () => {
  const { port, asked } = await origin();
  const { path, network } = await proxyFor([], {
    get "app.test"() {
      network.close("r_1");
      return ["127.0.0.1"];
    },
  });
  network.open("r_1", ["app.test", "127.0.0.1"]);
  expect(await exchange(path, get(`http://app.test:${port}/`, "Host: x"))).toContain("403 Forbidden");
  expect(asked).toEqual([]);
});

test("the daemon's own port is never reached, even if loopback is listed", async () => {
  const { port, asked } = await origin();
  const { path } = await proxyFor(["localhost", "127.0.0.1", "::1"], { localhost: ["::1", "127.0.0.1"] }, port);
  for (const host of ["localhost", "127.0.0.1", "[::ffff:127.0.0.1]"]) {
    const answer = await exchange(path, get(`http://${host}:${port}/`, "Host: x"));
    expect(answer).toMatch(/^HTTP\/1\.1 403 .*is duetty itself/s);
  }
  expect(asked).toEqual([]);
});

test("a flood of connections does not shut out the next one for good", async () => {
  const { port } = await origin();
  const { path } = await proxyFor(["127.0.0.1"]);
  const flood = Array.from({ length: 150 }, () => net.connect(path).on("error", () => undefined));
  await soon(() => expect(flood.some((socket) => socket.destroyed)).toBe(true));
  for (const socket of flood) socket.destroy();
  await soon(async () => expect(await exchange(path, get(`http://127.0.0.1:${port}/`, "Host: x"))).toContain("200 OK"));
});

test("a new proxy takes the place of one whose daemon is gone", async () => {
  const { port } = await origin();
  const { path, network, proxy } = await proxyFor(["127.0.0.1"]);
  proxy.close();
  const next = new NetworkProxy({ network, lookup: async () => [], ownAddresses: () => OWN, ownPorts: () => [] });
  onTestFinished(() => next.close());
  next.listen(path, failed);
  expect(await exchange(path, get(`http://127.0.0.1:${port}/`, "Host: x"))).toContain("200 OK");
});

test("no bytes from inside break it", async () => {
  const { port } = await origin();
  const { path, events } = await proxyFor(["127.0.0.1", "app.test"], { "app.test": ["127.0.0.1"] });
  const part = fc.constantFrom(
    ...[
      "GET ",
      "CONNECT ",
      "POST ",
      "PRI * HTTP/2.0",
      "http://",
      "https://",
      "app.test",
      "127.0.0.1",
      "[::1]",
      "[",
      "]",
    ],
    ...[
      "@",
      ":",
      `:${port}`,
      "/",
      "?",
      "#",
      " ",
      " HTTP/1.1",
      " HTTP/1.0",
      " HTTP/9.9",
      "\r\n",
      "\n",
      "\r",
      "\0",
      "\t",
    ],
    ...[
      "Host: x\r\n",
      "Content-Length: ",
      "Transfer-Encoding: chunked\r\n",
      "Expect: 100-continue\r\n",
      "5\r\nhello\r\n",
    ],
    ...[
      "Upgrade: websocket\r\nConnection: upgrade\r\n",
      "Connection: host, content-length\r\n",
      "0\r\n\r\n",
      "-1",
      "99999999999",
    ],
    ...["é", "\u00ff", "\\", "%00", "..", "a".repeat(300)],
  );
  const bytes = fc.array(part, { maxLength: 14 }).map((parts) => `${parts.join("")}\r\n\r\n`);
  await fc.assert(
    fc.asyncProperty(bytes, async (request) => {
      const socket = net.connect(path);
      socket.on("error", () => undefined);
      socket.end(request, "latin1");
      socket.resume();
      await once(socket, "close");
    }),
    { numRuns: 300 },
  );
  expect(await exchange(path, get(`http://app.test:${port}/`, "Host: x"))).toContain("200 OK");
  const open = events.filter(({ kind, allowed }) => kind === "network" && allowed === true);
  expect(open.every(({ host }) => host === "app.test" || host === "127.0.0.1")).toBe(true);
});
