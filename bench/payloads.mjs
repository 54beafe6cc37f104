// What the sessions are fed with: two logs made here, and recordings of vim and htop made by the product itself.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

/** A generator of its own, so that every run feeds the same bytes. */
export function random(seed) {
  let state = seed;
  return (n) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state % n;
  };
}

function requestLog(bytes) {
  const pick = random(1);
  const lines = [];
  for (let size = 0; size < bytes; ) {
    const line = `10.0.${pick(256)}.${pick(256)} - - [15/Nov/2026:10:${pick(60)}:${pick(60)}] "GET /api/v1/items/${pick(1e6)}?page=${pick(90)} HTTP/1.1" ${[200, 200, 304, 404, 500][pick(5)]} ${pick(90000)}\n`;
    lines.push(line);
    size += line.length;
  }
  return Buffer.from(lines.join(""));
}

export function buildLog(bytes) {
  const pick = random(2);
  const lines = [];
  for (let size = 0; size < bytes; ) {
    const kind = [`\x1b[32m✓\x1b[39m`, `\x1b[33mwarning\x1b[39m`, `\x1b[1m\x1b[31merror\x1b[39m\x1b[22m`][pick(3)];
    const line = `${kind} \x1b[2m[${pick(1000)}/1000]\x1b[22m compiling \x1b[36msrc/module${pick(500)}/file${pick(90)}.ts\x1b[39m \x1b[90m(${pick(900)} ms)\x1b[39m\n`;
    lines.push(line);
    size += Buffer.byteLength(line);
  }
  return Buffer.from(lines.join(""));
}

async function record(client, command, keys) {
  const { session_id } = await client.pty_open({ command, cols: 120, rows: 40 });
  await client.pty_wait({ session_id, any: [{ settled_ms: 400 }], timeout_ms: 5000 });
  for (const key of keys) {
    await client.pty_send({ session_id, ...key });
    await delay(15);
  }
  await client.pty_close({ session_id });
  const chunks = [];
  for (let from = 0; ; ) {
    const part = await client.pty_read_raw({ session_id, from });
    chunks.push(Buffer.from(part.base64, "base64"));
    from = part.next;
    if (from >= part.total) return Buffer.concat(chunks);
  }
}

const repeat = (bytes, size) => Buffer.concat(Array.from({ length: Math.ceil(size / bytes.length) }, () => bytes));

export async function makePayloads(client, dir, megabytes) {
  const size = megabytes << 20;
  const source = join(dir, "source.c");
  const lines = Array.from(
    { length: 3000 },
    (_, i) => `static int function_${i}(int a, char *b) { return a * ${i} + b[${i % 9}]; } /* line ${i} */`,
  );
  writeFileSync(source, lines.join("\n"));
  const scroll = Array.from({ length: 90 }, (_, i) => ({
    keys: [["Ctrl+F", "Ctrl+D", "Down", "Ctrl+B", "G", "Ctrl+U"][i % 6]],
  }));
  const vim = await record(client, ["vim", "-u", "NONE", "-N", "-c", "syntax on", source], scroll);
  const htop = await record(
    client,
    ["htop", "-d", "1"],
    Array.from({ length: 120 }, (_, i) => ({ keys: [["Down", "PageDown", "F6", "Escape", "Up"][i % 5]] })),
  );
  const payloads = {
    "request log": requestLog(size),
    "coloured build log": buildLog(size),
    "vim recording": repeat(vim, size),
    "htop recording": repeat(htop, size),
  };
  return Object.entries(payloads).map(([name, bytes]) => written(dir, name, bytes));
}

export const requestPayload = (dir, megabytes) => written(dir, "request log", requestLog(megabytes << 20));

function written(dir, name, bytes) {
  const file = join(dir, `${name.replaceAll(" ", "-")}.bin`);
  writeFileSync(file, bytes);
  return { name, file, bytes: bytes.length };
}
