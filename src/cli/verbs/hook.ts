// `duetty hook`: what an agent CLI calls by itself at a turn of its work, with the event as JSON: on standard input, or as its only
// argument. Tells the daemon a few short fields of it, for the session in which it runs. It starts nothing, prints nothing and always
// succeeds: an agent would take the text for its model, and a failure for a reason to stop.
import { clientOver } from "../../client/client.ts";
import { unixTransport } from "../../client/local.ts";
import { EXIT } from "../../protocol/plain/exit.ts";
import type { Home } from "../../protocol/plain/home.ts";
import { identityFrom } from "../identity.ts";
import { parseLocal } from "../local-args.ts";

/** The agent waits for us, and nothing is lost when it does not know. */
const TELL_MS_MAX = 2_000;
/** A last message can be long. What is longer than this is no event of an agent's. */
const EVENT_BYTES_MAX = 1 << 20;
const TEXT_CHARS_MAX = 300;
const NAME_CHARS_MAX = 100;

export async function tellHook(home: Home, words: string[]): Promise<number> {
  const [given] = parseLocal("hook", words).positionals;
  const event = eventIn(given ?? (await standardInput()));
  if (event) {
    const client = clientOver(unixTransport(home, () => identityFrom(home, undefined)));
    await client.hook(event, { signal: AbortSignal.timeout(TELL_MS_MAX) }).catch(() => undefined);
  }
  return EXIT.ok;
}

function eventIn(text: string) {
  const fields = fieldsIn(text);
  const field = (max: number, ...names: string[]) => {
    const value = names.map((name) => fields[name]).find((one) => typeof one === "string" && one !== "");
    return typeof value === "string" ? value.slice(0, max) : undefined;
  };
  const event = field(NAME_CHARS_MAX, "hook_event_name", "type");
  if (event === undefined) return undefined;
  const about = field(NAME_CHARS_MAX, "notification_type");
  const said = field(TEXT_CHARS_MAX, "message", "tool_name", "last_assistant_message", "last-assistant-message");
  const agent_session_id = field(NAME_CHARS_MAX, "session_id", "thread-id");
  return { event, ...defined({ about, text: said, agent_session_id }) };
}

function defined<T extends Record<string, string | undefined>>(fields: T) {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function fieldsIn(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

async function standardInput(): Promise<string> {
  if (process.stdin.isTTY) return "";
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of process.stdin) {
    parts.push(part);
    size += part.length;
    if (size > EVENT_BYTES_MAX) return "";
  }
  return Buffer.concat(parts).toString();
}
