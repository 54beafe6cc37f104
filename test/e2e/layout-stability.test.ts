// Nothing on the page moves by itself: while it loads, while commands run and end, while a question comes and goes.
import { beforeAll, describe, expect, test } from "vitest";
import { sharedPages } from "../fixtures/page/pages.ts";
import type { Tab } from "../fixtures/page/tab.ts";
import { BULK_MS } from "../fixtures/soon.ts";

/** The share of the page that moved, times how far: from 0.1 on people notice. Rounding of half pixels is not seen by anyone. */
const SHIFT_MAX = 0.02;
/** When a question leaves, the words below the prompt change their places. */
const LEAVING_MAX = 0.05;

interface Shift {
  readonly value: number;
  readonly what: string;
}

describe("layout stability", () => {
  const { person, helper, denyAll, tab: newTab, openBash } = sharedPages();
  let id: string;
  const run = (command: string) => person.run_command({ session_id: id, command, timeout_ms: BULK_MS });

  beforeAll(async () => {
    id = await openBash({ name: "work" });
    for (const command of ["seq 30", "false", "echo three", "ls /", "seq 12"]) await run(command);
  });

  async function watched(viewport: { width: number; height: number }): Promise<Tab> {
    const tab = await newTab({ viewport });
    await tab.page.addInitScript(() => {
      const seen: Shift[] = [];
      Object.assign(window, { __shifts: seen });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries() as unknown as {
          value: number;
          hadRecentInput: boolean;
          sources: { node: Element | null; previousRect: DOMRect; currentRect: DOMRect }[];
        }[]) {
          if (entry.hadRecentInput) continue;
          // The dock gets smaller when the question in it is answered elsewhere: its upper edge comes down, and nothing moves.
          const isSmaller = ({ node, previousRect: a, currentRect: b }: (typeof entry.sources)[number]) =>
            node?.className === "dock" && b.height < a.height && Math.abs(a.bottom - b.bottom) < 1;
          if (entry.sources.every(isSmaller)) continue;
          const of = ({ node, previousRect: a, currentRect: b }: (typeof entry.sources)[number]) =>
            `${node?.nodeName}.${node?.className} ${a.x},${a.y} ${a.width}×${a.height} → ${b.x},${b.y} ${b.width}×${b.height}`;
          seen.push({ value: entry.value, what: entry.sources.map(of).join("; ") });
        }
      }).observe({ type: "layout-shift", buffered: true });
    });
    await tab.page.goto(`${new URL(tab.page.url()).origin}/#/${id}`);
    await tab.page.reload();
    await tab.page.locator('.scroll[data-settled="true"]').waitFor();
    return tab;
  }

  /** What moved since the last look. */
  const moved = (tab: Tab) =>
    tab.page.evaluate(async () => {
      // What was laid out is told with the next frame.
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      return (window as unknown as { __shifts: Shift[] }).__shifts.splice(0);
    });

  async function isStill(tab: Tab, phase: string, most = SHIFT_MAX): Promise<void> {
    const shifts = await moved(tab);
    const sum = shifts.reduce((total, { value }) => total + value, 0);
    expect.soft(sum, `${phase}: ${JSON.stringify(shifts)}`).toBeLessThan(most);
  }

  /** A command of its own each time: what was denied is not asked again. */
  async function asksAndLeaves(tab: Tab, command: string): Promise<void> {
    await helper.run_command({ session_id: id, command, timeout_ms: 0 });
    await tab.card.waitFor();
    await isStill(tab, "a question comes");
    await denyAll();
    await tab.card.waitFor({ state: "detached" });
    await isStill(tab, "it leaves", LEAVING_MAX);
  }

  test("nothing moves while the page loads, commands run and a question comes and goes", async () => {
    const tab = await watched({ width: 1360, height: 860 });
    await isStill(tab, "loading");
    const ends = (text: string) => tab.page.locator('[data-shows="frozen"] .frozen', { hasText: text }).waitFor();
    await run("echo quick");
    await ends("quick");
    await run("for i in 1 2 3 4 5 6; do echo line-$i; sleep 0.1; done");
    await ends("line-6");
    await isStill(tab, "commands");
    await asksAndLeaves(tab, "npm install left-pad");
    await tab.close();
  });

  // Not while a command of theirs runs: then a phone gets the keys that it lacks, and the prompt makes room for them.
  test("nothing moves on a phone", async () => {
    const tab = await watched({ width: 390, height: 844 });
    await isStill(tab, "loading");
    await asksAndLeaves(tab, "npm install right-pad");
    await tab.close();
  });
});
