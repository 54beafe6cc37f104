// Which files git's settings name: more settings, and hooks. Read as git reads them: several words on a line, comments,
// quotes, any case. Refuses: conditions; what might be included counts as included.
import fs from "node:fs";
import { dirname, resolve } from "node:path";

/** These files hold one path or a few settings. */
const SMALL_FILE_BYTES_MAX = 1 << 20;
/** git follows ten. */
const INCLUDES_MAX = 10;

interface Named {
  readonly included: readonly string[];
  /** Folders of hooks. */
  readonly neverMade: readonly string[];
}

/** The person's own settings and the machine's name hooks, too. */
export function personSettings(home: string): string[] {
  return [`${home}/.gitconfig`, `${home}/.config/git/config`, "/etc/gitconfig"];
}

/** `root`: where hooks run. husky keeps its own hooks one folder above. */
export function namedBySettings(file: string, root: string, home: string, depth = 0): Named {
  const named = settingsIn(smallFile(file));
  const absolute = (path: string, base: string) =>
    resolve(base, path.startsWith("~/") ? `${home}/${path.slice(2)}` : path);
  const values = (key: string) => named.filter((one) => one.key === key).map(({ value }) => value);
  const included = values("path").map((path) => absolute(path, dirname(file)));
  const hooks = values("hookspath").map((path) => absolute(path, root));
  const more = depth < INCLUDES_MAX ? included.map((path) => namedBySettings(path, root, home, depth + 1)) : [];
  return {
    included: [...included, ...more.flatMap((one) => one.included)],
    neverMade: [
      ...hooks.flatMap((path) => (path.endsWith("/.husky/_") ? [path, dirname(path)] : [path])),
      ...more.flatMap((one) => one.neverMade),
    ],
  };
}

/** A section and a setting may share a line. A backslash at the end joins lines. */
function settingsIn(text: string): { key: string; value: string }[] {
  const lines = text.replace(/\\\r?\n/g, "").split(/\r?\n/);
  return lines.flatMap((line) => {
    const [, key = "", value = ""] = /^\s*(?:\[[^\]]*\]\s*)?([a-z][a-z0-9-]*)\s*=\s*(.*)$/i.exec(line) ?? [];
    return key === "" ? [] : [{ key: key.toLowerCase(), value: plain(value) }];
  });
}

/** Without quotes, escapes, and a comment outside quotes. */
function plain(value: string): string {
  let [text, isQuoted] = ["", false];
  for (let i = 0; i < value.length; i += 1) {
    const char = value[i] ?? "";
    if (char === '"') isQuoted = !isQuoted;
    else if (!isQuoted && (char === "#" || char === ";")) break;
    else if (char === "\\") text += value[++i] ?? "";
    else text += char;
  }
  return text.trim();
}

export function smallFile(file: string): string {
  const stat = fs.statSync(file, { throwIfNoEntry: false });
  return stat?.isFile() && stat.size <= SMALL_FILE_BYTES_MAX ? fs.readFileSync(file, "utf8") : "";
}
