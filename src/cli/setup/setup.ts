// `duetty setup`: tells a coding agent's program about duetty, by one entry in its configuration file. Shows the change,
// asks, writes. Owns: the conversation. Refuses: to start those programs, and to write without a yes.
import { homedir } from "node:os";
import { join } from "node:path";
import { CallError } from "../../client/client.ts";
import { EXIT } from "../../protocol/plain/exit.ts";
import { homeOf } from "../../protocol/plain/home.ts";
import { UsageError } from "../args.ts";
import { withClient, withoutClient } from "../client-tokens.ts";
import { parseLocal } from "../local-args.ts";
import { inert } from "../text/harmless.ts";
import { isYes } from "../text/yes.ts";
import {
  CLIENT_NAMES,
  CLIENTS,
  type ClientName,
  HOME_VARIABLE,
  type McpClient,
  type Place,
  quoted,
  type Scope,
} from "./clients.ts";
import { coloured, unifiedDiff } from "./diff.ts";
import { type Change, readText, shownName, write } from "./files.ts";
import { SyntaxFault } from "./jsonc.ts";
import { listClients } from "./list.ts";
import { commandFor, homeFor, SKILL, skillText } from "./own.ts";
import { entryOf, snippet, withEntry, withoutEntry } from "./plan.ts";

interface SetupRequest {
  readonly name: ClientName;
  readonly client: McpClient;
  readonly scope: Scope;
  readonly task: "add" | "remove";
  readonly consent: "given" | "ask";
  readonly json: boolean;
  readonly skill: boolean;
  readonly place: Place;
}

export async function setup(words: string[]): Promise<number> {
  const { values, positionals } = parseLocal("setup", words);
  const place = { home: homedir(), cwd: process.cwd(), env: process.env, platform: process.platform };
  const [name] = positionals;
  if (name === undefined) return listClients(place, values.json ? "json" : "text");
  if (!isClient(name)) throw new UsageError(`no client "${name}"; there are ${CLIENT_NAMES.join(", ")}`);
  const scope = values.scope ?? "user";
  if (scope !== "user" && scope !== "project") throw new UsageError(`--scope is user or project, not "${scope}"`);
  const request: SetupRequest = {
    name,
    client: CLIENTS[name],
    scope,
    task: values.remove ? "remove" : "add",
    consent: values.yes ? "given" : "ask",
    json: values.json === true,
    skill: values.skill === true,
    place,
  };
  if (values.print) return print(request);
  if (process.env.DUETTY_SESSION_ID === undefined) return carryOut(request);
  const hint = "Run it in a terminal that was not started from inside duetty. --print shows what it would write.";
  throw new CallError({ code: "role.inside", message: "a client is set up by a person, outside duetty", hint });
}

function isClient(name: string): name is ClientName {
  return CLIENT_NAMES.some((known) => known === name);
}

/** The snippet on standard output, what to do with it on standard error: `--print > file` gives a good file. */
function print({ name, client, scope, place, json, skill }: SetupRequest): number {
  const [command, home] = [commandFor(name, place), homeFor(place)];
  const file = fileOf(client, scope, place);
  const env = home === undefined ? undefined : `${HOME_VARIABLE}=${quoted(home)}`;
  const oneLiner = client.oneLiner?.({ command, scope, env, entry: entryOf(client, command, home) });
  const text = snippet(client, command, home);
  const copy = skill ? { from: SKILL, to: skillFile(client, scope, place) } : null;
  if (json)
    return say(JSON.stringify({ client: name, scope, file, snippet: text, one_liner: oneLiner ?? null, skill: copy }));
  say(text);
  const hints = [
    `\nPaste it into ${shownName(file, place)}.`,
    ...(oneLiner ? [`Or run:\n  ${oneLiner}`] : []),
    ...(copy ? [`Its skill: copy ${shownName(copy.from, place)}\n  to ${shownName(copy.to, place)}`] : []),
  ];
  process.stderr.write(`${inert(hints.join("\n"))}\n`);
  return EXIT.ok;
}

