// What another machine answers, over either way. It is read, never believed: bounded before it is parsed, and in our own form after.
import * as z from "zod";
import { type Fault, fault, isFault } from "../../core/base/fault.ts";
import { farJson } from "./far-json.ts";
import { unanswered } from "./unanswered.ts";

/** More than any answer has; a screen's whole past comes in pages. */
const ANSWER_BYTES_MAX = 32 << 20;
/** Asked for all the time, by nobody in particular: five thousand sessions, and what a daemon reads between two keys. */
const LISTS_BYTES_MAX = 4 << 20;
/** Of as many sessions. */
const LISTS_PARTS_MAX = 200_000;
const LISTS: ReadonlySet<string> = new Set(["pty_list", "approvals", "needs", "lists", "news"]);

/** How many bytes an answer to this may have. */
export function bytesMaxOf(op: string): number {
  return LISTS.has(op) ? LISTS_BYTES_MAX : ANSWER_BYTES_MAX;
}

const RefusalForm = z.object({
  error: z.object({
    code: z
      .string()
      .max(60)
      .regex(/^[a-z]+(?:_[a-z]+)*(?:\.[a-z_]+)?$/),
    message: z.string().max(4_000),
    hint: z.string().max(4_000),
    approval_id: z.string().max(100).optional(),
  }),
});

interface FarAnswer {
  readonly status: number;
  readonly body: Uint8Array | string;
}

/** What was asked for, or the refusal of that machine. */
export function readAnswer(name: string, op: string, { status, body }: FarAnswer): object | Fault {
  const json = farJson(body, LISTS.has(op) ? LISTS_PARTS_MAX : undefined);
  if (typeof json !== "object" || json === null) return strangeAnswer(name, op);
  // A refusal has its own status. One that looks like ours is no answer.
  if (status === 200) return isFault(json) ? strangeAnswer(name, op) : json;
  const said = RefusalForm.safeParse(json).data;
  if (!said) return strangeAnswer(name, op);
  const { code, message, hint, approval_id } = said.error;
  return { ...fault(code as Fault["code"], message, hint), ...(approval_id !== undefined && { approval_id }) };
}

export function strangeAnswer(name: string, op: string): Fault {
  return fault("host.refused", `${name} answered in a form that is not ours`, unanswered(op));
}

/** What we answer another machine, with a status as over HTTP. */
export function packed(answer: object): [number, Uint8Array] {
  const isWrong = isFault(answer) || "error" in answer;
  const { fault: _, ...error } = isFault(answer) ? answer : { fault: true, ...Object(answer) };
  return [isWrong ? 400 : 200, Buffer.from(JSON.stringify(isFault(answer) ? { error } : answer))];
}
