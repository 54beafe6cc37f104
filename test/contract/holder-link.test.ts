// The daemon's end of the socket to the holder, against a holder that is slower than any real one.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { isFault } from "../../src/core/base/fault.ts";
import { connectHolder } from "../../src/host/holder/link.ts";
import { encodeFrame, FrameReader } from "../../src/host/holder/wire.ts";

const PROTOCOL = 1;

test("shutdown is over when the holder's process is gone, not when it has answered", async () => {
  const folder = mkdtempSync(join(tmpdir(), "dt-link-"));
  // Answers first and goes on living for a while, as a process does that exits on a busy machine.
  const holder = spawn("sleep", ["600"]);
  const server = createServer((socket) => {
    const frames = new FrameReader();
    socket.on("data", async (chunk) => {
      for (const frame of frames.push(chunk)) {
        if (frame.kind !== "request") continue;
        const hello = { protocol: PROTOCOL, version: "slow", pid: holder.pid ?? 0 };
        const answer = frame.request.op === "hello" ? hello : null;
        socket.write(encodeFrame({ kind: "answer", id: frame.id, answer }));
        if (frame.request.op !== "shutdown") continue;
        socket.end();
        await pause(200);
        holder.kill("SIGKILL");
      }
    });
  });
  const path = join(folder, "holder.sock");
  try {
    await once(server.listen(path), "listening");
    const link = await connectHolder(path, { protocol: PROTOCOL });
    if (!link || isFault(link)) throw new Error("no link");
    const ended = once(holder, "exit");
    await link.shutdown();
    expect(holder.killed).toBe(true);
    await ended;
  } finally {
    server.close();
    holder.kill("SIGKILL");
    rmSync(folder, { recursive: true });
  }
});
