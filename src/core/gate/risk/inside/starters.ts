// Commands that may stand in another command's words: behind an option that we do not know, in a text for a shell, after the verb of a
// runner. Pure. One rule for all: every place where a command could begin is tried.
import { type Arg, literal } from "../words.ts";

/** Places of one command where another could begin. More would be no command that anybody writes. */
const PLACES_MAX = 20;

/** Programs that start what their words say, in a language or an order of their own. */
const STARTS = new Set(
  "fish pwsh powershell csh tcsh nu xonsh elvish vi vim nvim gvim view ex ed emacs emacsclient hash alias npx bunx pnpx uvx source . ssh-agent".split(
    " ",
  ),
);

/** Programs that start a program after one of these words. */
const RUNNERS: readonly (readonly [RegExp, RegExp])[] = [
  [/^(?:npm|pnpm|yarn|yarnpkg|bun|corepack)$/, /^(?:exec|x|dlx|-c|--call)$/],
  [
    /^(?:uv|poetry|pipenv|pdm|rye|hatch|conda|mamba|micromamba|pixi|pipx|tox|coverage|bundle|composer|rbenv|pyenv|nix|nix-shell|cargo|opam|stack|cabal|fvm|volta|fnm)$/,
    /^(?:run|exec|x|tool|shell|develop|-c|--run|--command|watch)$/,
  ],
  [/^(?:docker|podman|nerdctl|kubectl|oc|docker-compose|vagrant|lxc|machinectl)$/, /^(?:exec|run|shell|ssh)$/],
  [
    /^git$/,
    /^(?:submodule|bisect|rebase|filter-branch|difftool|mergetool|for-each-repo|alias|config|-c.*|--exec.*|--upload-pack.*|--receive-pack.*|-x.*)$/,
  ],
];

/** The words among which another command may begin; null when there are none. */
export function startedWords(name: string, args: readonly Arg[]): readonly Arg[] | null {
  if (STARTS.has(name)) return args;
  const verbs = RUNNERS.find(([programs]) => programs.test(name))?.[1];
  const at = verbs ? args.findIndex((arg) => verbs.test(arg.prefix)) : -1;
  // The verb itself is no program: pnpm exec.
  return at < 0 ? null : args.slice(/^\w/.test(args[at]?.prefix ?? "") ? at + 1 : at);
}

export type Started = { readonly words: readonly Arg[] } | { readonly text: string };

/** Every command that could begin in these words: at a word, in a text, or in the value of an option or a name. */
export function startedIn(args: readonly Arg[]): readonly Started[] {
  return args.slice(0, PLACES_MAX).flatMap((arg, i) => {
    if (!arg.literal) return [{ words: args.slice(i) }];
    return values(arg.text).map((text) =>
      /[\s;&|`]|\$\(/.test(text) ? { text } : { words: [literal(text), ...args.slice(i + 1)] },
    );
  });
}

/** As it stands, and what may be the value in it: -crm, --call=rm, ls=rm, !rm, and the blanks of `env -S`. */
function values(text: string): readonly string[] {
  const attached = /^-{0,2}[\w.:-]*=([\s\S]+)$/.exec(text)?.[1];
  const short = /^-\w/.test(text) ? [text.slice(2), text.slice(3)] : [];
  const escaped = /^:?(?:silent!? *)?!+([\s\S]+)$/.exec(text)?.[1];
  const all = [text, attached ?? "", ...short, escaped ?? ""].map((value) => value.replaceAll("\\_", " ").trim());
  return [...new Set(all)].filter((value) => value !== "");
}

/** Their words are names and messages, whatever they say. */
const SAYS = /^(?:commit|tag|merge|notes|stash|revert|cherry-pick|branch|switch|checkout|add|rm|mv|push)$/;

/** Texts in which a program may be named that is started after all. The verb of a program is none. */
export function mentionedIn(name: string, args: readonly Arg[]): readonly string[] {
  const words = args.filter((arg) => arg.literal).map((arg) => arg.text);
  if (name === "git" && SAYS.test(words[0] ?? "")) return [];
  return words.filter((word, i) => i > 0 || !/^\w[\w-]*$/.test(word));
}

/** The words of a text, without their folders. */
export function namesIn(text: string): readonly string[] {
  return text.split(/[\s;&|()<>'"`$={},!:[\]]+/).map((word) => word.replace(/^.*\//, ""));
}
