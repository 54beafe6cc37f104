// The conversation with the agent of the shown session. Owns: its events and state as the daemon sends them. Partial text
// (chunks) is kept only until the whole arrives. Missed events are asked for, so no line is ever left out.
import { type Accessor, batch, createSignal } from "solid-js";
import { createStore, produce, reconcile } from "solid-js/store";
import type { AgentEvent, AgentStatus } from "../../src/protocol/ops/agent.ts";
import type { Output } from "../../src/protocol/ops.ts";
import type { ToViewer } from "../../src/protocol/stream.ts";
import { call, type Fault, isFault } from "../wire/api.ts";
import { addEvent, type ConversationItem } from "./items.ts";

/** The size of one answer. A longer conversation comes in several. */
const EVENTS_PER_ANSWER = 5_000;

type KnownAgent = Output<"agents">["agents"][number];
type Saying = { readonly about: "message" | "thought"; readonly text: string };
export type Lead = "pause" | "resume" | "step" | "stop";

export interface AgentConversation {
  readonly events: readonly AgentEvent[];
  /** The same, as it is shown. */
  readonly items: readonly ConversationItem[];
  readonly status: AgentStatus | undefined;
  /** What it is saying right now. */
  readonly saying: Accessor<Saying | undefined>;
  readonly agents: Accessor<readonly KnownAgent[]>;
  busy(): boolean;
  /** A hosted agent has the task. It can be stopped but not paused or stepped. */
  hosted(): boolean;
  refresh(): Promise<void>;
  ask(text: string, how?: { agent?: string; step_by_step?: boolean }): Promise<boolean>;
  control(action: Lead): Promise<void>;
  onMessage(message: ToViewer): void;
}

interface Store {
  events: AgentEvent[];
  items: ConversationItem[];
  status: AgentStatus | undefined;
}

export function createConversation(session_id: string, onFault: (fault: Fault) => void): AgentConversation {
  const { store, saying, setSaying, known, add, setStatus } = createLog();
  const [agents, setAgents] = createSignal<readonly KnownAgent[]>([]);

  async function load(): Promise<void> {
    const [news, found] = await Promise.all([
      call("agent_events", { session_id, since: known(), limit: EVENTS_PER_ANSWER }),
      agents().length > 0 ? undefined : call("agents", {}),
    ]);
    if (found && !isFault(found)) setAgents(found.agents);
    if (isFault(news)) return;
    batch(() => {
      add(news.events);
      setStatus(news.status);
    });
    if (news.events.length === EVENTS_PER_ANSWER) await load();
  }
  const refresh = oneAtATime(load);

  async function follow(asked: Promise<AgentStatus | Fault>): Promise<boolean> {
    const status = await asked;
    if (isFault(status)) onFault(status);
    else setStatus(status);
    return !isFault(status);
  }

  return {
    get events() {
      return store.events;
    },
    get items() {
      return store.items;
    },
    get status() {
      return store.status;
    },
    saying,
    agents,
    busy: () => store.status !== undefined && store.status.state !== "idle",
    hosted: () => agents().find(({ name }) => name === store.status?.agent)?.kind === "hosted",
    refresh,
    ask: (text, how = {}) => follow(call("ask", { session_id, text, ...how })),
    control: async (action) => void (await follow(call("agent_control", { session_id, action }))),
    onMessage(message) {
      if (message.type !== "agent") return;
      const { event } = message;
      if (event.type === "chunk") return void setSaying((before) => joined(before, event));
      // We missed something in between, for example after a broken connection.
      if (event.seq > known() + 1) return void refresh();
      add([event]);
      if (["status", "ended", "plan", "step"].includes(event.type)) void refresh();
    },
  };
}

/** The events known so far, each once. */
function createLog() {
  const [store, setStore] = createStore<Store>({ events: [], items: [], status: undefined });
  const [saying, setSaying] = createSignal<Saying>();
  const known = () => store.events.at(-1)?.seq ?? 0;
  const setStatus = (status: AgentStatus) => setStore("status", reconcile(status));
  function add(events: readonly AgentEvent[]): void {
    const fresh = events.filter(({ seq }) => seq > known());
    if (fresh.length === 0) return;
    setSaying(undefined);
    setStore(
      produce((into) => {
        for (const event of fresh) {
          into.events.push(event);
          addEvent(into.items, event);
        }
      }),
    );
  }
  return { store, saying, setSaying, known, add, setStatus };
}

/** The person's own choice while it is available, otherwise the daemon's default. */
export function chosenAgent(agents: readonly KnownAgent[], wanted: string): KnownAgent | undefined {
  const own = agents.find(({ name, available }) => name === wanted && available);
  return own ?? agents.find(({ is_default }) => is_default) ?? agents[0];
}

function joined(before: Saying | undefined, { about, text }: Saying): Saying {
  return { about, text: before?.about === about ? before.text + text : text };
}

/** A request during another one is repeated afterwards, because the first answer may be older. */
function oneAtATime(load: () => Promise<void>): () => Promise<void> {
  let now: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const start = () => {
    now = load().finally(() => {
      now = undefined;
    });
    return now;
  };
  return () => {
    if (!now) return start();
    next ??= now.then(() => {
      next = undefined;
      return start();
    });
    return next;
  };
}
