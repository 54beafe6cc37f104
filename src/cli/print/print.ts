// What people and scripts read on standard output, and the exit code that goes with it. Loads only the text forms that the
// verb needs; a verb without one is printed as JSON.
import type { PrintRoom } from "../../protocol/op.ts";
import type { OpName } from "../../protocol/ops.ts";
import { EXIT } from "../../protocol/plain/exit.ts";
import type { CommonFlags } from "../args.ts";
import type { Verb } from "../verb-table.ts";
import type { Printer, Printers } from "./printer.ts";
import { exactLine } from "./table.ts";

const ROOMS: Readonly<Record<PrintRoom, () => Promise<{ readonly printers: Printers }>>> = {
  session: () => import("./session.ts"),
  screen: () => import("./screen.ts"),
  past: () => import("./past.ts"),
  runs: () => import("./runs.ts"),
  gate: () => import("./gate.ts"),
  agent: () => import("./agent.ts"),
};

/** An operation by name: which one is known only at run time. */
interface AnyPrinter extends Pick<Printer<OpName>, "code"> {
  readonly text: (answer: unknown, how: object) => void | Promise<void>;
  readonly json?: AnyPrinter["text"];
}

export async function printAnswer(
  { op, print }: Verb,
  answer: unknown,
  common: CommonFlags,
  ask: (input: object) => Promise<unknown>,
): Promise<number> {
  const { printers } = print === undefined ? { printers: {} as Printers } : await ROOMS[print]();
  const printer = printers[op] as AnyPrinter | undefined;
  const show = common.json ? printer?.json : printer?.text;
  if (show) await show(answer, { common, ask });
  else exactLine(JSON.stringify(answer));
  return printer?.code?.(answer as never) ?? EXIT.ok;
}
