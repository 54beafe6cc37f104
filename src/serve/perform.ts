// How every way in asks for an operation. operations.ts makes the function; this type lets lower rooms hold it.
import type { Fault } from "../core/base/fault.ts";
import type { AnyOp } from "../protocol/ops.ts";
import type { Call } from "./auth.ts";

export type Perform = (op: AnyOp, input: unknown, call: Call) => Promise<object | Fault>;
