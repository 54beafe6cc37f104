// Operations that only the page needs: names, completion, the workspace's checks, and news of changes.
import fs from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { sharedStand } from "../fixtures/stand/stand.ts";

const { person, agent, folder, openBash } = sharedStand();

async function shellIn(files: readonly string[] = []): Promise<{ id: string; cwd: string }> {
  const cwd = folder(Object.fromEntries(files.map((name) => [name, ""])));
  const id = await openBash({ cwd });
  await person.run_command({ session_id: id, command: "true" });
  return { id, cwd };
}
const texts = (found: { candidates: readonly { text: string }[] }) => found.candidates.map(({ text }) => text);

it("paths are completed of the session's folder, quoted for a shell", async () => {
  const { id, cwd } = await shellIn(["a b.txt", "a-c.txt", ".hidden", "it's"]);
  fs.mkdirSync(join(cwd, "inner", "deep"), { recursive: true });
  const complete = (line: string) => person.complete({ session_id: id, line, kind: "path" });
  expect(await complete("cat a")).toMatchObject({ from: 4, more: 0 });
  expect(texts(await complete("cat a"))).toEqual(["a\\ b.txt", "a-c.txt"]);
  expect(texts(await complete("cat 'a b"))).toEqual(["a\\ b.txt"]);
  expect(texts(await complete("cat a\\ "))).toEqual(["a\\ b.txt"]);
  expect(texts(await complete("cat it"))).toEqual(["it\\'s"]);
  expect(texts(await complete("cat ."))).toEqual([".hidden"]);
  expect((await complete("cd inn")).candidates).toEqual([{ text: "inner/", kind: "folder", about: "" }]);
  expect(texts(await complete("ls inner/d"))).toEqual(["inner/deep/"]);
  expect(texts(await complete(`x=1; ls>${cwd}/a-`))).toEqual([`${cwd}/a-c.txt`]);
  expect(texts(await complete("cat nothing/at/all"))).toEqual([]);
  await person.run_command({ session_id: id, command: "cd inner" });
  expect(texts(await complete("cd d"))).toEqual(["deep/"]);
});

it("says how many candidates it left out", async () => {
  const many = Array.from({ length: 220 }, (_, i) => `file-${i}`);
  const { id } = await shellIn(many);
  const { candidates, more } = await person.complete({ session_id: id, line: "cat file-", kind: "path" });
  expect([candidates.length, more]).toEqual([200, 20]);
});

it("completion is for people only", async () => {
  const { id } = await shellIn();
  await expect(agent().complete({ session_id: id, line: "cat /" })).rejects.toThrow();
  await expect(agent().history({ session_id: id, text: "" })).rejects.toThrow("for people");
  await expect(agent().rename({ session_id: id, name: "mine" })).rejects.toThrow();
});

it("lists the checks that the workspace names", async () => {
  const { id, cwd } = await shellIn();
  const scripts = { test: "vitest run", lint: "biome check", "check:types": "tsc --noEmit", build: "vite build" };
  fs.writeFileSync(join(cwd, "package.json"), JSON.stringify({ scripts, devDependencies: { vitest: "1" } }));
  const { checks } = await person.checks({ session_id: id });
  expect(checks.map(({ name }) => name).sort()).toEqual(["build", "lint", "test", "types"]);
  expect(checks.find(({ name }) => name === "types")).toMatchObject({ why: expect.stringContaining("check:types") });
  expect((await person.checks({ cwd: folder() })).checks).toEqual([]);
});

it("a session is renamed, a taken name is refused, and a name can be removed", async () => {
  const [one, two] = [await shellIn(), await shellIn()];
  expect((await person.rename({ session_id: one.id, name: "web" })).name).toBe("web");
  expect((await person.pty_list({})).sessions.find(({ name }) => name === "web")?.session_id).toBe(one.id);
  await expect(person.rename({ session_id: two.id, name: "web" })).rejects.toThrow("already called");
  expect((await person.rename({ session_id: "web", name: "" })).name).toBeNull();
});

it("a change is reported, and a call waits while nothing changes", async () => {
  const { id } = await shellIn();
  const { seq } = await person.news({ since: 0, timeout_ms: 0 });
  const asked = person.news({ since: seq, timeout_ms: 20_000 });
  await person.rename({ session_id: id, name: "told" });
  const after = (await asked).seq;
  expect(after).toBeGreaterThan(seq);
  const again = await person.news({ since: after, timeout_ms: 0 });
  expect(again.seq).toBeGreaterThanOrEqual(after);
});
