// Shells inside of a session's own that a tool for places started: a real nix-shell, with a store of its own.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { sharedStand } from "../../fixtures/stand/stand.ts";

const s = sharedStand();
const { person, duetty } = s;

/** A place that needs nothing from any network: a derivation of its own, and the machine's bash. */
function nixPlace(): { readonly line: (options: string) => string } {
  const folder = duetty.makeFolder();
  writeFileSync(join(folder, "setup"), ":\n");
  const fields = `name = "place"; system = builtins.currentSystem; builder = "/bin/bash"; stdenv = "${folder}";`;
  writeFileSync(join(folder, "shell.nix"), `derivation { ${fields} }\n`);
  const stores = ["STORE", "STATE", "LOG"].map((name) => `NIX_${name}_DIR=${folder}/${name.toLowerCase()}`);
  const env = [...stores, `HOME=${folder}`, "NIX_BUILD_SHELL=/bin/bash", "NIX_CONFIG='build-users-group ='"].join(" ");
  return { line: (options) => `${env} nix-shell ${options} ${folder}/shell.nix` };
}

it.each([
  ["", "impure"],
  ["--pure", "pure"],
])("nix-shell %s: commands have their exit codes and output", async (options, kind) => {
  const session_id = await s.openBash();
  const text = nixPlace().line(options);
  await person.pty_send({ session_id, text, keys: ["Enter"], then: { any: [{ input: true }] } });
  await person.integrate({ session_id });
  const { nested } = (await person.pty_list({})).sessions.find((one) => one.session_id === session_id) ?? {};
  expect(nested).toMatchObject({ kind: "nix-shell", shell: "bash", far: false, host: null, guard: "none" });
  const run = (command: string) => person.run_command({ session_id, command });
  expect(await run("echo $IN_NIX_SHELL; (exit 7)")).toMatchObject({ exit_code: 7, output: { head: kind } });
  expect(await run("exit 3")).toMatchObject({ exit_code: 3 });
  await person.pty_wait({ session_id, any: [{ prompt: true }] });
  expect(await run("echo out$IN_NIX_SHELL")).toMatchObject({ exit_code: 0, output: { head: "out" } });
  const { blocks } = await person.blocks({ session_id });
  expect(blocks.map(({ exit_code }) => exit_code)).toEqual([null, 7, 3, 3, 0]);
});
