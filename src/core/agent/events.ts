// What happens in a conversation, in the words of the wire: as it is told, and as it is kept (conversation.jsonl).
import type { AgentEvent as WireEvent } from "../../protocol/ops/agent.ts";
import type { DeepReadonly } from "../base/deep-readonly.ts";

/** With its number and time: what surfaces get. */
export type StampedEvent = DeepReadonly<WireEvent>;

/** Before it has them. */
export type AgentEvent = Unstamped<StampedEvent>;

/** One by one: Omit alone would make one shape of the whole union. */
type Unstamped<Event> = Event extends unknown ? Omit<Event, "seq" | "ts"> : never;
