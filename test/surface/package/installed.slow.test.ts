// The package as a user gets it: packed, installed into an empty project without anything that only we need, imported,
// required, compiled against and started.
import fs from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { rolldown } from "rolldown";
import { beforeAll, expect, test } from "vitest";
import { sharedFolder, writeFiles } from "../../fixtures/folder.ts";
import { installPacked } from "../../fixtures/packed.ts";
import { Installation, type Ran, ROOT, run } from "../../fixtures/stand/installation.ts";

const { exports: map } = JSON.parse(fs.readFileSync(join(ROOT, "package.json"), "utf8"));
const ENTRIES = Object.keys(map).filter((name) => name !== "./package.json");
const REQUIRED = ENTRIES.filter((name) => "require" in map[name]);
const named = (entry: string) => `duetty${entry.slice(1)}`;

/** What the client adds to a page. Most of it is the stream that survives lost connections. */
const CLIENT_BYTES_MAX = 5 * 1024;
/** The tarball: the engine and the page are half of it. */
const PACKED_BYTES_MAX = 3 * 1024 * 1024;

const project = sharedFolder();
const inProject = (program: string, ...words: string[]): Promise<Ran> =>
  run(program, words, { env: process.env, cwd: project });
const node = (...words: string[]) => inProject(process.execPath, ...words);
const peer = (file: string, ...words: string[]) => node(join(ROOT, "test/peers/node_modules", file), ...words);
let tarball = "";

beforeAll(async () => {
  tarball = await installPacked(project);
});

test("it is small, and brings no module per file", () => {
  expect(fs.statSync(tarball).size).toBeLessThan(PACKED_BYTES_MAX);
  const dist = join(project, "node_modules/duetty/dist");
  const code = fs.readdirSync(dist, { recursive: true }).filter((name) => /^(?!web).*\.c?js$/.test(String(name)));
  // A module per file, of which there are 1,300, would make every start twice as long. What is here is loaded when it is used.
  expect(code.length).toBeLessThan(170);
});

test("npx runs commands, the daemon serves the page and the CLI speaks MCP", async () => {
  await using duetty = new Installation();
  const env = { ...duetty.env, npm_config_offline: "true" };
  const npx = (...words: string[]) => run("npx", ["duetty", ...words], { env, cwd: project });
  expect(await npx("run", "--", "echo", "packed")).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("packed"),
  });
  const { daemon, holder } = JSON.parse((await npx("status", "--json")).stdout);
  for (const { pid } of [daemon, holder])
    expect(fs.readFileSync(`/proc/${pid}/cmdline`, "latin1")).toContain(join(project, "node_modules/duetty/dist/"));
  expect(await duetty.request("/", {})).toMatchObject({ status: 200, body: expect.stringContaining("<script") });
  const mcp = await run("bash", ["-c", `echo '${INITIALIZE}' | npx duetty mcp`], { env, cwd: project });
  expect(JSON.parse(mcp.stdout)).toMatchObject({ id: 1, result: { serverInfo: { name: "duetty" } } });
});

const INITIALIZE = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } },
});

/**
 * What an import leaves behind: things that keep the process, changed variables, new globals, listeners. The registry of
 * the schema library is its own.
 */
const SIDE_EFFECTS = `
const state = () => ({
  resources: process.getActiveResourcesInfo().filter((name) => !/^(TTYWrap|PipeWrap|FSReqPromise|CloseReq)$/.test(name)),
  env: { ...process.env }, globals: Object.getOwnPropertyNames(globalThis).filter((name) => !name.startsWith("__zod_")),
  listeners: process.eventNames().map((name) => [name, process.listenerCount(name)]), cwd: process.cwd(),
});
`;

test.each(ENTRIES)("importing duetty %s does nothing", async (entry) => {
  const cwd = fs.mkdtempSync(join(project, "import-"));
  const code = `${SIDE_EFFECTS}
    const before = state();
    const names = Object.keys(await import("${named(entry)}"));
    await new Promise(setImmediate);
    console.log(JSON.stringify({ before, after: state(), names }));`;
  const ran = await run(process.execPath, ["--input-type=module", "-e", code], {
    env: { PATH: process.env.PATH, HOME: cwd, TMPDIR: cwd },
    cwd,
  });
  expect(ran).toMatchObject({ code: 0, stderr: "" });
  const { before, after, names } = JSON.parse(ran.stdout);
  expect(after).toEqual(before);
  expect(names.length).toBeGreaterThan(0);
  expect(fs.readdirSync(cwd)).toEqual([]);
});

