// The command line. Starts fast: what a verb does not need is not loaded.
import fs from "node:fs";
import { CallError, call } from "../client/client.ts";
import { isAbsent, startDaemon, unixTransport } from "../client/local.ts";
import { EXIT, exitCodeOf } from "../protocol/plain/exit.ts";
import { type Common, parseVerb, UsageError } from "./args.ts";
import { identityFrom, localHome } from "./identity.ts";
import { printAnswer } from "./print/print.ts";
import { loadVerbs, type Verb } from "./verbs.ts";

// Whoever reads us may stop reading: `duetty ls | head -1`.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? EXIT.ok : EXIT.error));
}

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error) => {
    process.exitCode = fail(error, process.argv.includes("--json"));
  },
);

async function main([word, ...words]: string[]): Promise<number> {
  if (word === undefined) return (await import("./verbs/page.ts")).openPage(localHome());
  if (word === "--version" || word === "-V") return say((await import("../protocol/plain/version.ts")).VERSION);
  const verbs = loadVerbs();
  if (word === "help" || word === "--help" || word === "-h") return help(verbs, words[0]);
  if (word === "attach" || word === "replay" || word === "serve" || word === "setup" || word === "mcp")
    return local(word, words);
  const verb = verbs.find((known) => known.verb === word);
  if (!verb) throw new UsageError(`no verb "${word}"; duetty --help lists them`);
  const own = words.includes("--") ? words.slice(0, words.indexOf("--")) : words;
  const fromStdin = verb.op === "explain" && own.includes("--stdin");
  const { common, input } = parseVerb(verb, fromStdin ? words.filter((one) => one !== "--stdin") : words);
  if (common.help) return help(verbs, verb.verb);
  return run(verb, input, common, fromStdin);
}

async function run(verb: Verb, input: Record<string, unknown>, common: Common, fromStdin: boolean): Promise<number> {
  const home = localHome();
  if (verb.op === "ask") return (await import("./ask/ask.ts")).askAgent(home, input, common);
  const transport = unixTransport(home, () => identityFrom(home, common.as));
  if (verb.op === "run_command" || verb.op === "run_tests") placeCommand(verb, input);
  if (verb.op === "trust" && input.cwd !== undefined)
    input.cwd = (await import("node:path")).resolve(String(input.cwd));
  if (["pty_open", "run_command", "run_tests"].includes(verb.op) && (input.cwd !== undefined || !input.session_id))
    input.cwd = (await import("node:path")).resolve(String(input.cwd ?? "."));
  if (verb.op === "report" && !common.json) input.format ??= "markdown";
  if (["pty_open", "run_command", "agent_control", "agents"].includes(verb.op)) input.base_env = process.env;
  const ask = (body: object) => call(transport, verb.op, body);
  const answer = async () =>
    fromStdin
      ? (await import("./verbs/explain.ts")).explainStdin(ask)
      : printAnswer(verb.op, await ask(input), common, ask);
  try {
    // Asked before standard input is read: a daemon may have to be started first.
    if (fromStdin) await ask({ command: "true" });
    return await answer();
  } catch (error) {
    if (verb.op === "shutdown" && isAbsent(error) && !fs.existsSync(home.holderSocket))
      return say("nothing is running");
    if (error instanceof CallError && error.code === "version.mismatch") {
      // Sessions live in the holder: an older or newer daemon is replaced under them.
      await call(transport, "shutdown", { keep_sessions: true });
    } else if (!isAbsent(error)) throw error;
  }
  await startDaemon(home);
  return answer();
}

/** `run 'ls -l'` names no session: the one word is the command. */
function placeCommand(verb: Verb, input: Record<string, unknown>): void {
  if (verb.op !== "run_command" || input.command !== undefined || input.resume !== undefined) return;
  if (input.session_id === undefined) throw new UsageError("run needs a command (duetty run --help)");
  input.command = input.session_id;
  delete input.session_id;
}

async function local(verb: "attach" | "replay" | "serve" | "setup" | "mcp", words: string[]): Promise<number> {
  if (words.includes("--help") || words.includes("-h")) return help(loadVerbs(), verb);
  if (verb === "serve") return (await import("./verbs/serve.ts")).serveHere(localHome());
  if (verb === "setup") return (await import("./setup/setup.ts")).setup(words);
  if (verb === "mcp") return (await import("./verbs/mcp.ts")).serveMcp(localHome(), words);
  if (verb === "replay") return (await import("./replay/replay.ts")).replay(localHome(), words);
  return (await import("./attach/attach.ts")).attach(localHome(), words);
}

async function help(verbs: readonly Verb[], word: string | undefined): Promise<number> {
  const { helpAll, helpLocal, helpVerb } = await import("./help.ts");
  const verb = verbs.find((known) => known.verb === word);
  if (verb) return say(helpVerb(verb));
  return say((word && helpLocal(word)) || helpAll(verbs));
}

function say(text: string): number {
  process.stdout.write(`${text}\n`);
  return EXIT.ok;
}

function fail(error: unknown, json: boolean): number {
  const known =
    error instanceof CallError
      ? { code: error.code, message: error.message, hint: error.hint }
      : error instanceof UsageError
        ? { code: "input.invalid", message: error.message, hint: "" }
        : { code: "internal", message: error instanceof Error ? error.message : String(error), hint: "" };
  if (json) process.stdout.write(`${JSON.stringify({ error: known })}\n`);
  process.stderr.write(`duetty: ${known.message}\n${known.hint ? `  ${known.hint}\n` : ""}`);
  return exitCodeOf(known.code);
}