async function carryOut(request: SetupRequest): Promise<number> {
  const { client, task, scope, place } = request;
  const changes = changesOf(request);
  const diff = changes.map((change) => diffOf(change, place)).join("\n");
  const already = task === "add" ? "already set up" : "not set up";
  if (changes.length === 0) {
    remember(request);
    const file = fileOf(client, scope, place);
    return answer(request, "unchanged", changes, diff, `${client.title}: ${already} (${shownName(file, place)})`);
  }
  if (!request.json) say(process.stdout.isTTY && !process.env.NO_COLOR ? coloured(diff) : diff);
  if (request.consent === "ask") {
    if (request.json) {
      answer(request, "unconfirmed", changes, diff, "");
      return EXIT.usage;
    }
    if (!process.stdin.isTTY || !process.stdout.isTTY) {
      const hint = "Nothing was written. With --yes it is written without a question.";
      throw new CallError({
        code: "input.invalid",
        message: "setup asks before it writes, and there is nobody to ask",
        hint,
      });
    }
    if (!(await isYes("\nWrite it? [y/N] "))) {
      say("Nothing was written.");
      return EXIT.error;
    }
  }
  for (const change of changes) write(change, scope === "user" ? "private" : "shared");
  remember(request);
  const done = task === "add" ? `${client.title} is set up. ${client.check}` : `${client.title}: taken out.`;
  return answer(request, "written", changes, diff, `\n${done}${hintOf(request)}`);
}

/** Writes down that a person set this client up, with a token that carries its name; or that they took it out. */
function remember({ name, task, place }: SetupRequest): void {
  const file = homeOf({ ...place.env, HOME: place.home }).clients;
  const before = readText(file);
  const after = task === "add" ? withClient(before, name) : withoutClient(before, name);
  if (after !== before) write({ file, before, after }, "private");
}

function changesOf({ name, client, scope, task, skill, place }: SetupRequest): Change[] {
  const [command, home] = [commandFor(name, place), homeFor(place)];
  const file = fileOf(client, scope, place);
  const before = readText(file);
  const after = understood(file, before ?? "", place, () =>
    task === "add"
      ? withEntry(client, before ?? "", command, home)
      : before === undefined
        ? undefined
        : withoutEntry(client, before, command, home),
  );
  return [{ file, before, after }, ...skillChange({ client, scope, task, skill, place })].filter(
    (change) => change.before !== change.after,
  );
}

function skillChange({ client, scope, task, skill, place }: Omit<SetupRequest, "name" | "consent" | "json">): Change[] {
  if (!skill && (task === "add" || !client.skills)) return [];
  const file = skillFile(client, scope, place);
  return [{ file, before: readText(file), after: task === "add" ? skillText() : undefined }];
}

function skillFile(client: McpClient, scope: Scope, place: Place): string {
  if (!client.skills) throw new UsageError(`${client.title} has no folder for skills`);
  return join(client.skills(scope, place), "duetty/SKILL.md");
}

/** A file that is not what it should be is an expected failure, with the line. */
function understood<T>(file: string, text: string, place: Place, edit: () => T): T {
  try {
    return edit();
  } catch (error) {
    if (!(error instanceof SyntaxFault)) throw error;
    const row = text.slice(0, error.at).split("\n").length;
    throw new CallError({
      code: "setup.unreadable",
      message: `${shownName(file, place)}, line ${row}: ${error.message}`,
      hint: "Nothing was written. Fix the file, or see --print for what to paste.",
    });
  }
}

function fileOf(client: McpClient, scope: Scope, place: Place): string {
  const files = client.files(scope, place);
  return files.find((file) => readText(file) !== undefined) ?? files[0] ?? "";
}

function diffOf({ file, before, after }: Change, place: Place): string {
  const name = shownName(file, place);
  // A new skill would push the other change off the screen.
  if (file.endsWith("SKILL.md") && (before === undefined || after === undefined)) {
    const lines = (after ?? before ?? "").split("\n").length - 1;
    return `${after === undefined ? "---" : "+++"} ${name} (${lines} lines)`;
  }
  return unifiedDiff(name, before, after);
}

function hintOf({ name, client, task, skill, scope, place }: SetupRequest): string {
  if (task === "remove") return "";
  const isHere = scope === "project" && commandFor(name, place)[0] !== "duetty";
  const isElsewhere = scope === "project" && homeFor(place) !== undefined;
  const hints = [
    ...(scope === "project" && name === "codex" ? ["Codex reads a project's file once it trusts the folder."] : []),
    ...(isHere ? ["It names paths of this machine; npm link, then setup again, avoids that."] : []),
    ...(isElsewhere ? [`It names ${HOME_VARIABLE}, which is a folder of this machine.`] : []),
    ...(skill || !client.skills ? [] : [`To use it without MCP, too: duetty setup ${name}${flagOf(scope)} --skill`]),
  ];
  return hints.map((hint) => `\n${hint}`).join("");
}

function flagOf(scope: Scope): string {
  return scope === "user" ? "" : " --scope project";
}

function answer(request: SetupRequest, status: string, changes: readonly Change[], diff: string, text: string): number {
  if (!request.json) return say(text);
  const files = changes.map(({ file }) => file);
  return say(JSON.stringify({ client: request.name, scope: request.scope, status, files, diff }));
}

function say(text: string): number {
  process.stdout.write(`${text}\n`);
  return EXIT.ok;
}
