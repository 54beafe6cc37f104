// How the answer of one operation looks on standard output. The table of operations names the file that has it.
import type { Call, OpName, Output } from "../../protocol/ops.ts";
import type { CommonFlags } from "../args.ts";

export interface PrintContext<N extends OpName> {
  readonly common: CommonFlags;
  /** The same operation once more, for a part that is still missing. */
  readonly ask: (input: Call<N>) => Promise<Output<N>>;
}

export interface Printer<N extends OpName> {
  readonly text: (answer: Output<N>, context: PrintContext<N>) => void | Promise<void>;
  /** Default: the whole answer in one line. */
  readonly json?: (answer: Output<N>, context: PrintContext<N>) => void | Promise<void>;
  /** What is told of a call that takes long, while it does. */
  readonly meanwhile?: (input: Call<N>) => string | undefined;
  /** The exit code; default: 0. */
  readonly code?: (answer: Output<N>) => number;
}

export type Printers = { readonly [N in OpName]?: Printer<N> };
