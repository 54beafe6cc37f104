// Reading what programs printed: links in cards and in the live terminal, long lines, drawn JSON, tables and diffs, and copies.
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { sharedPages } from "../fixtures/page/pages.ts";
import type { Tab } from "../fixtures/page/tab.ts";
import { until } from "../fixtures/soon.ts";

/** Shows what it was given, one argument after another, until a key is pressed. */
const EDITOR = 'bash -c \'printf "<%s>" "$@"; read -n 1\' own';

describe("reading", () => {
  const { person, folder, tab: newTab, openBash } = sharedPages({ env: { EDITOR, VISUAL: "" } });
  let tab: Tab;
  let id: string;
  let cwd: string;

  const run = (command: string) => person.run_command({ session_id: id, command });
  const body = (text: string) => tab.page.locator(".frozen", { hasText: text }).last();

  beforeAll(async () => {
    cwd = folder({ "src/app.ts": "export {};\n", "my dir/x.py": "" });
    id = await openBash({ name: "work", cwd });
    tab = await newTab({ permissions: ["clipboard-read", "clipboard-write"] });
    await tab.show(id);
  });

  test("addresses and files that exist are links in a card; a file opens in $EDITOR in a session, and back", async () => {
    await run(
      `printf '%b' 'in \\033[36msrc/app.ts\\033[0m:\\033[33m12\\033[0m:3 and gone.ts:1, see https://a.example/x?y=1.\\n  File "my dir/x.py", line 3\\n'`,
    );
    const card = body("gone.ts:1");
    await card.locator('a[href="https://a.example/x?y=1"]').waitFor();
    const place = card.getByRole("link", { name: "src/app.ts:12:3" });
    await place.waitFor();
    await card.getByRole("link", { name: 'my dir/x.py", line 3' }).waitFor();
    expect(await card.getByRole("link").count()).toBe(3);
    await place.focus();
    await tab.page.keyboard.press("Enter");
    await tab.shows(`<${join(cwd, "src/app.ts")}>`);
    const { sessions } = await person.pty_list({ all: false });
    expect(sessions.map(({ name }) => name)).toEqual(["work", "edit app.ts"]);
    await tab.page.keyboard.press("q");
    await tab.page.locator(`footer:has-text("${id}")`).waitFor();
  });

  test("a link whose text does not say where it leads is asked about, with its target; other schemes are no links", async () => {
    const osc8 = (to: string, text: string) => `\\033]8;;${to}\\033\\\\${text}\\033]8;;\\033\\\\ `;
    const texts = [
      osc8("https://evil.example/x", "https://bank.example/"),
      osc8("javascript:alert(1)", "script"),
      osc8("file:///etc/passwd", "file"),
    ];
    await run(`printf '${texts.join("")}hidden-targets\\n'`);
    const card = body("hidden-targets");
    await card.waitFor();
    expect(await card.locator("a").count()).toBe(1);
    await card.locator("a").click();
    const question = tab.page.getByRole("dialog", { name: "Where this link leads" });
    await question.getByText("evil.example", { exact: true }).waitFor();
    await question.getByText("https://evil.example/x").waitFor();
    await tab.page.keyboard.press("Escape");
    await question.waitFor({ state: "detached" });
    expect(tab.page.context().pages()).toHaveLength(1);
  });

  test("the live terminal has the same links", async () => {
    await tab.prompt.focus();
    await tab.page.keyboard.type("clear; echo at src/app.ts:7 done; read x\n");
    await tab.shows("at src/app.ts:7 done");
    const screen = tab.page.locator(".live-body .xterm-screen");
    const { sessions } = await person.pty_list({ all: false });
    const { cols = 1, rows = 1 } = sessions.find(({ session_id }) => session_id === id) ?? {};
    // xterm looks for links when the pointer comes to another row.
    await until(async () => {
      const row = (await tab.rows()).findIndex((text) => text.startsWith("at src/app.ts:7"));
      const box = await screen.boundingBox();
      if (!box) return false;
      const x = box.x + (box.width / cols) * 6.5;
      for (const line of [1.5, 0.5]) await tab.page.mouse.move(x, box.y + (box.height / rows) * (row + line));
      return (await tab.page.locator(`.host[title$="app.ts, line 7"]`).count()) > 0;
    }, "a link under the pointer");
    await tab.page.mouse.down();
    await tab.page.mouse.up();
    await tab.shows(`<${join(cwd, "src/app.ts")}>`);
    await tab.page.keyboard.press("q");
    await tab.page.locator(`footer:has-text("${id}")`).waitFor();
    await tab.focused("terminal");
    await tab.page.keyboard.press("Enter");
    await tab.focused("prompt");
  });

  test("long lines wrap, or scroll: a switch that is remembered", async () => {
    await run("printf 'word %.0s' {1..80}; echo end-of-line");
    const long = tab.page.locator(".frozen pre", { hasText: "end-of-line" });
    const isCut = () => long.evaluate((el) => el.scrollWidth > el.clientWidth);
    await expect.poll(isCut).toBe(false);
    await tab.page.keyboard.press("Alt+KeyZ");
    await expect.poll(isCut).toBe(true);
    expect(await long.getAttribute("tabindex")).toBe("0");
    await tab.page.reload();
    await expect.poll(isCut).toBe(true);
    await tab.page.keyboard.press("Alt+KeyZ");
    await expect.poll(isCut).toBe(false);
  });

  test("JSON, tables and diffs are drawn on request, and the text is one click away", async () => {
    await run(`echo '{"a": {"deep": [1, "two", null]}, "<b>": true}'`);
    const json = body("deep");
    await json.getByRole("button", { name: "draw as JSON" }).click();
    await json.locator(".json .string", { hasText: '"two"' }).waitFor();
    expect(await json.locator("b", { hasText: "<b>" }).count()).toBe(1);
    await json.getByRole("button", { name: "show as text" }).click();
    await json.locator("pre", { hasText: '"two", null' }).waitFor();

    await run("printf 'NAME\\tSIZE\\tN\\nbig\\t10\\t1\\nsmall\\t9\\t2\\n'");
    const table = body("small");
    await table.getByRole("button", { name: "draw as table" }).click();
    await table.getByRole("button", { name: "SIZE" }).click();
    await expect.poll(() => table.locator("tbody tr td:first-child").allTextContents()).toEqual(["small", "big"]);

    await run("printf 'old\\n' > d1; printf 'new\\n' > d2; diff -u d1 d2");
    const card = tab.page.locator("article", { hasText: "diff -u d1 d2" });
    await card.getByRole("button", { name: "What to do with this command" }).click();
    await tab.page.getByRole("menuitem", { name: "Draw as…" }).click();
    await tab.page.getByRole("menuitem", { name: "diff" }).click();
    await card.locator("tr.more", { hasText: "+new" }).waitFor();
    const sizes = await card
      .locator("tr td:last-child")
      .evaluateAll((all) => all.map((el) => getComputedStyle(el).fontSize));
    expect(new Set(sizes).size).toBe(1);
    await card.getByRole("button", { name: "What to do with this command" }).click();
    await tab.page.getByRole("menuitem", { name: "Draw as…" }).click();
    await tab.page.getByRole("menuitem", { name: "JSON" }).click();
    await card.getByText("This is no JSON that we can read.").waitFor();
  });

  test("a card is copied as Markdown, HTML and a picture; what is masked stays masked", async () => {
    const key = `ghp_${"a1B2c3D4e5".repeat(3)}F6g7H8`;
    await run(`printf '\\033[31mred <b>\\033[0m ${key}\\n' # copied`);
    const card = tab.page.locator("article", { hasText: "# copied" });
    const copied = async (form: string) => {
      await card.getByRole("button", { name: "What to do with this command" }).click();
      await tab.page.getByRole("menuitem", { name: "Copy as…" }).click();
      await tab.page.getByRole("menuitem", { name: form, exact: true }).click();
      // Each says its form, and the page forgets what it said when it masks.
      await tab.page.getByText(form === "Picture" ? "Copied a picture" : `as ${form.split(",")[0]}.`).waitFor();
      return tab.page.evaluate(async () => {
        const [item] = await navigator.clipboard.read();
        const type = item?.types.find((each) => each !== "text/plain") ?? "text/plain";
        const blob = await item?.getType(type);
        return `${type} ${type.startsWith("image") ? (await createImageBitmap(blob as Blob)).width : await blob?.text()}`;
      });
    };
    expect(await copied("Markdown")).toMatch(/```console\n\$ printf[\s\S]*\nred <b> ghp_a1B2[\s\S]*\n```/);
    expect(await copied("HTML, with colours")).toMatch(
      /^text\/html [\s\S]*<span style="color:\s?[^"]*">red &lt;b&gt;<\/span>/,
    );
    expect(await copied("Picture")).toMatch(/^image\/png \d{3,}$/);
    await tab.page.keyboard.press("Alt+KeyS");
    await tab.button(/Secrets masked/).waitFor();
    await card.getByText("••••github••••").first().waitFor();
    for (const form of ["Markdown", "HTML, with colours"]) expect(await copied(form)).not.toContain(key.slice(8, 20));
    await tab.button(/Secrets masked/).click();
    await card.getByText(key).first().waitFor();
  });
});
