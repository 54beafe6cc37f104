// What an agent knows: what was said, what it did, and the results. Data only; the transcript on disk is the truth.

export interface ToolCall {
  readonly id: string;
  readonly tool: string;
  readonly args: unknown;
}

export type Entry =
  | { readonly role: "person"; readonly text: string }
  | { readonly role: "agent"; readonly text: string; readonly calls: readonly ToolCall[] }
  | {
      readonly role: "observation";
      readonly call_id: string;
      readonly tool: string;
      readonly ok: boolean;
      readonly text: string;
      /** How the agent can read it again when it was cut from the history. */
      readonly again: string | null;
    };

const NOTE = "[The person gave the keyboard back and says] ";

/** A person's words in the middle of a turn. They are no new task. */
export function personNote(note: string): Entry {
  return { role: "person", text: `${NOTE}${note}` };
}

export function isPersonNote({ role, text }: Entry): boolean {
  return role === "person" && text.startsWith(NOTE);
}

export type AgentReply = Extract<Entry, { role: "agent" }>;
export type Observation = Extract<Entry, { role: "observation" }>;
