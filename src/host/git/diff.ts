// The difference of two states as text, for people. Only plain comparison: no programs, no attributes of the workspace.
import type { LineCounts, ShownDiff } from "../../core/restore/state.ts";
import type { Git } from "./git.ts";

/** More than anybody reads before they decide; the list of files goes on. */
const DIFF_BYTES_MAX = 200_000;
/** Files whose difference is shown as text. */
const DIFF_FILES_MAX = 200;

const PLAIN = ["--no-ext-diff", "--no-textconv", "--no-color", "--no-renames", "--ignore-submodules=all", "-r"];

export async function diffText(git: Git, from: string, to: string, paths: readonly string[]): Promise<ShownDiff> {
  const shown = paths.slice(0, DIFF_FILES_MAX);
  if (shown.length === 0) return { text: "", cut: false, lines: new Map() };
  // Names with special letters are meant literally.
  const args = [from, to, "--", ...shown.map((path) => Buffer.from(path, "latin1").toString())];
  const [numbers, text] = await Promise.all([
    git.list(["--literal-pathspecs", "diff-tree", ...PLAIN, "-z", "--numstat", ...args]),
    git.bytes(["--literal-pathspecs", "diff-tree", ...PLAIN, "-p", ...args], { bytesMax: DIFF_BYTES_MAX + 1 }),
  ]);
  const isCut = text.length > DIFF_BYTES_MAX;
  return {
    text: text.subarray(0, DIFF_BYTES_MAX).toString("utf8"),
    cut: isCut || shown.length < paths.length,
    lines: new Map(numbers.map((line) => countsOf(line))),
  };
}

function countsOf(line: string): [string, LineCounts] {
  const [added = "-", removed = "-", ...path] = line.split("\t");
  const number = (text: string) => (text === "-" ? null : Number(text));
  return [path.join("\t"), { added: number(added), removed: number(removed) }];
}
