// Nobody without a fleet pays for the broker's client: no file that the CLI, a daemon or a holder reads as it starts has it,
// and the bundler makes it a file of its own, which only an import on demand reads.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { rolldown } from "rolldown";
import { expect, test } from "vitest";

/** How the bundle marks where code is from. */
const CLIENT = "node_modules/@nats-io/";
/** Keys, certificates and what is made of them. */
const KEYS = "build/host/fleet/";
const IMPORT = /^(?:import|export)\b[^;"]*"(\.[^"]+)";/gm;

/** The text of this built file and of all that it imports at once. */
function loadedWith(...roots: readonly string[]): string {
  const files = new Map<string, string>();
  const read = (file: string) => {
    if (files.has(file)) return;
    const text = readFileSync(file, "utf8");
    files.set(file, text);
    for (const [, next = ""] of text.matchAll(IMPORT)) read(join(dirname(file), next));
  };
  for (const root of roots) read(join("dist", root));
  return [...files.values()].join("\n");
}

/** The file that a daemon loads once there is a fleet. */
function onDemandIn(daemon: string): string {
  const [, name = ""] = /import\("\.\/(members\d*\.js)"\)/.exec(daemon) ?? [];
  return name;
}

test("what the CLI, the daemon, the holder and the library read at once has nothing of the client", () => {
  // The daemon's main file imports the rest once it has the lock.
  const daemon = loadedWith("serve/main.js", "chunks/daemon.js");
  // What a daemon does load is seen by the same look.
  expect(daemon).toContain("node_modules/ws/");
  for (const part of [CLIENT, KEYS]) expect(daemon).not.toContain(part);
  expect(readFileSync(join("dist", "chunks", onDemandIn(daemon)), "utf8")).toContain(KEYS);
  for (const root of ["cli/main.js", "holder/main.js", "entry/index.js", "entry/client.js", "entry/testing.js"])
    expect([root, loadedWith(root).includes(CLIENT)]).toEqual([root, false]);
});

test("the client is a file that only an import on demand reads", async () => {
  const bundle = await rolldown({ input: "build/host/bus/nats.js", platform: "node" });
  const { output } = await bundle.generate({ format: "esm" });
  await bundle.close();
  const chunks = output.flatMap((one) => (one.type === "chunk" ? [one] : []));
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const has = (name: string) => byName.get(name)?.moduleIds.some((id) => id.includes(CLIENT)) ?? false;
  const atOnce = new Set(chunks.filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName));
  // A set that grows while it is walked.
  for (const name of atOnce) for (const next of byName.get(name)?.imports ?? []) atOnce.add(next);
  expect([...atOnce].filter(has)).toEqual([]);
  const onDemand = [...atOnce].flatMap((name) => byName.get(name)?.dynamicImports ?? []);
  expect(onDemand.some(has)).toBe(true);
});
