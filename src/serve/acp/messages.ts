// The parts of session/update and tool calls that we use. We read them with tolerance, because agents have many
// versions. Unknown parts are left out and are never an error.
import * as z from "zod";
import { clipped } from "../../core/base/head-tail.ts";

const Block = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  uri: z.string().optional(),
  resource: z.looseObject({ uri: z.string().optional(), text: z.string().optional() }).optional(),
});

const ToolContent = z.looseObject({
  type: z.string(),
  content: Block.optional(),
  path: z.string().optional(),
  oldText: z.string().nullish(),
  newText: z.string().optional(),
  terminalId: z.string().optional(),
});
export type ToolContent = z.output<typeof ToolContent>;

export const ToolFields = z.looseObject({
  toolCallId: z.string(),
  title: z.string().nullish(),
  name: z.string().nullish(),
  kind: z.string().nullish(),
  status: z.string().nullish(),
  content: z.array(ToolContent).nullish().catch(null),
  rawInput: z.unknown().optional(),
  rawOutput: z.unknown().optional(),
  _meta: z.unknown().optional(),
});
export type ToolFields = z.output<typeof ToolFields>;

const Chunk = { content: Block, messageId: z.string().nullish() };
const PlanEntry = z.looseObject({ content: z.string(), status: z.enum(["pending", "in_progress", "completed"]) });

const Update = z.discriminatedUnion("sessionUpdate", [
  z.looseObject({ sessionUpdate: z.literal("agent_message_chunk"), ...Chunk }),
  z.looseObject({ sessionUpdate: z.literal("agent_thought_chunk"), ...Chunk }),
  z.looseObject({ sessionUpdate: z.literal("plan"), entries: z.array(PlanEntry) }),
  ToolFields.extend({ sessionUpdate: z.literal("tool_call") }),
  ToolFields.extend({ sessionUpdate: z.literal("tool_call_update") }),
]);
export type Update = z.output<typeof Update>;

const Notification = z.looseObject({ update: Update });

/** Undefined for what we do not know, or do not show. */
export function readUpdate(params: unknown): Update | undefined {
  return Notification.safeParse(params).data?.update;
}

export function textOfBlock({ type, text, uri, resource }: z.output<typeof Block>): string {
  return text ?? resource?.text ?? uri ?? resource?.uri ?? `[${type}]`;
}

/** What a tool answered, or wants to do, as text. */
export function textOfContent(content: readonly ToolContent[]): string {
  return content.map(textOfPart).join("\n");
}

function textOfPart(part: ToolContent): string {
  if (part.content) return textOfBlock(part.content);
  if (part.type === "terminal") return `[terminal ${part.terminalId ?? ""}]`;
  if (part.type !== "diff") return `[${part.type}]`;
  const lines = (text: string, sign: string) => text.split("\n").map((line) => `${sign}${line}`);
  const removed = part.oldText ? lines(part.oldText, "-") : [];
  return [part.path ?? "", ...removed, ...lines(part.newText ?? "", "+")].join("\n");
}

export function oneLine(text: string, charsMax: number): string {
  return clipped(text.replace(/\s+/g, " ").trim(), charsMax);
}

/** Null for nothing or an empty object, because some agents begin with that and fill it later. */
export function textOfValue(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value === "string") return value === "" ? null : value;
  const text = JSON.stringify(value, null, 1);
  return text === "{}" || text === "[]" ? null : text;
}
