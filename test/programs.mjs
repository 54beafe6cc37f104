// Gives all tests a PATH that holds only what scripts/programs.mjs lists, and the packages of scripts/peers.mjs, however
// vitest was started. Owns: the folder. Measures the load of the machine, which timeouts depend on.
// Takes a company's certificates away: each node reads them all as it starts, for longer than all else that it does then,
// and no test speaks TLS with anybody outside.
import { rmSync } from "node:fs";
import { linkPeers } from "../scripts/peers.mjs";
import { isDebian, linkPrograms, missing } from "../scripts/programs.mjs";
import { measureLoad } from "./fixtures/load.ts";

export async function setup() {
  delete process.env.NODE_EXTRA_CA_CERTS;
  await measureLoad();
  linkPeers();
  const names = missing().map(({ name, pkg }) => `${name} (package ${pkg})`);
  if (names.length > 0) console.warn(`Not installed: ${names.join(", ")}. \`node scripts/needs.mjs\` installs them.`);
  if (!isDebian()) {
    console.warn(
      "No dpkg here, so the tests run with your own PATH: a program that scripts/programs.mjs lacks is not noticed.",
    );
    return;
  }
  const folder = linkPrograms();
  process.env.PATH = folder;
  return () => rmSync(folder, { recursive: true });
}
