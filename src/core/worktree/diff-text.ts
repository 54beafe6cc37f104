// A unified difference in its parts: files, and hunks of a file. Pure.

interface FilePatch {
  /** All lines before the first hunk. */
  readonly head: string;
  /** Each from its @@ line on. Without any, the file is not text, or only its name or mode differ. */
  readonly hunks: readonly string[];
}

/** One text for each file, in their order. Where a link takes a file's place, git writes two of the same name. */
export function filesIn(diff: string): string[] {
  const files: string[] = [];
  let name = "";
  for (const part of parts(diff, /^diff --git /gm)) {
    const [first = ""] = part.split("\n", 1);
    if (first === name) files.push((files.pop() ?? "") + part);
    else files.push(part);
    name = first;
  }
  return files;
}

export function patchOf(file: string): FilePatch {
  const at = file.search(/^@@ /m);
  return at < 0 ? { head: file, hunks: [] } : { head: file.slice(0, at), hunks: parts(file.slice(at), /^@@ /gm) };
}

/** What of a file is meant: one hunk, or all of it. Undefined: there is no such hunk. */
export function chosenPatch(file: string, hunk: number | undefined): string | undefined {
  if (hunk === undefined) return file;
  const { head, hunks } = patchOf(file);
  const chosen = hunks[hunk];
  return chosen === undefined ? undefined : head + chosen;
}

/** What stays the same when other hunks move it up or down. */
export function hunkBody(hunk: string): string {
  return hunk.slice(hunk.indexOf("\n") + 1);
}

function parts(text: string, begins: RegExp): string[] {
  const starts = [...text.matchAll(begins)].map(({ index }) => index);
  return starts.map((start, at) => text.slice(start, starts[at + 1]));
}
