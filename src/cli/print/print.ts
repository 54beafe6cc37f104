// What people and scripts read on standard output, and the exit code that goes with it. Loads only the text forms that the
// verb needs; a verb without one is printed as JSON.
import type { PrintRoom } from "../../protocol/op.ts";
import type { OpName } from "../../protocol/ops.ts";
import { EXIT } from "../../protocol/plain/exit.ts";
import type { CommonFlags } from "../args.ts";
import type { Verb } from "../verb-table.ts";
import type { Printer, Printers } from "./printer.ts";

const ROOMS: Readonly<Record<PrintRoom, () => Promise<{ readonly printers: Printers }>>> = {
  session: () => import("./session.ts"),
  screen: () => import("./screen.ts"),
  past: () => import("./past.ts"),
  runs: () => import("./runs.ts"),
  gate: () => import("./gate.ts"),
  agent: () => import("./agent.ts"),
  restore: () => import("./restore.ts"),
  share: () => import("./share.ts"),
  away: () => import("./away.ts"),
  worktree: () => import("./worktree.ts"),
  hosts: () => import("./hosts.ts"),
  members: () => import("./members.ts"),
};

/** An operation by name: which one is known only at run time. */
interface AnyPrinter extends Pick<Printer<OpName>, "code"> {
  readonly meanwhile?: (input: object) => string | undefined;
  readonly text: (answer: unknown, context: object) => void | Promise<void>;
  readonly json?: AnyPrinter["text"];
}

type Ask = (input: object) => Promise<unknown>;

/** Asks, prints the answer and says the exit code. The text form is loaded while the daemon works. */
export async function printAnswer(verb: Verb, input: object, common: CommonFlags, ask: Ask): Promise<number> {
  const [answer, printer] = await Promise.all([ask(input), meanwhile(verb, input)]);
  const show = common.json ? printer?.json : printer?.text;
  if (show) await show(answer, { common, ask });
  else (await import("../text/output.ts")).json(answer);
  return printer?.code?.(answer as never) ?? EXIT.ok;
}

async function meanwhile(verb: Verb, input: object): Promise<AnyPrinter | undefined> {
  const printer = await printerFor(verb);
  const words = printer?.meanwhile?.(input);
  if (words !== undefined) (await import("../text/output.ts")).aside(words);
  return printer;
}

async function printerFor({ op, print }: Verb): Promise<AnyPrinter | undefined> {
  return print === undefined ? undefined : ((await ROOMS[print]()).printers[op] as AnyPrinter | undefined);
}
