// What a page offers at Tab is what the shell itself offers at its own prompt: each line is completed by the operation, and
// then typed into the same session with a real Tab.
import { describe, expect, test } from "vitest";
import { lastWord, quotedWords } from "../../../src/core/complete/words.ts";
import type { Output } from "../../../src/protocol/ops.ts";
import { git } from "../../fixtures/git.ts";
import type { ShellKind } from "../../fixtures/stand/shells.ts";
import { sharedStand } from "../../fixtures/stand/stand.ts";

const { person, folder, openShell } = sharedStand({ config: { complete_ms: 20_000 } });

/** What the session's shell knows and no file says: set after its start. */
const SETUP: Readonly<Record<ShellKind, string>> = {
  bash: `MY_VAR=1 MY_VALUE=2; export MY_OTHER=3; greet_me() { :; }; alias zap_it=ls; complete -W 'alpha beta gamma' myprog
_sums() { COMPREPLY=($(compgen -W '--color= --count --all' -- "$2")); }; complete -o nospace -F _sums sums; shopt -s nocaseglob`,
  zsh: `autoload -Uz compinit; compinit -u -D; zstyle ':completion:*' completer _complete; MY_VAR=1 MY_VALUE=2; export MY_OTHER=3
greet_me() { : }; alias zap_it=ls gb='git branch'; _my() { local -a l; l=('alpha:the first' 'beta:the second' gamma); _describe letters l }; compdef _my myprog
_sums() { _arguments '--color=[when]:when:(always never auto)' '--count[only a number]' '--all[everything]' }; compdef _sums sums`,
  fish: `set -g MY_VAR 1; set -g MY_VALUE 2; set -gx MY_OTHER 3; function greet_me; end; alias zap_it ls; abbr -a zap_other ls
complete -c myprog -f -a 'alpha\\t"the first" beta\\t"the second" gamma'
complete -c sums -f -l color -xa 'always never auto' -d when; complete -c sums -l count -d 'only a number'; complete -c sums -l all -d everything`,
};

/** The caret is at the bar, or at the end. */
const LINES: Readonly<Record<ShellKind, readonly string[]>> = {
  bash: [
    ..."myprog |myprog a|myprog g x|sums --c|sums --a|sums |greet_|zap_|zap_it |echo $MY_|echo ${MY_|echo $MY_O".split(
      "|",
    ),
    ..."cat o|cat 'two w|cat \"two w|cat two|cat it|cat ü|cd su|ls sub/|git chec|git checkout to|make |FOO=1 greet_|cat ./nothing".split(
      "|",
    ),
    "cat o▮ end",
  ],
  zsh: [
    ..."myprog |myprog a|sums --c|sums --color=|greet_|zap_|zap_it su|echo $MY_|echo ${MY_|echo $MY_O|cat o|cat 'two w".split(
      "|",
    ),
    ...'cat "two w|cat two|cat it|cat ü|cd su|ls sub/|git checkout to|gb to|FOO=1 greet_|cat ./nothing'.split("|"),
    "cat o▮ end",
  ],
  fish: [
    ..."myprog |myprog a|sums --c|sums --color=|greet_|zap_|zap_it su|echo $MY_|echo $MY_O|cat o|cat 'two w|cat \"two w".split(
      "|",
    ),
    ..."cat two|cat it|cat ü|cd su|ls sub/|git checkout to|FOO=1 greet_|cat ./nothing|cat sub/in".split("|"),
  ],
};

/** The name alone, as lists show it. */
function bare(text: string): string {
  const { word } = lastWord(text, "");
  return word
    .replace(/[/ ]+$/, "")
    .replace(/^.*[/=](?=.)/, "")
    .replace(/^\$\{?|\}$/g, "");
}

type Shown = Output<"pty_read_screen">;

/** What stands below the prompt, in columns, with descriptions behind them. */
function listed({ rows }: Shown): string[] {
  const at = rows.findLastIndex((row) => />(?: |$)/.test(row));
  const entries = rows.slice(at + 1).flatMap((row) => row.replace(/\s+-- .*/, "").split(/\s{2,}/));
  const names = entries.map((entry) => bare(entry.replace(/\(.*\)$/, "").trim()));
  return [...new Set(names.filter((name) => name !== ""))].sort();
}

/** The line up to the cursor: fish shows a suggestion behind it. */
function lineOf({ rows, cursor }: Shown): string {
  const row = rows[cursor.row] ?? "";
  return row
    .padEnd(cursor.col)
    .slice(0, cursor.col)
    .replace(/^.*?> ?/, "");
}

/** What bash has put in place of a word by insert-completions. */
function inserted(became: string, line: string, caret: number, from: number): string[] {
  if (became === line) return [];
  return quotedWords(became.slice(from, became.length - (line.length - caret)))
    .map(bare)
    .sort();
}

describe.each(["bash", "zsh", "fish"] as const)("%s", (kind) => {
  test("offers on the page what it offers at its own prompt", { timeout: 120_000 }, async () => {
    const cwd = folder({
      ...{ one: "", "other.txt": "", "two words": "", "it's": "", ünï: "", "sub/inner": "", "sub/deep/x": "" },
      ...{ "summary.md": "", Makefile: "all:\n\nclean:\n" },
    });
    git(cwd, "init", "-q");
    git(cwd, "add", "-A");
    git(cwd, "commit", "-qm", "all");
    for (const name of ["topic-one", "topic-two"]) git(cwd, "branch", name);
    const { session_id } = await openShell(kind, { cwd, rows: 40 });
    for (const command of SETUP[kind].split("\n")) await person.run_command({ session_id, command });
    const typed = async (line: string, key: string) => {
      const [before = "", after] = line.split("▮");
      const keys = after === undefined ? [] : [...Array.from(after, () => "Left")];
      // An old list may still stand below the prompt.
      if (kind !== "bash") await person.pty_send({ session_id, keys: ["Ctrl+L"] });
      await person.pty_send({ session_id, text: `${before}${after ?? ""}`, keys: [...keys, key] });
    };
    const lift = async () => (await person.lift_line({ session_id })).text;
    for (const line of LINES[kind]) {
      const caret = line.indexOf("▮");
      const [text, at] = [line.replace("▮", ""), caret < 0 ? line.length : caret];
      const ours = await person.complete({ session_id, line: text, caret: at });
      expect(ours, line).toMatchObject({ note: null, more: 0 });
      const names = [...new Set(ours.candidates.map((candidate) => bare(candidate.text)))].sort();
      await typed(line, "Tab");
      const became = await lift();
      if (became !== null) expect(became, line).toBe(ours.becomes.text);
      if (kind === "bash") {
        await typed(line, "Alt+*");
        expect(inserted((await lift()) ?? "", text, at, ours.from), line).toEqual(names);
        continue;
      }
      // zsh shows no list when it could insert something.
      if (kind === "zsh" && names.length !== 1 && caret < 0) {
        await typed(line, "Ctrl+D");
        await lift();
      }
      // fish keeps its line while its list is open. A single match is inserted, and not listed.
      const shown = () => person.pty_read_screen({ session_id });
      if (became === null)
        await expect
          .poll(async () => lineOf(await shown()), { message: line, timeout: 20_000 })
          .toBe(ours.becomes.text);
      if (names.length !== 1)
        await expect.poll(async () => listed(await shown()), { message: line, timeout: 20_000 }).toEqual(names);
      if (became !== null) continue;
      await person.pty_send({ session_id, keys: ["Escape"] });
      await expect.poll(lift).not.toBeNull();
    }
  });
});
