// Joins words into one line that sh, bash, zsh and fish all read as the same words. Pure. In fish a backslash has a meaning
// inside single quotes and in POSIX shells it does not, so we write quotes and backslashes outside of them.
// Refuses: control characters, which no single line can carry in all these shells.

const PLAIN = /^[A-Za-z0-9_./:@+,-][A-Za-z0-9_./:@+,=-]*$/;
const ASSIGNMENT = /^([A-Za-z_][A-Za-z0-9_]*)=(.*)$/s;

export function shellLine(words: readonly string[]): string {
  let assigning = true;
  return words
    .map((word) => {
      // Only in front of the command is NAME=value an assignment; its name must stay bare.
      const match = assigning ? ASSIGNMENT.exec(word) : null;
      assigning &&= match !== null;
      return match === null ? quoted(word) : `${match[1]}=${match[2] === "" ? "" : quoted(match[2] ?? "")}`;
    })
    .join(" ");
}

/** A caller's command: one word is a whole line, several are a program and its arguments. */
export function lineOf(command: string | readonly string[]): string {
  if (typeof command === "string") return command;
  const [first = "", ...rest] = command;
  return rest.length === 0 ? first : shellLine(command);
}

export function isOneLine(text: string): boolean {
  return !/[\x00-\x1f\x7f]/.test(text);
}

/** A path that no program can mistake for an option. */
export function pathWord(path: string): string {
  return path.startsWith("-") ? `./${path}` : path;
}

/** One word, whatever it holds. */
function quoted(word: string): string {
  if (PLAIN.test(word)) return word;
  const parts = word
    .split(/(['\\])/)
    .map((part) => (part === "'" || part === "\\" ? `\\${part}` : part && `'${part}'`));
  return parts.join("") || "''";
}
