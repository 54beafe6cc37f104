// find: a language of predicates, some of which delete, write or start programs.

import { mayRead } from "./places.ts";
import { hidden, type PartRisk, risky, safe, unknown, worse } from "./risk.ts";
import type { Starts } from "./spec.ts";
import type { Arg } from "./words.ts";

/** Read-only predicates, with the number of their words. */
const TESTS: Readonly<Record<string, number>> = counted(
  "-true -false -print -print0 -ls -prune -quit -empty -readable -writable -executable -depth -d -daystart -follow -mount -xdev -noleaf -warn -nowarn -nouser -nogroup -not -and -or -a -o -H -L -P -E -X -x -s -ignore_readdir_race ! ( ) ,",
  0,
  "-name -iname -path -ipath -wholename -iwholename -lname -ilname -regex -iregex -regextype -type -xtype -size -mtime -atime -ctime -mmin -amin -cmin -newer -anewer -cnewer -perm -user -group -uid -gid -maxdepth -mindepth -links -inum -samefile -fstype -printf -used -newermt -newerct -newerat -newerBt -Bmin -Btime -context",
  1,
);

function counted(none: string, noWords: number, one: string, oneWord: number): Record<string, number> {
  const entries = [
    ...none.split(" ").map((name) => [name, noWords] as const),
    ...one.split(" ").map((name) => [name, oneWord] as const),
  ];
  return Object.fromEntries(entries);
}

export function find(args: readonly Arg[], id: string, starts: Starts): PartRisk {
  let verdict: PartRisk = safe(id);
  for (let i = 0; i < args.length; i += 1) {
    const arg = args[i];
    if (!arg) break;
    if (arg.wild) {
      verdict = worse(verdict, hidden(id, `${arg.text} could become -delete or -exec`));
      continue;
    }
    const text = arg.prefix;
    if (/^-(?:exec|execdir|ok|okdir)$/.test(text)) {
      const end = args.findIndex(
        (other, at) => at > i && (other.text === ";" || (other.text === "+" && args[at - 1]?.text === "{}")),
      );
      const words = args.slice(i + 1, end < 0 ? args.length : end);
      const inner = starts.command(words.map(found), { assigns: false });
      verdict = worse(verdict, end < 0 ? worse(unknown(id, "a command without its end"), inner) : inner);
      i = end < 0 ? args.length : end;
    } else if (text === "-delete")
      verdict = worse(verdict, risky(`${id}.delete`, "destructive", "deletes what it finds"));
    else if (/^-(?:fprint|fprint0|fprintf|fls)$/.test(text))
      verdict = worse(verdict, risky(`${id}.write`, "destructive", "writes a file"));
    else if (!/^[-!(),]/.test(text)) {
      if (!mayRead(arg, starts.root)) verdict = worse(verdict, unknown(id, `${arg.text} is not in the workspace`));
    } else {
      const words = TESTS[text];
      const value = words === 1 ? args[i + 1] : undefined;
      if (words === undefined || !arg.literal || (words === 1 && !value?.literal))
        verdict = worse(verdict, hidden(id, `${value?.text ?? arg.text} is not known to be harmless`));
      else i += words;
    }
  }
  return verdict;
}

/** What find inserts: a path that begins with its start folder, so never an option. */
function found(arg: Arg): Arg {
  if (!arg.literal || !arg.text.includes("{}")) return arg;
  return {
    ...arg,
    literal: false,
    prefix: arg.text === "{}" ? "./" : arg.text.slice(0, arg.text.indexOf("{}")),
    wild: arg.text.startsWith("-"),
    filled: arg.text === "{}",
  };
}
