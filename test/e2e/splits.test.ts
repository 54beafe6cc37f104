// Several sessions side by side: each has its own prompt, terminal and questions, and it is plain which one has the keyboard.
import { describe, expect, test } from "vitest";
import { violations } from "../fixtures/page/axe.ts";
import { sharedPages } from "../fixtures/page/pages.ts";
import type { Tab } from "../fixtures/page/tab.ts";
import { until } from "../fixtures/soon.ts";

describe("sessions side by side", () => {
  const { person, helper, tab: newTab, openOn, denyAll } = sharedPages();

  const info = async (id: string) =>
    (await person.pty_list({ all: true })).sessions.find(({ session_id }) => session_id === id);
  const half = (tab: Tab, id: string) => tab.page.locator(`.half[data-session="${id}"]`);
  const order = (tab: Tab) =>
    tab.page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>(".half")].map((one) => one.dataset.session ?? ""),
    );
  const here = async (tab: Tab) =>
    (await tab.page.locator('.half[data-here="true"]').getAttribute("data-session")) ?? "";
  const hasKeys = (tab: Tab, id: string) => until(async () => (await here(tab)) === id, `${id} has the keyboard`);
  const many = (tab: Tab, count: number) => until(async () => (await order(tab)).length === count, `${count} halves`);
  /** By key, with a new shell in it. */
  async function split(tab: Tab, key: string): Promise<string> {
    const before = await order(tab);
    await tab.page.keyboard.press(key);
    await many(tab, before.length + 1);
    const made = (await order(tab)).find((id) => !before.includes(id)) ?? "";
    await hasKeys(tab, made);
    await half(tab, made).locator("[data-prompt]").waitFor();
    await tab.focused("prompt");
    return made;
  }
  async function run(tab: Tab, line: string): Promise<void> {
    await tab.page.keyboard.type(line);
    await tab.page.keyboard.press("Enter");
  }

  test("a line that is begun while a new half is on its way ends where it began", async () => {
    const tab = await newTab({ viewport: { width: 1300, height: 800 } });
    const a = await openOn(tab);
    let open: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      open = resolve;
    });
    await tab.page.route("**/v1/pty_open", async (route) => {
      await held;
      await route.continue();
    });
    await tab.page.keyboard.press("Alt+Shift+Equal");
    await tab.page.keyboard.type("echo one");
    open();
    await many(tab, 2);
    await run(tab, " line");
    await half(tab, a).getByText("one line").last().waitFor();
    expect(await here(tab)).toBe(a);
  });

  test("by keyboard alone: split, work in each, go, resize, swap, zoom, close; a reload brings all back", async () => {
    const tab = await newTab({ viewport: { width: 1500, height: 900 } });
    const a = await openOn(tab);
    const b = await split(tab, "Alt+Shift+Equal");
    await run(tab, "echo in-b-$((40+2))");
    await half(tab, b).getByText("in-b-42").first().waitFor();
    const c = await split(tab, "Alt+Shift+Minus");
    expect(await order(tab)).toEqual([a, b, c]);

    // A low and narrow half shows its commands, and the whole list above its prompt.
    await tab.page.setViewportSize({ width: 700, height: 620 });
    await run(tab, "echo seen");
    const [command, list] = [
      half(tab, c).locator(".card .cmd"),
      half(tab, c).getByRole("listbox", { name: "History" }),
    ];
    await command.waitFor();
    expect((await command.boundingBox())?.width).toBeGreaterThan(40);
    await tab.page.keyboard.press("Control+r");
    await list.getByRole("option").first().waitFor();
    const top = async (one: typeof list) => (await one.boundingBox())?.y ?? 0;
    expect(await top(list)).toBeGreaterThan(await top(half(tab, c)));
    await tab.page.keyboard.press("Escape");
    await tab.page.setViewportSize({ width: 1500, height: 900 });

    // Each has the size of its own place.
    const rows = async (id: string) => (await info(id))?.rows ?? 0;
    await until(async () => (await rows(c)) < (await rows(a)) / 1.5, "c is lower than a");

    await tab.page.keyboard.press("Alt+Shift+ArrowLeft");
    await hasKeys(tab, a);
    await tab.focused("prompt");
    await run(tab, "echo in-a-$((40+3))");
    await half(tab, a).getByText("in-a-43").first().waitFor();
    expect(await half(tab, b).getByText("in-a-43").count()).toBe(0);

    // Out of a program that takes Tab: to the head of its half and all that is in it, to the list, and back.
    await run(tab, "cat");
    await tab.focused("terminal");
    const isIn = (selector: string) => tab.page.evaluate((one) => !!document.activeElement?.closest(one), selector);
    await tab.page.keyboard.press("F6");
    expect(await isIn(`.half[data-session="${a}"] .half-buttons`)).toBe(true);
    for (let tabs = 0; tabs < 4 && !(await isIn(".filters, .room")); tabs += 1) await tab.page.keyboard.press("Tab");
    expect(await isIn(`.half[data-session="${a}"] .room`)).toBe(true);
    await tab.page.keyboard.press("F6");
    expect(await isIn("nav")).toBe(true);
    await tab.page.keyboard.press("F6");
    await tab.focused("terminal");
    await tab.page.keyboard.press("Control+KeyC");
    await tab.focused("prompt");

    const widthOf = (id: string) => half(tab, id).evaluate((el) => el.getBoundingClientRect().width);
    const before = await widthOf(a);
    await tab.page.keyboard.press("Control+Alt+Shift+ArrowRight");
    await until(async () => (await widthOf(a)) > before + 20, "a is wider");
    await tab.page.keyboard.press("Alt+Shift+KeyX");
    await until(async () => (await order(tab)).join() === [b, a, c].join(), "a and b changed places");
    await tab.focused("prompt");
    await tab.page.keyboard.press("Alt+Shift+KeyZ");
    await many(tab, 1);
    expect(await here(tab)).toBe(a);
    await tab.page.keyboard.press("Alt+Shift+KeyZ");
    await many(tab, 3);

    const places = () =>
      tab.page.evaluate(() => [...document.querySelectorAll<HTMLElement>(".half")].map((one) => one.style.cssText));
    const kept = await places();
    // Restored without the session that is gone meanwhile.
    await tab.page.reload();
    await many(tab, 3);
    expect([await order(tab), await places(), await here(tab)]).toEqual([[b, a, c], kept, a]);
    await person.pty_close({ session_id: c });
    await until(async () => Boolean((await info(c))?.ended_at), "c is over");
    await person.remove({ session_id: c });
    await tab.page.reload();
    await many(tab, 2);
    expect(await order(tab)).toEqual([b, a]);
    // A tab that is opened later begins with the same layout.
    const later = await tab.page.context().newPage();
    await later.goto(new URL("/", tab.page.url()).href);
    await until(async () => (await later.locator(".half").count()) === 2, "both in the new tab");
    await later.close();

    await tab.focused("prompt");
    await tab.page.keyboard.press("Alt+Shift+KeyW");
    await many(tab, 1);
    expect(await here(tab)).toBe(b);
    expect((await info(a))?.ended_at).toBeFalsy();
    await person.pty_close({ session_id: b });
  });

  test("what is marked is where keys go: after a button, a dialog, the palette, an answer, and a half that was closed", async () => {
    const tab = await newTab({ viewport: { width: 1300, height: 800 } });
    const a = await openOn(tab, { name: "left" });
    const b = await split(tab, "Alt+Shift+Equal");
    const written = (id: string) => half(tab, id).locator("[data-prompt]").inputValue();
    await run(tab, "cat");
    await tab.focused("terminal");
    await tab.page.keyboard.press("Alt+Shift+ArrowLeft");
    await tab.focused("prompt");
    await tab.page.keyboard.type("one");

    await half(tab, b)
      .getByRole("button", { name: /Interrupt$/ })
      .click();
    await hasKeys(tab, b);
    await half(tab, b).locator("[data-prompt]").waitFor();
    await tab.page.keyboard.type("b1");
    expect([await written(a), await written(b)]).toEqual(["one", "b1"]);

    await half(tab, a).locator(".crumb b").click();
    await tab.choose("Share this session");
    await tab.page.locator("dialog.sharing").waitFor();
    await tab.page.keyboard.press("Escape");
    await tab.page.locator("dialog").waitFor({ state: "detached" });
    await tab.page.keyboard.type(" two");
    expect([await here(tab), await written(a), await written(b)]).toEqual([a, "one two", "b1"]);

    await half(tab, b).locator(".crumb b").click();
    await tab.choose("Go to left");
    await hasKeys(tab, a);
    await tab.page.keyboard.type(" three");
    expect([await written(a), await written(b)]).toEqual(["one two three", "b1"]);

    const answer = helper.run_command({ session_id: b, command: "rm -r nothing-here", timeout_ms: 60_000 });
    await half(tab, b).locator('.appr[data-armed="true"]').waitFor();
    await half(tab, b)
      .getByRole("button", { name: /^Approve/ })
      .click();
    expect((await answer).status).toBe("done");
    await tab.page.keyboard.type("2");
    expect([await here(tab), await written(a), await written(b)]).toEqual([b, "one two three", "b12"]);

    await half(tab, a).getByRole("button", { name: "Close this half; the session goes on" }).click();
    await many(tab, 1);
    await tab.page.keyboard.type("3");
    expect([await here(tab), await written(b)]).toEqual([b, "b123"]);
    await person.pty_close({ session_id: b });
  });

  test("of several programs that the person runs, one has the keyboard", async () => {
    const tab = await newTab({ viewport: { width: 1300, height: 800 } });
    const a = await openOn(tab);
    await run(tab, "cat");
    await tab.focused("terminal");
    const b = await split(tab, "Alt+Shift+Equal");
    await run(tab, "cat");
    await tab.focused("terminal");
    const having = tab.page.getByText("you have the keyboard");
    await half(tab, b).locator(having).waitFor();
    expect(await having.count()).toBe(1);
    await half(tab, a).getByText("agents wait").waitFor();
    await tab.page.keyboard.press("Alt+Shift+ArrowLeft");
    await half(tab, a).locator(having).waitFor();
    expect(await having.count()).toBe(1);
    await person.pty_close({ session_id: b });
  });

  test("four at once: a question in each place, drags, one line for several, and nothing for axe-core to find", async () => {
    const tab = await newTab({ viewport: { width: 1500, height: 900 } });
    const a = await openOn(tab);
    const b = await split(tab, "Alt+Shift+Equal");
    const c = await split(tab, "Alt+Shift+Minus");
    await half(tab, a).locator(".crumb b").click();
    await hasKeys(tab, a);
    const d = await split(tab, "Alt+Shift+Minus");

    // A question stands in the half of its session, and takes no keyboard.
    const answer = helper.run_command({ session_id: b, command: "rm -r nothing-here", timeout_ms: 60_000 });
    await half(tab, b).locator('.appr[data-armed="true"]').waitFor();
    expect(await tab.card.count()).toBe(1);
    await tab.page.keyboard.press("Control+Enter");
    await tab.page.keyboard.type("mine");
    expect(await half(tab, d).locator("[data-prompt]").inputValue()).toBe("mine");
    expect(await person.approvals({})).toMatchObject({ approvals: [{ session_id: b }] });
    expect(await violations(tab.page, "order")).toEqual([]);
    for (const theme of ["dark", "light"]) {
      expect(await violations(tab.page), theme).toEqual([]);
      await tab.button(/^Use the (?:light|dark) theme$/).click();
    }
    await half(tab, b)
      .getByRole("button", { name: /^Approve/ })
      .click();
    expect((await answer).status).toBe("done");
    await hasKeys(tab, b);

    // The head of a session moves it: to an edge of another one it lies beside it.
    const drag = async (from: ReturnType<Tab["button"]>, to: string, where: { x: number; y: number }) => {
      const [start, end] = [await from.boundingBox(), await half(tab, to).boundingBox()];
      if (!start || !end) throw new Error("nothing to drag");
      await tab.page.mouse.move(start.x + start.width / 2, start.y + start.height / 2);
      await tab.page.mouse.down();
      await tab.page.mouse.move(end.x + end.width * where.x, end.y + end.height * where.y, { steps: 4 });
      await tab.page.mouse.up();
    };
    await drag(half(tab, c).locator(".crumb b"), a, { x: 0.05, y: 0.5 });
    expect(await order(tab)).toEqual([c, a, d, b]);
    await hasKeys(tab, c);
    const widthOf = (id: string) => half(tab, id).evaluate((el) => el.getBoundingClientRect().width);
    const before = await widthOf(c);
    const line = tab.page.locator(".divider[aria-orientation=vertical]").first();
    await line.focus();
    await tab.page.keyboard.press("ArrowRight");
    expect(await widthOf(c)).toBeGreaterThan(before);

    await tab.page.keyboard.press("Alt+Shift+KeyB");
    const dialog = tab.page.locator("dialog.broadcast");
    await dialog.getByLabel("Line", { exact: true }).fill("test $((6*7)) = 42");
    await dialog.locator(".one input").last().uncheck();
    await tab.page.keyboard.press("Tab");
    await dialog.getByRole("button", { name: "Continue…" }).click();
    expect(await dialog.locator("pre").textContent()).toBe("test $((6*7)) = 42");
    expect(await dialog.locator("li").count()).toBe(3);
    await dialog.getByRole("button", { name: "Run in 3 sessions" }).click();
    await tab.page.locator(".toast", { hasText: "in 3 sessions: 3 ended well" }).waitFor();
    const ran = await Promise.all(
      [a, b, c, d].map(async (session_id) => (await person.blocks({ session_id })).blocks.at(-1)),
    );
    expect(ran.filter((block) => block?.cmd === "test $((6*7)) = 42" && block.actor === "person")).toHaveLength(3);

    // A narrow page shows one, with a way to the others.
    await tab.page.setViewportSize({ width: 390, height: 844 });
    await many(tab, 1);
    const tabs = tab.page.getByRole("group", { name: "Sessions side by side" }).getByRole("button");
    expect(await tabs.count()).toBe(4);
    expect(await violations(tab.page)).toEqual([]);
    await tabs.nth(1).click();
    await hasKeys(tab, a);
    await denyAll();
    for (const session_id of [b, c, d]) await person.pty_close({ session_id });
  });
});
