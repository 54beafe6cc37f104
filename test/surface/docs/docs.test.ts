// The docs stay true as the code moves: every path they name exists, every link leads somewhere, and what people load with
// them is small and tells nothing about the machine it was made on.
import fs from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { markdown } from "../../fixtures/markdown.ts";
import { ROOT } from "../../fixtures/stand/installation.ts";

const TEXTS = [
  ...["README.md", "ARCHITECTURE.md", "AGENTS.md", "CONTEXT.md"],
  ...fs.readdirSync(join(ROOT, "docs"), { recursive: true, encoding: "utf8" }).map((name) => `docs/${name}`),
].filter((name) => name.endsWith(".md"));
/** Wider lines wrap in a terminal and make diffs hard to read. Tables and pictures cannot be wrapped. */
const PROSE_COLUMNS_MAX = 120;
const PICTURE_BYTES_MAX = 120_000;
const RECORDING_BYTES_MAX = 60_000;

const size = (name: string) => fs.statSync(join(ROOT, name)).size;

describe.each(TEXTS)("%s", (name) => {
  const text = markdown(name);

  it("names paths that exist", () => {
    const paths = [...text.matchAll(/`((?:src|web|test|shell|scripts|docs|bench|bin)\/[^`\s*…]+)`/g)];
    for (const [, path = ""] of paths) expect(fs.existsSync(join(ROOT, path)), path).toBe(true);
  });

  it("links to what is there", () => {
    for (const [, link = ""] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^https?:|^#/.test(link)) continue;
      expect(fs.existsSync(join(ROOT, dirname(name), link.replace(/#.*/, ""))), link).toBe(true);
    }
  });

  it("is wrapped", () => {
    const prose = text.replace(/^```[\s\S]*?^```/gm, "").split("\n");
    const wide = prose.filter((line) => line.length > PROSE_COLUMNS_MAX && !/^(?:\||!\[)/.test(line));
    expect(wide).toEqual([]);
  });
});

it("the glossary names types that exist", () => {
  const names = [...markdown("CONTEXT.md").matchAll(/^\| ([^|]+) \|/gm)].flatMap(
    ([, word = ""]) => word.match(/\b(?:[A-Z][a-z]+){2,}\b/g) ?? [],
  );
  const code = ["src", "web"]
    .flatMap((root) =>
      fs.readdirSync(join(ROOT, root), { recursive: true, encoding: "utf8" }).map((at) => `${root}/${at}`),
    )
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => markdown(name))
    .join("\n");
  expect(names.length).toBeGreaterThan(10);
  for (const name of names) expect(code, name).toMatch(new RegExp(`(?:class|interface|type) ${name}\\b`));
});

it("the architecture fits on a few screens and walks through files that exist", () => {
  const text = markdown("ARCHITECTURE.md");
  expect(text.split("\n").length).toBeLessThanOrEqual(151);
  const files = text.match(/`(?:src|web|shell)\/[^`]+\.\w+`/g) ?? [];
  expect(new Set(files).size).toBeGreaterThan(40);
});

describe("the five walks", () => {
  const section = /^## The five walks$([\s\S]*?)^## /m.exec(markdown("ARCHITECTURE.md"))?.[1] ?? "";
  const walks = section
    .split(/^### /m)
    .slice(1)
    .map((walk) => {
      const [title = "", ...lines] = walk.split("\n");
      return {
        title,
        hops: lines
          .join("\n")
          .split(/^\d+\. /m)
          .slice(1),
      };
    });

  it("are five, from a byte to a card", () => {
    const titles = walks.map(({ title }) => title.toLowerCase());
    const about = ["byte", "key", "run over mcp", "approval", "page action"];
    expect(titles).toHaveLength(about.length);
    for (const [i, word] of about.entries()) expect(titles[i]).toContain(word);
  });

  it.each(walks)("$title: has at least four hops, and each names a file that exists", ({ hops }) => {
    expect(hops.length).toBeGreaterThanOrEqual(4);
    const files = hops.map((hop) => [...hop.matchAll(/`((?:src|web|shell)\/[^`\s]+\.\w+)`/g)].map(([, file]) => file));
    for (const file of files.flat()) expect(fs.existsSync(join(ROOT, file ?? "")), file).toBe(true);
    expect(files.filter((named) => named.length > 0).length).toBe(hops.length);
  });
});

it("pictures are small", () => {
  const pictures = fs.readdirSync(join(ROOT, "docs/pictures"));
  expect(pictures.sort()).toEqual(["approval.webp", "attach.webp", "fleet.webp", "page.webp", "splits.webp"]);
  for (const picture of pictures) expect(size(`docs/pictures/${picture}`), picture).toBeLessThan(PICTURE_BYTES_MAX);
});

it("the recording is small, and of nobody's machine", () => {
  expect(size("docs/story.cast")).toBeLessThan(RECORDING_BYTES_MAX);
  const text = markdown("docs/story.cast");
  const folders = new Set(text.match(/(?<![\w.])\/(?:home|root|tmp|usr|opt|srv|Users)\/?[\w.-]*/g) ?? []);
  expect([...folders]).toEqual(["/tmp/you"]);
});
