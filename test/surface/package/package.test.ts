// What npm packs is enough: duetty runs from a copy that has neither its sources nor what only the build needs.
import fs from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { Installation, ROOT, run } from "../../fixtures/stand/installation.ts";

const INITIALIZE = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } },
});

async function packedInto(folder: string): Promise<string[]> {
  const { stdout } = await run("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
    env: process.env,
    cwd: ROOT,
  });
  const paths: string[] = JSON.parse(stdout)[0].files.map(({ path }: { path: string }) => path);
  for (const path of paths) {
    fs.mkdirSync(dirname(join(folder, path)), { recursive: true });
    fs.copyFileSync(join(ROOT, path), join(folder, path));
  }
  fs.symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  return paths;
}

it("what npm packs runs commands, serves the page and speaks MCP", async () => {
  await using duetty = new Installation();
  const packed = duetty.makeFolder();
  const paths = await packedInto(packed);
  const started = (file: string) => fs.readFileSync(file, "latin1").split("\0");
  const cli = (...words: string[]) =>
    run(process.execPath, [join(packed, "bin/duetty.js"), ...words], { env: duetty.env });

  expect(await cli("run", "--", "echo", "packed")).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("packed"),
  });
  const { daemon, holder } = JSON.parse((await cli("status", "--json")).stdout);
  for (const { pid } of [daemon, holder])
    expect(started(`/proc/${pid}/cmdline`)[1]).toMatch(new RegExp(`^${fs.realpathSync(packed)}/dist/`));
  expect(await duetty.request("/", {})).toMatchObject({ status: 200, body: expect.stringContaining("<script") });
  const mcp = await run("bash", ["-c", `echo '${INITIALIZE}' | '${process.execPath}' '${packed}/bin/duetty.js' mcp`], {
    env: duetty.env,
  });
  expect(JSON.parse(mcp.stdout)).toMatchObject({ id: 1, result: { serverInfo: { name: "duetty" } } });
  // A module per file would make every start twice as long.
  expect(paths.filter((path) => path.startsWith("dist/") && !path.startsWith("dist/web/")).length).toBeLessThan(100);
});