test.each(REQUIRED)("duetty %s can be required, and has the same names", async (entry) => {
  const name = named(entry);
  const code = `import(${JSON.stringify(name)}).then((esm) => console.log(JSON.stringify(
    [Object.keys(esm), Object.keys(require(${JSON.stringify(name)})), require.resolve(${JSON.stringify(name)})])))`;
  const { stdout, stderr } = await node("--input-type=commonjs", "-e", code);
  expect(stderr).toBe("");
  const [imported, required, file] = JSON.parse(stdout);
  expect(required).toEqual(imported);
  expect(file).toMatch(/\.cjs$/);
});

test("publint and are-the-types-wrong find nothing", async () => {
  const wrong = (profile: string, entries: readonly string[]) =>
    peer("@arethetypeswrong/cli/dist/index.js", tarball, "--profile", profile, "--entrypoints", ...entries);
  // The rest is for `import`, and for the `require` of Node 20.19 and later, which takes modules.
  const modules = ENTRIES.filter((name) => !REQUIRED.includes(name));
  const [publint, ...types] = await Promise.all([
    peer("publint/src/cli.js", tarball, "--strict"),
    wrong("node16", REQUIRED),
    wrong("esm-only", modules),
  ]);
  expect(publint.stdout + publint.stderr).toContain("All good!");
  for (const found of types) expect(found).toMatchObject({ code: 0 });
});

test("a user's code compiles, with modules, with require and for pages", async () => {
  const options = { strict: true, noEmit: true, lib: ["ES2022", "DOM"], target: "es2022" };
  const settings = (compilerOptions: object, file: string) =>
    JSON.stringify({ compilerOptions: { ...options, ...compilerOptions }, files: [file] });
  const typeRoots = [join(ROOT, "node_modules/@types")];
  const all = ENTRIES.map((entry, i) => `import * as entry${i} from "${named(entry)}";\nvoid entry${i};\n`).join("");
  writeFiles(project, {
    "user.mts": all + USER,
    "user.cts": USER,
    "page.ts": USER,
    "modules.json": settings({ module: "nodenext", types: ["node"], typeRoots }, "user.mts"),
    // Reading all declarations once is enough: it takes ten times as long as what users do.
    "require.json": settings({ module: "node16", types: ["node"], typeRoots, skipLibCheck: true }, "user.cts"),
    "page.json": settings({ ...PAGE, types: [], skipLibCheck: true }, "page.ts"),
  });
  const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
  for (const name of ["modules", "require", "page"])
    expect(await node(tsc, "-p", `${name}.json`), name).toMatchObject({ code: 0, stdout: "" });
});

const PAGE = { module: "esnext", moduleResolution: "bundler", customConditions: ["browser"] };
const USER = `
import { CallError, type Connection } from "duetty/client";
export async function used(connection: Connection): Promise<number> {
  const { session_id } = await connection.pty_open({ command: ["vim"], cols: 80 });
  // @ts-expect-error There is no such operation.
  void connection.no_such_operation;
  // @ts-expect-error Columns are a number.
  await connection.pty_resize({ session_id, cols: "80", rows: 24 });
  const { rows } = await connection.pty_read_screen({ session_id });
  const error = new CallError({ code: "x", message: "x", hint: "x" });
  return rows.length + error.code.length;
}
`;

test("a page that connects loads only the client", async () => {
  writeFiles(project, { "page.mjs": 'import { connect } from "duetty/client";\nconsole.log(connect);\n' });
  const bundle = await rolldown({ input: join(project, "page.mjs"), platform: "browser", logLevel: "silent" });
  const { output } = await bundle.generate({ minify: true });
  await bundle.close();
  expect(output).toHaveLength(1);
  expect(output[0].imports).toEqual([]);
  expect(gzipSync(output[0].code).length).toBeLessThan(CLIENT_BYTES_MAX);
});
