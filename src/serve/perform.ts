// How every way in asks for an operation. operations.ts makes the function; this type lets lower rooms hold it.
import type { Fault } from "../core/base/fault.ts";
import type { AnyOp } from "../protocol/ops.ts";
import type { Call, Caller } from "./auth.ts";

export type Perform = (op: AnyOp, input: unknown, call: Call) => Promise<object | Fault>;

/** Why a caller inside a box may not ask for this. */
export type BoxLimits = (op: AnyOp, input: unknown, caller: Caller) => Fault | undefined;
