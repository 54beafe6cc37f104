// The command line. It starts fast, because it loads only what a verb needs.
import { CallError, call } from "../client/client.ts";
import { isRunning, localHome } from "../client/local.ts";
import { EXIT, exitCodeOf } from "../protocol/plain/exit.ts";
import type { Home } from "../protocol/plain/home.ts";
import type { LocalVerbName } from "../protocol/plain/local-verbs.ts";
import { type CommonFlags, parseVerb, UsageError } from "./args.ts";
import { connected } from "./connect.ts";
import { withPlace } from "./identity.ts";
import { printAnswer } from "./print/print.ts";
import { loadVerbs, type Verb } from "./verb-table.ts";

/** What runs on our side (protocol/plain/local-verbs.ts says how it is called). */
const LOCAL: Readonly<Record<LocalVerbName, (home: Home, words: string[]) => Promise<number>>> = {
  attach: async (home, words) => (await import("./attach/attach.ts")).attach(home, words),
  watch: async (home, words) => (await import("./watch/watch.ts")).watch(home, words),
  replay: async (home, words) => (await import("./replay/replay.ts")).replay(home, words),
  mcp: async (home, words) => (await import("./verbs/mcp.ts")).serveMcp(home, words),
  hook: async (home, words) => (await import("./verbs/hook.ts")).tellHook(home, words),
  serve: async (home, words) => (await import("./verbs/serve.ts")).serveHere(home, words),
  service: async (home, words) => (await import("./service/service.ts")).service(home, words),
  undo: async (home, words) => (await import("./undo/undo.ts")).undo(home, words),
  restore: async (home, words) => (await import("./restore/restore.ts")).restore(home, words),
  app: async (home, words) => (await import("./app/app.ts")).openApp(home, words),
  redact: async (home, words) => (await import("./redact/redact.ts")).redact(home, words),
  bridge: async (home) => (await import("./verbs/bridge.ts")).bridge(home),
  setup: async (_, words) => (await import("./setup/setup.ts")).setup(words),
};

// A reader may stop reading: `duetty ls | head -1`.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? EXIT.ok : EXIT.error));
}

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  async (error) => {
    process.exitCode = await fail(error, process.argv.includes("--json"));
  },
);

async function main([word, ...words]: string[]): Promise<number> {
  if (word === undefined) return (await import("./app/page.ts")).openPage(localHome());
  if (word === "--version" || word === "-V") return say((await import("../protocol/plain/version.ts")).VERSION);
  if (word === "--skill") return say((await import("./setup/own.ts")).skillText().trimEnd());
  if (word === "help" || word === "--help" || word === "-h") return help(words.join(" ") || undefined);
  const asksForHelp = words.includes("--help") || words.includes("-h");
  if (isLocal(word)) return asksForHelp ? help(word) : LOCAL[word](localHome(), words);
  const { verb, rest } = found(loadVerbs(), word, words);
  if (!verb) return help(word);
  const { common, input } = parseVerb(verb, rest);
  return common.help ? help(verb.verb) : run(verb, input, common);
}

/** A verb is one word, or two. Undefined: the first of two, and a question what there is. */
function found(
  verbs: readonly Verb[],
  word: string,
  words: readonly string[],
): { verb?: Verb; rest: readonly string[] } {
  const [next, ...rest] = words;
  // `hosts` is a verb, and so is `hosts add`.
  const two = verbs.find(({ verb }) => verb === `${word} ${next}`);
  if (two) return { verb: two, rest };
  const one = verbs.find(({ verb }) => verb === word);
  if (one) return { verb: one, rest: words };
  const seconds = verbs.flatMap(({ verb }) => (verb.startsWith(`${word} `) ? [verb.slice(word.length + 1)] : []));
  if (seconds.length === 0) throw new UsageError(`no verb "${word}"; duetty --help lists them`);
  if (next !== undefined && next !== "--help" && next !== "-h")
    throw new UsageError(`${word} takes ${seconds.join(", ")}, not "${next}" (duetty ${word} --help)`);
  return { rest };
}

function isLocal(word: string): word is LocalVerbName {
  return Object.hasOwn(LOCAL, word);
}

async function run(verb: Verb, given: Readonly<Record<string, unknown>>, common: CommonFlags): Promise<number> {
  const home = localHome();
  const dashed = verb.dash !== undefined && given[verb.dash] === "-" ? { [verb.dash]: await standardInput() } : {};
  const told = verb.typed || verb.file ? await (await import("./typed.ts")).withTyped(verb, given) : given;
  const input = { ...(common.json ? {} : verb.forText), ...withPlace(verb, told), ...dashed };
  if (verb.answer === "events") return (await import("./ask/ask.ts")).askAgent(home, input, common);
  if (verb.whenAbsent !== undefined && !(await isRunning(home))) return say(verb.whenAbsent);
  const transport = connected(home, common.as);
  const once = (body: object) => call(transport, verb.op, body);
  const ask = verb.typed ? async (body: object) => (await import("./typed.ts")).askedAgain(verb, body, once) : once;
  if (verb.lines && common.stdin) return (await import("./verbs/lines.ts")).answerLines(verb.lines, input, ask);
  return printAnswer(verb, input, common, ask);
}

async function standardInput(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

async function help(word: string | undefined): Promise<number> {
  const { helpAll, helpLocal, helpVerb } = await import("./help.ts");
  const verbs = loadVerbs();
  const verb = verbs.find((known) => known.verb === word);
  if (verb) return say(helpVerb(verb));
  const several = verbs.filter((known) => known.verb.startsWith(`${word} `));
  if (several.length > 0) return say(several.map(helpVerb).join("\n\n"));
  return say((word && helpLocal(word)) || helpAll(verbs));
}

function say(text: string): number {
  process.stdout.write(`${text}\n`);
  return EXIT.ok;
}

async function fail(error: unknown, json: boolean): Promise<number> {
  const known =
    error instanceof CallError
      ? { code: error.code, message: error.message, hint: error.hint }
      : error instanceof UsageError
        ? { code: "input.invalid", message: error.message, hint: "" }
        : { code: "internal", message: error instanceof Error ? error.message : String(error), hint: "" };
  const output = await import("./text/output.ts");
  if (json) output.json({ error: known });
  output.aside(`${known.message}${known.hint ? `\n  ${known.hint}` : ""}`);
  return exitCodeOf(known.code);
}
