// Three small languages inside arguments: sed, awk, jq. Each is safe only where it provably just prints; the proofs are narrow
// on purpose.
import { isOption } from "./flags.ts";
import { mayRead } from "./places.ts";
import { type PartRisk, risky, safe, unknown } from "./risk.ts";
import type { Starts } from "./spec.ts";
import type { Arg } from "./words.ts";

/** One address: a line, the last line, a pattern without newlines. */
const ADDRESS = String.raw`(?:\d+(?:~\d+)?|\$|/(?:[^/\\\n]|\\.)*/I?)`;
const SED_PLAIN = new RegExp(
  String.raw`^\s*(?:${ADDRESS}(?:\s*,\s*(?:${ADDRESS}|[+~]\d+))?)?\s*!?\s*(?:[pdqQ=lnNhHgGxD]|[qQ]\s*\d+|s([/|#,:@])(?:(?!\1)[^\\\n]|\\.)*\1(?:(?!\1)[^\\\n]|\\.)*\1[gpIiM0-9]*|y/(?:[^/\\\n]|\\.)*/(?:[^/\\\n]|\\.)*/)?\s*$`,
);

/** sed prints unless it edits in place, or its script has w, r, e, or the flags of those. */
export function sed(args: readonly Arg[], id: string, { root }: Pick<Starts, "root">): PartRisk {
  const inPlace = args.some((arg) => /^(?:-[nErsuz]*[iI]|--in-place)/.test(arg.prefix));
  if (inPlace) return unknown(`${id}.in-place`, "edits files in place");
  const scripts: Arg[] = [];
  const words: Arg[] = [];
  for (let i = 0; i < args.length; i += 1) {
    const arg = args[i];
    if (!arg) break;
    if (arg.wild) return unknown(id, `${arg.text} could become an option`);
    if (!isOption(arg)) words.push(arg);
    else if (/^(?:-[nErsuz]*e|--expression)$/.test(arg.text)) {
      i += 1;
      scripts.push(...args.slice(i, i + 1));
    } else if (/^--expression=/.test(arg.text) && arg.literal) scripts.push({ ...arg, text: arg.text.slice(13) });
    else if (
      !/^(?:-[nErsuz]+|--quiet|--silent|--regexp-extended|--separate|--unbuffered|--null-data|--posix|--sandbox)$/.test(
        arg.text,
      )
    ) {
      return unknown(id, `option ${arg.text} is not known to be harmless`);
    }
  }
  const named = scripts.length > 0;
  if (!named) scripts.push(...words.slice(0, 1));
  if (scripts.length === 0) return unknown(id, "without a script");
  const odd = words.slice(named ? 0 : 1).find((arg) => !mayRead(arg, root));
  if (odd) return unknown(id, `${odd.text} is not a file in the workspace`);
  return scripts.every((script) => script.literal && sedPrints(script.text))
    ? safe(id)
    : unknown(id, "its script may write or start something");
}

function sedPrints(script: string): boolean {
  if (script.length > 500) return false;
  return SED_PLAIN.test(script) || splitSed(script).every((one) => SED_PLAIN.test(one));
}

/** Commands separated by ";" or newlines, as long as no pattern holds one. */
function splitSed(script: string): readonly string[] {
  return /^[\w\s;,$=pdq]+$/.test(script) ? script.split(/[;\n]/) : [script];
}

/** Fields, comparisons and print, without calls, pipes, files or assignments of special variables. */
export function awk(args: readonly Arg[], id: string, { root }: Pick<Starts, "root">): PartRisk {
  let i = 0;
  for (; i < args.length; i += 1) {
    const arg = args[i];
    if (!arg || arg.wild) return unknown(id, "its program can only be seen when it runs");
    if (!isOption(arg)) break;
    const value = args[i + 1]?.literal ? args[i + 1]?.text : undefined;
    if (arg.literal && arg.text === "-F" && value !== undefined) i += 1;
    else if (arg.literal && /^-F./.test(arg.text)) continue;
    else if (arg.literal && arg.text === "-v" && /^[a-z]\w*=[\w.,:%/-]*$/.test(value ?? "")) i += 1;
    else return unknown(id, `option ${arg.text} is not known to be harmless`);
  }
  const program = args[i];
  if (!program?.literal) return unknown(id, "its program can only be seen when it runs");
  const rest = args.slice(i + 1);
  if (rest.some((arg) => (arg.wild && !arg.filled) || isOption(arg) || /^\w+=/.test(arg.prefix)))
    return unknown(id, "an argument could become code");
  if (!rest.every((arg) => mayRead(arg, root))) return unknown(id, "reads what is not a file in the workspace");
  const text = program.text;
  if (/system/.test(text)) return risky(`${id}.system`, "destructive", "starts a program");
  // Without a parser we cannot tell strings and patterns from code, so nothing in them is excused.
  const writes = /(?<!\|)\|(?!\|)|getline|@|ENVIRON|PROCINFO|ARG[VC]|`|\\\s*\n/.test(text);
  const compares = !text.includes(">") || /^[^{}"/>]*>=?[^{}"/>]*(?:\{[^>]*)?$/.test(text);
  return !writes && compares ? safe(id) : unknown(id, "its program may write or start something");
}

const JQ_SWITCH =
  /^-[rcesnMCSRja]+$|^--(?:raw-output|compact-output|exit-status|slurp|null-input|monochrome-output|color-output|sort-keys|raw-input|join-output|ascii-output|tab|stream|seq)$/;

/** jq writes nothing and starts nothing; it can show the environment and read other files. */
export function jq(args: readonly Arg[], id: string, { root }: Pick<Starts, "root">): PartRisk {
  const words: Arg[] = [];
  for (let i = 0; i < args.length; i += 1) {
    const arg = args[i];
    if (!arg) break;
    if (!isOption(arg)) words.push(arg);
    else if (/^--(?:arg|argjson)$/.test(arg.text) && args[i + 2]?.splits === false) i += 2;
    else if (arg.text === "--indent" && args[i + 1]?.literal) i += 1;
    else if (!arg.literal || !JQ_SWITCH.test(arg.text))
      return unknown(id, `option ${arg.text} is not known to be harmless`);
  }
  const [filter, ...files] = words;
  if (!filter?.literal) return unknown(id, "its filter can only be seen when it runs");
  if (/\benv\b|\$ENV|\binput_filename\b|\bhalt_error\b|\$__prog|\b(?:import|include|modulemeta)\b/.test(filter.text))
    return unknown(id, "may show the environment, or read other files");
  const odd = files.find((arg) => !mayRead(arg, root));
  return odd ? unknown(id, `${odd.text} is not a file in the workspace`) : safe(id);
}
