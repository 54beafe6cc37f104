// Events of a conversation, as on the wire and as kept in conversation.jsonl.
import type { AgentEvent as WireEvent } from "../../protocol/ops/agent.ts";
import type { DeepReadonly } from "../base/deep-readonly.ts";

/** An event with its number and time, as surfaces get it. */
export type StampedEvent = DeepReadonly<WireEvent>;

/** An event before it has them. */
export type AgentEvent = Unstamped<StampedEvent>;

/** Applies Omit to each member, because Omit alone would merge the whole union into one shape. */
type Unstamped<Event> = Event extends unknown ? Omit<Event, "seq" | "ts"> : never;
