// Who has the keyboard, on the page: keys never mix, Stop is at once, Escape goes where the person types.
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { sharedPages } from "../fixtures/page/pages.ts";
import type { Tab } from "../fixtures/page/tab.ts";
import { until } from "../fixtures/soon.ts";

/** So long further presses were meant for what is already stopped. */
const AFTER_STOP_MS = 400;

describe("the keyboard on the page", () => {
  const { duetty, person, helper, tab: newTab, openOn, trust } = sharedPages();
  let tab: Tab;
  let id: string;

  beforeAll(async () => {
    tab = await newTab();
  });
  beforeEach(async () => {
    id = await openOn(tab);
    await trust(id);
  });

  const agentTypes = (text: string) => helper.pty_send({ session_id: id, text });
  const holder = (name: string) => tab.page.locator("footer b", { hasText: name }).waitFor();
  const events = (): Record<string, unknown>[] =>
    duetty
      .events(id)
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  const typedBy = (actor: string) => events().filter((event) => event.kind === "input" && event.actor === actor).length;
  const hold = async () => (await person.status({ session_id: id })).session?.hold;

  /** An agent's program that echoes what it gets. */
  async function agentRunsCat(): Promise<void> {
    const ran = await helper.run_command({ session_id: id, command: "cat" });
    expect(ran.status).toBe("waiting_for_input");
    await agentTypes("from-agent\n");
    await holder("helper");
    await tab.shows("from-agent");
  }

  test("a panel that is opened by mouse has the keys, and gives them back: nothing of the prompt runs", async () => {
    await tab.prompt.fill("echo not-meant");
    const panel = tab.page.getByRole("dialog", { name: /^policy/ });
    const open = () => tab.button(/^policy: Always/).click();
    await open();
    await panel.getByRole("radio", { checked: true }).waitFor();
    await tab.page.keyboard.press("ArrowUp");
    await tab.page.keyboard.press("Enter");
    await panel.waitFor({ state: "detached" });
    await expect.poll(async () => (await person.status({ session_id: id })).session?.policy.level).toBe("always_ask");
    await tab.focused("prompt");
    await open();
    await tab.page.keyboard.press("Escape");
    await panel.waitFor({ state: "detached" });
    await tab.focused("prompt");
    expect(await tab.prompt.inputValue()).toBe("echo not-meant");
    expect((await person.blocks({ session_id: id })).total).toBe(0);
    await tab.prompt.fill("");
  });

  test("keys are not sent while an agent holds the keyboard; taking it lets them through, handing it back lets the agent go on", async () => {
    await agentRunsCat();
    const before = typedBy("person");
    await tab.page.locator(".crop").click({ position: { x: 20, y: 8 } });
    await tab.page.keyboard.type("leak");
    await tab.page.locator(".note", { hasText: "your keys are not sent" }).waitFor();
    await agentTypes("after\n");
    await tab.shows("after");
    expect(typedBy("person")).toBe(before);
    expect((await tab.rows()).join()).not.toContain("leak");

    await tab.page.keyboard.press("Control+.");
    await tab.page.locator(".note", { hasText: "You have the keyboard" }).waitFor();
    await tab.page.keyboard.type("mine\n");
    await tab.shows("mine");
    expect(typedBy("person")).toBeGreaterThan(before);
    await expect(agentTypes("refused\n")).rejects.toMatchObject({ code: "gate.held" });

    await tab.page.keyboard.press("Control+.");
    await until(async () => (await hold()) === "nobody", "the keyboard back");
    await agentTypes("again\n");
    await tab.shows("again");
    expect((await tab.rows()).join()).not.toMatch(/leak|refused/);
  });

  test("Escape stops the agent at once", async () => {
    await agentRunsCat();
    await tab.page.locator(".crop").click({ position: { x: 20, y: 8 } });
    const typed = typedBy("person");
    let pressedAt = 0;
    for (let i = 0; i < 3; i += 1) {
      await holder("helper");
      await until(() => Date.now() - pressedAt > AFTER_STOP_MS, "the end of what belongs to the last stop");
      const stops = () => events().filter((event) => event.reason === "stop");
      const before = stops().length;
      // Two at once: the second was meant for what is already stopped.
      pressedAt = await tab.pressTwice({ key: "Escape", code: "Escape", windowsVirtualKeyCode: 27 });
      await until(() => stops().length > before, "the stop");
      await tab.page.locator(".note", { hasText: "You stopped the agent" }).waitFor();
      await expect(agentTypes("refused\n")).rejects.toMatchObject({ code: "gate.held" });
      await tab
        .button(/^Hand back/)
        .first()
        .click();
      await until(async () => (await hold()) === "nobody", "the keyboard back");
      await agentTypes(`go-on-${i}\n`);
      await tab.page.locator(".crop").click({ position: { x: 20, y: 8 } });
    }
    expect(typedBy("person")).toBe(typed);
  });

  test("Escape goes to vim while the person types in it, even when agents ask", async () => {
    await tab.page.keyboard.type("vim -u NONE -i NONE -N\n");
    await tab.focused("terminal");
    await tab.page.keyboard.type("ihello");
    await tab.shows("hello");
    await person.policy({ session_id: id, level: "always_ask", safe_mode: "on" });
    const asked = helper.pty_send({ session_id: id, text: "x" }).catch((error: Error) => error.message);
    await tab.page.keyboard.press("Escape");
    await tab.page.keyboard.type("otwo");
    await tab.page.keyboard.press("Escape");
    await tab.shows("two");
    await tab.page.keyboard.type(":q!\n");
    await tab.focused("prompt");
    const last = (await person.blocks({ session_id: id })).blocks.at(-1);
    expect([last?.cmd, last?.state]).toEqual(["vim -u NONE -i NONE -N", "done"]);
    expect(events().some((event) => event.reason === "stop")).toBe(false);
    await person.stop({ session_id: id });
    await asked;
  });

  test("only the person can type a password, and it is written down nowhere", async () => {
    const ask = `python3 -c 'import getpass; print(len(getpass.getpass("secret please: ")))'`;
    const run = helper.run_command({ session_id: id, command: ask });
    const notice = tab.page.locator(".note", { hasText: "only you can type" });
    await notice.waitFor();
    expect((await run).status).toBe("waiting_for_input");
    await expect(agentTypes("guess\n")).rejects.toMatchObject({ code: "gate.echo_off" });
    await notice.getByRole("button", { name: "Enter password" }).click();
    await tab.focused("terminal");
    await tab.page.keyboard.type("hunter22\n");
    await tab.shows("8");
    await notice.waitFor({ state: "detached" });
    expect(duetty.events(id)).not.toContain("hunter22");
    await person.release({ session_id: id });
  });

  test("a password that an agent asked for: typed, the question is gone, and the agent goes on", async () => {
    const ask = `python3 -c 'import getpass; print(len(getpass.getpass("secret please: ")))'`;
    await helper.run_command({ session_id: id, command: ask });
    const asks = helper.ask_person({ session_id: id, kind: "password", message: "yours, please" });
    await tab.card.waitFor();
    // The card says it; no second box does.
    expect(await tab.page.locator(".note", { hasText: "only you can type" }).count()).toBe(0);
    await tab.button("Type the password").click();
    await tab.focused("terminal");
    await tab.page.keyboard.type("hunter22\n");
    expect(await asks).toMatchObject({ outcome: "answered" });
    await tab.card.waitFor({ state: "detached" });
    await tab.page.locator(".note", { hasText: "The keyboard is handed back" }).waitFor();
  });

  test("modes and policy can be set where they are shown", async () => {
    const policy = async () => (await person.policy({ session_id: id })) as Record<string, unknown>;
    const becomes = (wanted: Record<string, unknown>) =>
      until(async () => {
        const now = await policy();
        return Object.entries(wanted).every(([name, value]) => now[name] === value);
      }, JSON.stringify(wanted));
    await tab.page.keyboard.press("Control+`");
    await becomes({ mode: "agent" });
    await tab.page.getByRole("radio", { name: "Agent", checked: true }).waitFor();
    await tab.page.getByRole("radio", { name: "Agent" }).press("ArrowRight");
    await becomes({ mode: "terminal" });
    await tab.page.getByRole("switch", { name: "Safe mode" }).click();
    await becomes({ safe_mode: true });
    await tab.page.getByRole("switch", { name: "Auto-approve" }).click();
    await becomes({ auto_approve: true });
    await tab.button("Confidence needed").click();
    await tab.page.getByRole("slider", { name: "Confidence needed" }).fill("0.75");
    await becomes({ threshold: 0.75 });
    await tab.page.keyboard.press("Escape");
    await tab.page.getByRole("slider", { name: "Confidence needed" }).waitFor({ state: "detached" });
    await tab.button("What agents may do").click();
    await tab.page.getByRole("radio", { name: /^Always ask/ }).click();
    await becomes({ level: "always_ask" });
    expect(await hold()).toBe("nobody");
  });
});
