// Three small languages inside arguments: sed, awk, jq. Each is safe only where it provably just prints; the proofs are narrow
// on purpose.
import { isOption } from "./flags.ts";
import { type PartRisk, risky, safe, unknown } from "./risk.ts";
import type { Arg } from "./words.ts";

/** One address: a line, the last line, a pattern without newlines. */
const ADDRESS = String.raw`(?:\d+(?:~\d+)?|\$|/(?:[^/\\\n]|\\.)*/I?)`;
const SED_PLAIN = new RegExp(
  String.raw`^\s*(?:${ADDRESS}(?:\s*,\s*(?:${ADDRESS}|[+~]\d+))?)?\s*!?\s*(?:[pdqQ=lnNhHgGxD]|[qQ]\s*\d+|s([/|#,:@])(?:(?!\1)[^\\\n]|\\.)*\1(?:(?!\1)[^\\\n]|\\.)*\1[gpIiM0-9]*|y/(?:[^/\\\n]|\\.)*/(?:[^/\\\n]|\\.)*/)?\s*$`,
);

/** sed prints unless it edits in place, or its script has w, r, e, or the flags of those. */
export function sed(args: readonly Arg[], id: string): PartRisk {
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
  if (scripts.length === 0) scripts.push(...words.slice(0, 1));
  if (scripts.length === 0) return unknown(id, "without a script");
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
export function awk(args: readonly Arg[], id: string): PartRisk {
  let i = 0;
  for (; i < args.length; i += 1) {
    const arg = args[i];
    if (!arg || arg.wild) return unknown(id, "its program shows only when it runs");
    if (!isOption(arg)) break;
    if (arg.literal && /^-F/.test(arg.text)) i += arg.text === "-F" ? 1 : 0;
    else if (arg.literal && arg.text === "-v" && /^[a-z]\w*=[\w.,:%/-]*$/.test(args[i + 1]?.text ?? "")) i += 1;
    else return unknown(id, `option ${arg.text} is not known to be harmless`);
  }
  const program = args[i];
  if (!program?.literal) return unknown(id, "its program shows only when it runs");
  if (args.slice(i + 1).some((arg) => arg.wild || isOption(arg) || /^\w+=/.test(arg.prefix)))
    return unknown(id, "an argument could become code");
  if (/\bsystem\s*\(/.test(program.text)) return risky(`${id}.system`, "destructive", "starts a program");
  // Without a parser we cannot tell strings and patterns from code, so nothing in them is excused.
  const text = program.text;
  const writes = /(?<!\|)\|(?!\|)|getline|@|ENVIRON|PROCINFO|`/.test(text);
  const compares = !text.includes(">") || /^[^{}"/>]*>=?[^{}"/>]*(?:\{[^>]*)?$/.test(text);
  return !writes && compares ? safe(id) : unknown(id, "its program may write or start something");
}

/** jq writes nothing and starts nothing; it can show the environment. */
export function jq(args: readonly Arg[], id: string): PartRisk {
  const shows = args.find((arg) => /\benv\b|\$ENV|\binput_filename\b|\bhalt_error\b|\$__prog/.test(arg.text));
  if (shows) return unknown(id, "may show the environment");
  const odd = args.find(
    (arg) =>
      /^(?:-L|--library-path|--from-file|--run-tests|--debug|-[A-Za-z]*f)/.test(arg.prefix) ||
      (isOption(arg) && !arg.literal),
  );
  return odd ? unknown(id, `${odd.text} reads a program from a file`) : safe(id);
}
