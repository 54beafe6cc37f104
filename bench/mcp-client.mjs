// A client that speaks MCP over standard input and output by hand, as an agent's program does, and weighs what its model reads.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { BIN } from "./stand.mjs";

export async function connectMcp(env, name = "bench") {
  const child = spawn(process.execPath, [BIN, "mcp"], { env, stdio: ["pipe", "pipe", "inherit"] });
  const open = new Map();
  let next = 1;
  createInterface({ input: child.stdout }).on("line", (line) => {
    const message = JSON.parse(line);
    open.get(message.id)?.(message);
    open.delete(message.id);
  });
  const ask = (method, params) =>
    new Promise((resolve) => {
      const id = next++;
      open.set(id, resolve);
      child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    });
  const clientInfo = { name, version: "1" };
  await ask("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
  return {
    async call(tool, args) {
      const { result, error } = await ask("tools/call", { name: tool, arguments: args });
      const text = result?.content[0].text ?? "";
      if (error || result.isError) throw new Error(`${tool}: ${error?.message ?? text}`);
      return { text, data: result.structuredContent ?? {} };
    },
    async close() {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.stdin.end();
      await ended;
    },
  };
}
