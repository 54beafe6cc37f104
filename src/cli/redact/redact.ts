// `duetty redact`: standard input without secrets. No daemon is asked. Large input flows through; an unfinished line is shown when
// nothing came for a moment.
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import { CallError } from "../../client/client.ts";
import { isFault } from "../../core/base/fault.ts";
import { LABEL_KEY_BYTES, labels } from "../../core/redact/labels.ts";
import { Redactor } from "../../core/redact/redactor.ts";
import { type Rules, redactRules } from "../../core/redact/rules.ts";
import { STREAM_HOLD_MS } from "../../core/redact/stream.ts";
import { EXIT } from "../../protocol/plain/exit.ts";
import type { Home } from "../../protocol/plain/home.ts";
import { parseLocal } from "../local-args.ts";
import { json, rawOutput } from "../text/output.ts";

export async function redact(home: Home, words: readonly string[]): Promise<number> {
  const { json: asJson = false } = parseLocal("redact", words).values;
  const stream = new Redactor({ label: labels(randomBytes(LABEL_KEY_BYTES)), rules: rulesIn(home.config) }).bytes();
  const write = rawOutput();
  const put = async (part: Uint8Array) => {
    if (!asJson && part.length > 0) await write(part);
  };
  const spans: object[] = [];
  const note = () => {
    for (const { kind, from, to, mark } of stream.takeHidden()) if (mark !== "") spans.push({ kind, from, to, mark });
  };
  let [timer, length]: [NodeJS.Timeout | undefined, number] = [undefined, 0];
  for await (const chunk of process.stdin as AsyncIterable<Uint8Array>) {
    clearTimeout(timer);
    length += chunk.length;
    await put(stream.push(chunk));
    note();
    timer = setTimeout(() => void put(stream.flush()), STREAM_HOLD_MS);
  }
  clearTimeout(timer);
  await put(stream.end());
  note();
  if (asJson) json({ bytes: length, spans });
  return EXIT.ok;
}

/** The person's own rules. Wrong ones are told, because guessing would show what they wanted to hide. */
function rulesIn(path: string): Rules {
  const rules = redactRules(configIn(path)?.redact);
  if (isFault(rules)) throw new CallError({ ...rules, message: `${path}: ${rules.message}` });
  return rules;
}

function configIn(path: string): { readonly redact?: unknown } | undefined {
  if (!fs.existsSync(path)) return undefined;
  try {
    return JSON.parse(fs.readFileSync(path, "utf8"));
  } catch (error) {
    throw new CallError({
      code: "input.invalid",
      message: `${path} is not JSON: ${String(error)}`,
      hint: "Fix the file.",
    });
  }
}
