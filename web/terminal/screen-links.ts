// Links on the terminal's screen: addresses, names of files, and those that programs made themselves (OSC 8). Loaded when the
// pointer first comes over a terminal. Refuses: to open what does not say where it leads without asking.
import type { IBufferRange, ILink, Terminal } from "@xterm/xterm";
import { deceives } from "../../src/core/base/invisible.ts";
import type { Following } from "../links/following.ts";
import { isPlain, linksIn, safeAddress, type TextLink } from "../text/links.ts";

/** What opens them on the owner's page. Elsewhere there are only addresses, and the browser asks. */
export type LinkOpener = () => Promise<Pick<Following, "files" | "openFile" | "openAddress">>;

/** Rows of one line that we look at, before and after the pointer. */
const ROWS_MAX = 20;

/** A line as it was printed, over all rows that it takes, and the cell of each of its characters. */
interface Printed {
  readonly text: string;
  readonly cells: readonly { readonly x: number; readonly y: number }[];
}

export function linkUp(terminal: Terminal, host: HTMLElement, opener?: LinkOpener): void {
  const visit = (href: string, text: string) => {
    if (isPlain(text, href)) window.open(href, "_blank", "noopener,noreferrer");
    else if (opener) void opener().then((own) => own.openAddress(href));
    else if (confirm(`This link leads to\n${href}\n\nOpen it?`)) window.open(href, "_blank", "noopener,noreferrer");
  };
  const over = { hover: (words: string) => () => (host.title = words), leave: () => host.removeAttribute("title") };
  terminal.options.linkHandler = {
    activate(_event, link, range) {
      const href = safeAddress(link);
      if (href !== undefined) visit(href, textIn(terminal, range));
    },
    hover: (_event, link) => over.hover(safeAddress(link) ?? "")(),
    leave: over.leave,
    allowNonHttpProtocols: true,
  };
  terminal.registerLinkProvider({
    async provideLinks(y, callback) {
      const printed = printedAt(terminal, y - 1);
      const found = linksIn(printed.text).filter(({ from, to }) => !deceives(printed.text.slice(from, to)));
      const rangeOf = ({ from, to }: TextLink) => rangeIn(printed, from, to);
      const links: ILink[] = [];
      for (const link of found) {
        if (link.kind !== "address") continue;
        const text = printed.text.slice(link.from, link.to);
        const activate = () => visit(link.href, text);
        links.push({ range: rangeOf(link), text, activate, hover: over.hover(link.href), leave: over.leave });
      }
      const places = found.filter((link) => link.kind === "place");
      if (opener && places.length > 0) {
        const own = await opener();
        const names = places.map(({ path }) => path);
        const files = await own.files(names, null);
        for (const place of places) {
          const path = files.get(place.path);
          if (path === undefined) continue;
          const { line, column } = place;
          const activate = () => void own.openFile({ path, line, column });
          const text = printed.text.slice(place.from, place.to);
          const words = over.hover(`Open ${path}, line ${line}`);
          links.push({ range: rangeOf(place), text, activate, hover: words, leave: over.leave });
        }
      }
      callback(links.length > 0 ? links : undefined);
    },
  });
}

/** The line that the row is part of. What nobody sees counts as blank. */
function printedAt(terminal: Terminal, row: number): Printed {
  const { active } = terminal.buffer;
  let [first, last] = [row, row];
  while (row - first < ROWS_MAX && active.getLine(first)?.isWrapped) first -= 1;
  while (last - row < ROWS_MAX && active.getLine(last + 1)?.isWrapped) last += 1;
  let text = "";
  const cells: { x: number; y: number }[] = [];
  for (let y = first; y <= last; y += 1) {
    const line = active.getLine(y);
    for (let x = 0; line && x < line.length; x += 1) {
      const cell = line.getCell(x);
      if (!cell || cell.getWidth() === 0) continue;
      const chars = cell.isInvisible() ? " " : cell.getChars() || " ";
      text += chars;
      for (let i = 0; i < chars.length; i += 1) cells.push({ x: x + 1, y: y + 1 });
    }
  }
  return { text, cells };
}

function rangeIn({ cells }: Printed, from: number, to: number): IBufferRange {
  const none = { x: 1, y: 1 };
  return { start: cells[from] ?? none, end: cells[to - 1] ?? none };
}

function textIn(terminal: Terminal, { start, end }: IBufferRange): string {
  const { text, cells } = printedAt(terminal, start.y - 1);
  const isIn = (x: number, y: number) =>
    (y > start.y || (y === start.y && x >= start.x)) && (y < end.y || (y === end.y && x <= end.x));
  return [...cells.keys()].map((at) => (isIn(cells[at]?.x ?? 0, cells[at]?.y ?? 0) ? (text[at] ?? "") : "")).join("");
}
