// One verb of the product. HTTP route, OpenAPI entry, CLI command, client method and MCP tool derive from it.
import type * as z from "zod";

/** A file of src/cli/print that knows a text form. */
export type PrintRoom =
  | "session"
  | "screen"
  | "past"
  | "runs"
  | "gate"
  | "agent"
  | "restore"
  | "share"
  | "away"
  | "worktree"
  | "hosts"
  | "members";

/** How the CLI offers it: `verb` plus which input fields are positional; all others become flags. */
export interface CliForm {
  readonly verb: string;
  readonly args: readonly string[];
  readonly examples: readonly string[];
  /** This field takes everything after `--`. */
  readonly rest?: string;
  /** A single argument is this field, not the first of `args`, except beside `unless`: `run 'ls -l'`. One of both must be there. */
  readonly lone?: { readonly field: string; readonly unless: string };
  /** The values of this field are flags of their own: --cast instead of --format cast. */
  readonly choice?: string;
  /** Flags that are wait conditions; `prefix` stands before each name. They fill the input field `field`. */
  readonly conditions?: { readonly field: string; readonly prefix: "" | "wait-" };
  /** Fields that are an object, as flags: the flag, and the part that it fills. The flag of the field's own name may stand alone. */
  readonly parts?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Input fields that are not flags. */
  readonly hide?: readonly string[];
  /** Fields that the CLI adds: the folder it was called in (unless a session or a machine is named), its whole environment, its ssh-agent. */
  readonly adds?: readonly ("cwd" | "base_env" | "agent_socket")[];
  /** Input that the text form needs; with --json it is not sent. */
  readonly forText?: Readonly<Record<string, unknown>>;
  /** A flag that fills another field: --all as hosts: "all". */
  readonly also?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** `-` as this field is read from standard input. */
  readonly dash?: string;
  /** A secret: the flag of this field asks for it in the terminal. So does an answer that it is missing or wrong. `twice`: it is new. */
  readonly typed?: { readonly field: string; readonly twice?: true };
  /** The flag of this field names a file; the field is its text. */
  readonly file?: string;
  /** --stdin reads many, one JSON string per line, into this input field, and prints this output field line by line. */
  readonly lines?: { readonly into: string; readonly from: string };
  /** file: -o NAME writes the answer there. events: the CLI follows it to its end, one event after another. */
  readonly answer?: "file" | "events";
  /** Where its text form is; without one the answer is printed as JSON. */
  readonly print?: PrintRoom;
  /** What the CLI says when nothing is running; otherwise it starts a daemon. */
  readonly whenAbsent?: string;
}

/** Which tools a client is offered: those that look, also those that work, or all. */
export type McpTier = "readonly" | "drive" | "all";

/** How it is offered to models as a tool. */
export interface McpForm {
  readonly title: string;
  /** For a model: what it does, when to use it, what comes back; 60 words at most. */
  readonly description: string;
  /** The smallest tier that has it. */
  readonly tier: McpTier;
  /** Only for those who have other machines. */
  readonly needs?: "several";
  /** Clients that put tools aside until they are searched for keep these in sight. */
  readonly core?: true;
  readonly hints: {
    readonly readOnly?: true;
    readonly destructive?: true;
    readonly openWorld?: true;
  };
  /** Input fields that a model is not offered. */
  readonly hide?: readonly string[];
  /** Instead of the operation's own defaults. */
  readonly defaults?: Readonly<Record<string, unknown>>;
}

export interface Op<Name extends string, In extends z.ZodObject, Out extends z.ZodType> {
  readonly name: Name;
  readonly summary: string;
  /** read: shows; write: touches a session; control: for people only. */
  readonly effect: "read" | "write" | "control";
  readonly input: In;
  readonly output: Out;
  readonly cli?: CliForm;
  readonly mcp?: McpForm;
}

export function op<const Name extends string, In extends z.ZodObject, Out extends z.ZodType>(
  name: Name,
  spec: Omit<Op<Name, In, Out>, "name">,
): Op<Name, In, Out> {
  return { name, ...spec };
}

export type InputOf<O> = O extends Op<string, infer In, z.ZodType> ? z.output<In> : never;
export type OutputOf<O> = O extends Op<string, z.ZodObject, infer Out> ? z.input<Out> : never;
/** What a caller may leave out (defaults), as opposed to what a handler gets. */
export type CallOf<O> = O extends Op<string, infer In, z.ZodType> ? z.input<In> : never;
