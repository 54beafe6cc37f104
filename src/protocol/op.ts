// One verb of the product. HTTP route, OpenAPI entry, CLI command, client method and MCP tool derive from it.
import type * as z from "zod";

/** How the CLI shows it: `verb` plus which input fields are positional; all others become flags. */
export interface CliForm {
  readonly verb: string;
  readonly args: readonly string[];
  readonly examples: readonly string[];
  /** This field takes everything after `--`. */
  readonly rest?: string;
  /** The values of this field are flags of their own: --cast instead of --format cast. */
  readonly choice?: string;
  /** What it answers is a file: -o NAME writes it there. */
  readonly answer?: "file";
  /** Flags that are wait conditions; `prefix` stands before each name. They fill the input field `field`. */
  readonly conditions?: { readonly field: string; readonly prefix: "" | "wait-" };
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
  /** Clients that put tools aside until they are searched for keep these in sight. */
  readonly core?: true;
  readonly hints: {
    readonly readOnly?: true;
    readonly destructive?: true;
    readonly idempotent?: true;
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
