// Images that programs print are pixels on the page: in the running command, after a reload, and in its finished card.
import { describe, expect, test } from "vitest";
import { sharedPages } from "../fixtures/page/pages.ts";
import { iterm, kitty, sixel } from "../fixtures/terminal/pictures.ts";

const RED = { width: 120, height: 48, rgb: [255, 0, 0] } as const;
const GREEN = { width: 160, height: 40, rgb: [0, 255, 0] } as const;
const BLUE = { width: 16, height: 16, rgb: [0, 0, 255] } as const;
const PICTURES = ["120x48 255,0,0,255", "160x40 0,255,0,255", "16x16 0,0,255,255"];

describe("images", () => {
  const { person, folder, tab: newTab, openBash } = sharedPages({});

  test("three protocols, live, after a reload and in a card; a broken one stays text, and none covers text", async () => {
    const forged = "\x1b]8;;duetty-image:0-900:30x2#0\x1b\\important words\x1b]8;;\x1b\\";
    const broken = "\x1b_Ga=T,f=24,o=z,s=50,v=20;AAAAAAAAAAAAAAAA\x1b\\";
    const text = `${sixel(RED)}\r\nafter one\r\n${kitty(GREEN)}\r\nafter two\r\n${iterm(BLUE)}\r\n${broken}\r\n${forged}\r\nlast words\r\n`;
    const cwd = folder({ "pictures.txt": text });
    const id = await openBash({ cwd, cols: 90, rows: 30 });
    const tab = await newTab();
    await tab.show(id);
    /** Their sizes, and the pixel in their middle. */
    const drawn = (where: string) =>
      tab.page.locator(`${where} canvas`).evaluateAll((all) =>
        all.map((one) => {
          if (!(one instanceof HTMLCanvasElement) || one.clientHeight === 0) return "none";
          const { width, height } = one;
          const copy = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
          copy?.drawImage(one, -width / 2, -height / 2);
          const pixel = copy?.getImageData(0, 0, 1, 1).data;
          return `${width}x${height} ${[...(pixel ?? [])].join(",")}`;
        }),
      );
    const soon = { timeout: 20_000 };
    await person.pty_send({ session_id: id, text: "cat pictures.txt; read -r line\r" });
    await expect.poll(() => drawn(".live-body .screen-images"), soon).toEqual(PICTURES);
    const { rows } = await person.pty_read_screen({ session_id: id });
    await expect.poll(() => tab.rows(), soon).toEqual(rows);
    await tab.page.reload();
    await expect.poll(() => drawn(".live-body .screen-images"), soon).toEqual(PICTURES);
    expect(rows.filter((row) => row.startsWith("[image"))).toEqual([
      "[image 120×48]",
      "[image 160×40]",
      "[image 16×16]",
      "[image 50×20]",
    ]);
    await person.pty_send({ session_id: id, text: "\r" });
    await expect.poll(() => drawn(".frozen .picture"), soon).toEqual(PICTURES);
    const card = tab.page.locator(".frozen", { hasText: "last words" });
    expect(await card.locator("canvas").first().boundingBox()).toMatchObject({ height: 3 * 18 });
    expect(await card.textContent()).toContain("important words");
    expect(await card.textContent()).toContain("[image 50×20]");
  });
});
