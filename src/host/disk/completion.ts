// Files that a half-written path may mean. It only reads; a folder that we cannot read has no candidates.
import { readdir } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, resolve } from "node:path";

interface PathCandidate {
  /** As it would stand in the line, quoted for a shell. */
  readonly text: string;
  readonly kind: "file" | "folder";
}

/** Where the last word of the line begins, and what it says without quotes. Pure. */
export function lastWord(line: string): { readonly from: number; readonly word: string } {
  let [from, word, quote] = [0, "", ""];
  for (let i = 0; i < line.length; i += 1) {
    const char = line[i] ?? "";
    if (quote !== "" && char === quote) quote = "";
    else if (quote === "" && (char === "'" || char === '"')) quote = char;
    else if (char === "\\" && quote !== "'") word += line[++i] ?? "";
    else if (quote === "" && /[\s;|&<>(=]/.test(char)) [from, word] = [i + 1, ""];
    else word += char;
  }
  return { from, word };
}

export async function pathsFor(word: string, cwd: string): Promise<PathCandidate[]> {
  const home = word === "~" || word.startsWith("~/");
  const written = word.endsWith("/") || word === "" ? word : word.slice(0, word.length - basename(word).length);
  const begun = word.slice(written.length);
  const folder = resolve(cwd, home ? homedir() + written.slice(1) : written || ".");
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries
    .filter(({ name }) => name.startsWith(begun) && (begun.startsWith(".") || !name.startsWith(".")))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map((entry) => {
      const isFolder = entry.isDirectory();
      const text = `${quoted(written)}${quoted(entry.name)}${isFolder ? "/" : ""}`;
      return { text, kind: isFolder ? ("folder" as const) : ("file" as const) };
    });
}

/** For a shell, with the tilde left alone. */
function quoted(path: string): string {
  return path.replace(/[^\w@%+=:,./~-]/g, (char) => (char === "\n" ? "$'\\n'" : `\\${char}`));
}
