// A change of a text file as a small unified diff. Pure. One hunk: our changes are in one place.

const CONTEXT_LINES = 2;
/** We do not print a very long line whole, only this much around the difference. */
const LINE_CHARS_MAX = 160;
const AROUND_CHARS = 40;

/** `undefined` stands for no file. */
export function unifiedDiff(name: string, before: string | undefined, after: string | undefined): string {
  const [old, now] = [linesOf(before ?? ""), linesOf(after ?? "")];
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) head += 1;
  let tail = 0;
  const room = Math.min(old.length, now.length) - head;
  while (tail < room && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail += 1;
  const from = Math.max(0, head - CONTEXT_LINES);
  const more = Math.min(tail, CONTEXT_LINES);
  const gone = old.slice(head, old.length - tail);
  const come = now.slice(head, now.length - tail);
  const after2 = old.slice(old.length - tail, old.length - tail + more);
  const sizes = [head - from + gone.length + after2.length, head - from + come.length + after2.length] as const;
  return [
    `--- ${before === undefined ? "/dev/null" : name}`,
    `+++ ${after === undefined ? "/dev/null" : name}`,
    `@@ -${span(from, sizes[0])} +${span(from, sizes[1])} @@`,
    ...old.slice(from, head).map((line) => mark(" ", line)),
    ...gone.map((line, i) => mark("-", line, come[i])),
    ...come.map((line, i) => mark("+", line, gone[i])),
    ...after2.map((line) => mark(" ", line)),
  ].join("\n");
}

/** For a terminal: removed lines in red, added lines in green. */
export function coloured(diff: string): string {
  const colours: Readonly<Record<string, string>> = { "-": "\x1b[31m", "+": "\x1b[32m", "@": "\x1b[2m" };
  const paint = (line: string) => {
    const colour = colours[line.charAt(0)];
    return colour ? `${colour}${line}\x1b[0m` : line;
  };
  return diff.split("\n").map(paint).join("\n");
}

/** Lines keep their ends, so that a missing last one is a difference. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function span(from: number, count: number): string {
  return count === 0 ? `${from},0` : `${from + 1}${count === 1 ? "" : `,${count}`}`;
}

function mark(sign: " " | "-" | "+", line: string, other = ""): string {
  const text = line.replace(/\r?\n$/, "");
  const ending = line.endsWith("\n") ? "" : "\n\\ No newline at end of file";
  return sign + (text.length > LINE_CHARS_MAX ? shorten(text, other.replace(/\r?\n$/, "")) : text) + ending;
}

function shorten(text: string, other: string): string {
  let head = 0;
  while (head < text.length && text[head] === other[head]) head += 1;
  let tail = 0;
  const room = Math.min(text.length, other.length) - head;
  while (tail < room && text[text.length - 1 - tail] === other[other.length - 1 - tail]) tail += 1;
  const from = other === "" ? 0 : Math.max(0, head - AROUND_CHARS);
  const to = other === "" ? LINE_CHARS_MAX : Math.min(text.length, text.length - tail + AROUND_CHARS);
  return `${from > 0 ? "…" : ""}${text.slice(from, to)}${to < text.length ? "…" : ""}`;
}
