// What a failed expectation of the test kit says, and what golden screens and traces leave on the disk.
import fs from "node:fs";
import { join } from "node:path";
import { it, expect as plain, vi } from "vitest";
import { expect, type LaunchOptions, launch, matchers, type Term } from "../../../src/entry/testing.ts";
import { SOON_MS } from "../../fixtures/soon.ts";
import { ROOT } from "../../fixtures/stand/installation.ts";
import { sharedStand } from "../../fixtures/stand/stand.ts";

const { person, folder } = sharedStand();

async function form(more: Partial<LaunchOptions> = {}): Promise<Term> {
  const cwd = join(ROOT, "test/fixtures/programs/tui");
  const size = { cols: 40, rows: 6 };
  const term = await launch(["node", "form.mjs"], {
    ...{ terminals: person, timeout: SOON_MS, trace: "off", ...size, cwd },
    ...more,
  });
  await expect(term).toShow("Sign in");
  await term.type("Ada");
  await expect(term).toShow("Name     : Ada");
  return term;
}

const NOW = { timeout: 0 };
const SCREEN = `\
┌ 40x6, cursor in row 1, column 14 ──────┐
│Sign in                                 │
│Name     : Ada                          │
│Password :                              │
└ 3 empty rows ──────────────────────────┘`;
const ABOUT = (width: number) => `\
  ${"program".padEnd(width)}  node form.mjs (running)
  ${"inputs".padEnd(width)}  type "Ada"
${SCREEN}`;

/** The message of a failure. */
async function said(check: Promise<unknown>): Promise<string> {
  const error = await check.then(
    () => new Error("it did not fail"),
    (reason: unknown) => reason,
  );
  return error instanceof Error ? error.message : String(error);
}

it("a failure tells what was looked for, what is nearest, what was typed, and shows the screen", async () => {
  await using term = await form();
  const check = expect(term).toShow("Pasword", NOW);
  plain(await check.catch(({ stack }: Error) => stack)).toContain("failures.test.ts");
  plain(await said(check)).toBe(`\
expect(term).toShow("Pasword"): it does not, after 0 ms
  looked for  "Pasword"
  nearest     "Password" in row 2, column 0
${ABOUT(10)}`);
  plain(await said(expect(term).not.toShow(/na?me/i, NOW))).toBe(`\
expect(term).not.toShow(/na?me/i): it still does, after 0 ms
  looked for  /na?me/i
  found       "Name" in row 1, column 0
${ABOUT(10)}`);
  plain(await said(expect(term.getByText(/\w+ +:/)).toHaveText("Name", NOW))).toBe(`\
expect(term.getByText(/\\w+ +:/)).toHaveText("Name"): it does not, after 0 ms
  strict   one is wanted, and there are 2 (use first, last or nth)
  found    "Name     :" in row 1, column 0
           "Password :" in row 2, column 0
${ABOUT(7)}`);
  plain(await said(expect(term.getByText("Name").first()).toHaveStyle("bold red", NOW))).toBe(`\
expect(term.getByText("Name").first()).toHaveStyle("bold", "red"): it does not, after 0 ms
  wanted   bold fg-1
  style    bold
  found    "Name" in row 1, column 0
${ABOUT(7)}`);
  plain(await said(term.getByRole("box", { name: "Error" }).click(NOW))).toBe(`\
term.getByRole("box", { name: "Error" }): it is not there
${ABOUT(7)}`);
  plain(await said(term.getByText("Name").click())).toMatch(/mouse/);
  plain(() => term.getByRole("button" as "box")).toThrow(/"button"; there are selected, /);
  plain(await said(expect(term.getByText("Name")).toHaveStyle("bald"))).toMatch(
    /^no style is called "bald"; there are bold, /,
  );
  plain(await said(launch("node form.mjs" as unknown as string[]))).toMatch(/wants a list/);
  await term.type("\twrong\r");
  plain(await said(expect(term).toHaveExited(0))).toMatch(
    /^expect\(term\)\.toHaveExited\(0\): it does not, and the program has ended\n {2}is {7}ended with code 3\n/,
  );
  const context = { isNot: false };
  const { pass, message } = await matchers.toShow.call(context, term, "Welcome");
  plain([pass, message()]).toEqual([false, plain.stringContaining("│Wrong password")]);
});

it("golden screens are written where there are none, compared, and updated on request; CI writes nothing", async () => {
  const screens = folder();
  await using term = await form({ screens });
  const file = join(screens, "signed-in.txt");
  vi.stubEnv("CI", "1");
  plain(await said(expect(term).toMatchScreen("signed in"))).toMatch(/there is no such file .*\n {2}file +.*signed-in/);
  plain(fs.existsSync(file)).toBe(false);
  vi.stubEnv("CI", "");
  const options = { mask: [term.getByText("Ada"), /Pass\w+/], styles: true };
  await expect(term).toMatchScreen("signed in", options);
  plain(fs.readFileSync(file, "utf8")).toBe("40x6, cursor 1,14\nSign in\nName     : ▒▒▒\n▒▒▒ :\n\n1: 0-9 bold\n");
  vi.stubEnv("CI", "1");
  await expect(term).toMatchScreen("signed in", options);
  await term.press("Tab");
  await expect(term).not.toMatchScreen("signed in", options);
  plain(await said(expect(term).toMatchScreen("signed in", { ...options, ...NOW }))).toContain(`
  differs  - 40x6, cursor 1,14
           + 40x6, cursor 2,11
           - 1: 0-9 bold
           + 2: 0-9 bold
`);
  vi.stubEnv("UPDATE_SCREENS", "1");
  await expect(term).toMatchScreen("signed in", options);
  plain(fs.readFileSync(file, "utf8")).toContain("2: 0-9 bold");
  const outside = join(folder(), "notes.txt");
  fs.writeFileSync(outside, "mine");
  for (const [name, leads] of [
    ["planted", outside],
    ["new", `${outside}.new`],
    ["inside", file],
  ] as const)
    fs.symlinkSync(leads, join(screens, `${name}.txt`));
  for (const name of ["planted", "new"])
    await plain(expect(term).toMatchScreen(name)).rejects.toThrow("is a link that leaves its folder");
  plain([fs.readFileSync(outside, "utf8"), fs.existsSync(`${outside}.new`)]).toEqual(["mine", false]);
  await expect(term).toMatchScreen("inside", options);
  vi.unstubAllEnvs();
});

it("a trace is kept after a failure, or always, and plays what was shown", async () => {
  const traces = folder();
  const kept = () => fs.readdirSync(traces).map((name) => join(traces, name));
  const trace = "retain-on-failure";
  await (await form({ traces, trace })).close();
  plain(kept()).toEqual([]);
  await using term = await form({ traces, trace });
  const [, path] = /^ {2}trace +(.*)$/m.exec(await said(expect(term).toShow("no", NOW))) ?? [];
  plain(kept()).toEqual([path]);
  const [header = "", ...events] = fs
    .readFileSync(path ?? "", "utf8")
    .trim()
    .split("\n");
  plain(JSON.parse(header)).toMatchObject({ version: 3, term: { cols: 40, rows: 6 } });
  plain(events.join("\n")).toContain("Sign in");
  await (await form({ traces, trace: "on" })).close();
  plain(kept()).toHaveLength(2);
});
