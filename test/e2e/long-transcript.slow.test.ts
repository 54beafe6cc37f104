// A transcript of thousands of commands: whichever way one jumps to a far one, one arrives, sees it, and can type on.
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { depth } from "../fixtures/depth.ts";
import { sharedPages } from "../fixtures/page/pages.ts";
import type { Tab } from "../fixtures/page/tab.ts";
import { until } from "../fixtures/soon.ts";
import { ROOT } from "../fixtures/stand/installation.ts";

const COMMANDS = depth(2_000, 5_000);

const FAILED = [40, COMMANDS * 0.5, COMMANDS * 0.8];
const MANY = join(ROOT, "test/fixtures/programs/many-blocks.bash");

describe("a long transcript", () => {
  const { person, tab: newTab, openBash } = sharedPages();
  let tab: Tab;
  let id: string;
  let prefix: string;

  beforeAll(async () => {
    id = await openBash();
    await person.run_command({ session_id: id, command: `. '${MANY}' ${COMMANDS} ${FAILED.join(" ")}`, timeout_ms: 0 });
    await until(async () => (await person.blocks({ session_id: id, limit: 1 })).total > COMMANDS, "all commands");
    const [last] = (await person.blocks({ session_id: id, limit: 1 })).blocks;
    expect(last?.cmd).toBe(`: far-${COMMANDS}`);
    prefix = last?.block_id.replace(/\d+$/, "") ?? "";
    tab = await newTab();
    await tab.show(id);
  });

  const press = (keys: string) => tab.page.keyboard.press(keys);
  const type = (text: string) => tab.page.keyboard.type(text);
  const card = (n: number) => tab.page.locator(`[data-block="${prefix}${n + 1}"]`);
  const isInSight = (n: number) =>
    card(n).evaluateAll(([row]) => {
      const [box, room] = [row?.getBoundingClientRect(), row?.closest(".scroll")?.getBoundingClientRect()];
      return box !== undefined && room !== undefined && box.bottom > room.top && box.top < room.bottom;
    });
  const holds = (text: string) => expect.poll(() => tab.prompt.inputValue()).toBe(text);

  /** Its card is in sight and lit up, and what is typed stands in the prompt. */
  async function arrives(n: number): Promise<void> {
    await until(() => isInSight(n), `the card of far-${n}`);
    await card(n).locator(".card.flash").waitFor();
    expect(await card(n).locator(".cmd").textContent()).toContain(`far-${n}`);
    await card(n).getByText(`out-${n}`, { exact: true }).waitFor();
    await type(`# after ${n}`);
    await holds(`# after ${n}`);
    await tab.prompt.fill("");
    expect(await isInSight(n)).toBe(true);
  }

  test("search arrives at the line and lights it up", async () => {
    await press("Control+Shift+F");
    await type("out-137");
    await tab.page.locator("dialog [role=option]", { hasText: "out-137" }).last().waitFor();
    await tab.page.locator("dialog [role=option]", { hasText: /out-137(?!\d)/ }).click();
    await card(137).locator("mark.hit", { hasText: "out-137" }).waitFor();
    await arrives(137);
  });

  test("the palette finds a command far back and jumps to it", async () => {
    await tab.page.reload();
    await tab.focused("prompt");
    await press("Control+k");
    await type("Jump to : far-77");
    await tab.page.getByRole("option", { name: /^Jump to : far-77 ?(exit|$)/ }).click();
    await arrives(77);
  });

  test("a link to a command far back leads there, on a fresh page, too", async () => {
    const origin = new URL(tab.page.url()).origin;
    const far = COMMANDS * 0.4;
    await tab.page.goto(`${origin}/#/${id}/${prefix}${far + 1}`);
    await tab.page.reload();
    await arrives(far);
  });

  test("previous and next failed command go from one to the other, however far apart", async () => {
    await tab.page.goto(`${new URL(tab.page.url()).origin}/#/${id}`);
    await tab.page.reload();
    await tab.focused("prompt");
    await until(() => isInSight(COMMANDS), "the end");
    for (const n of FAILED.toReversed()) {
      await press("Shift+F8");
      await arrives(n);
    }
    await press("Shift+F8");
    await tab.page.getByText("No earlier command failed.").waitFor();
    for (const n of FAILED.slice(1)) {
      await press("F8");
      await arrives(n);
    }
    await press("F8");
    await tab.page.getByText("No later command failed.").waitFor();
    await type("echo still-here\n");
    await tab.page.getByText("still-here", { exact: true }).last().waitFor();
  });
});
