// Files that programs name: which of them exist, and how a person opens one. For people only; no shell reads a name.
import fs from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { sharedStand, stand } from "../fixtures/stand/stand.ts";

/** An editor that shows what it was given, one argument after another, and waits. */
const EDITOR = 'sh -c \'printf "<%s>" "$@"; cat\' own';
const { person, agent, folder, openBash } = sharedStand({ env: { EDITOR, VISUAL: "" } });

it("tells which names are files, of the folder that they were printed in", async () => {
  const cwd = folder({ "src/a.ts": "", "b c.py": "" });
  const session_id = await openBash({ cwd });
  const names = [
    "src/a.ts",
    "./src/a.ts",
    join(cwd, "b c.py"),
    "b c.py",
    "src",
    "none.ts",
    "/proc/self/status",
    "/dev/null",
    "a\0b",
  ];
  const { files } = await person.find_files({ session_id, names });
  expect(files.map(({ name }) => name)).toEqual(["src/a.ts", "./src/a.ts", join(cwd, "b c.py"), "b c.py"]);
  expect(files[1]?.path).toBe(join(cwd, "src/a.ts"));
  const { files: there } = await person.find_files({ session_id, folder: join(cwd, "src"), names: ["a.ts", "b c.py"] });
  expect(there).toEqual([{ name: "a.ts", path: join(cwd, "src/a.ts") }]);
  await expect(agent().find_files({ session_id, names })).rejects.toThrow();
  await expect(person.find_files({ session_id, names: Array(201).fill("a") })).rejects.toThrow();
});

it("opens a file in $EDITOR in a session of its own; its name is one argument, whatever it says", async () => {
  const evil = "a; $(touch pwned) `id` 'x\".ts";
  const cwd = folder({ [evil]: "" });
  const session_id = await openBash({ cwd });
  const path = join(cwd, evil);
  const { session, url } = await person.edit({ session_id, path, line: 12 });
  expect(url).toBeUndefined();
  expect(session).toMatchObject({
    cwd,
    actor: "person",
    name: `edit ${evil}`,
    command: ["sh", "-c", expect.any(String), "own", path],
  });
  const seen = { session_id: session?.session_id ?? "", any: [{ text: `<${path}>` }], since: 0 };
  expect((await person.pty_wait({ ...seen, timeout_ms: 20_000 })).outcome).toBe("matched");
  expect(fs.readdirSync(cwd)).toEqual([evil]);
  await person.pty_close({ session_id: seen.session_id });
  await expect(agent().edit({ session_id, path })).rejects.toThrow();
  await expect(person.edit({ session_id, path: join(cwd, "none") })).rejects.toThrow(/no such file/);
  await expect(person.edit({ session_id, path: evil })).rejects.toThrow(/absolute/);
});

it("or tells the address of the person's own editor, encoded", async () => {
  await using own = await stand({ config: { editor: "vscode://file/{path}:{line}:{col}" } });
  const cwd = own.folder({ "a b#?&.ts": "" });
  const session_id = await own.openBash({ cwd });
  const answer = await own.person.edit({ session_id, path: join(cwd, "a b#?&.ts"), line: 3 });
  expect(answer).toEqual({ url: `vscode://file${cwd}/a%20b%23%3F%26.ts:3:1` });
});
