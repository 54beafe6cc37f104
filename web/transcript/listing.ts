// A list of a session's commands that match a filter: the newest first, earlier ones when a person scrolls there, and what
// happens now. A block keeps its identity from its beginning to its end: a card that is drawn stays the same card.
import { type Accessor, createSignal } from "solid-js";
import { createStore, produce, reconcile } from "solid-js/store";
import { isStopped } from "../../src/core/base/stopped.ts";
import type { Block } from "../../src/protocol/ops/blocks.ts";
import type { ToViewer } from "../../src/protocol/stream.ts";
import { call, isFault } from "../wire/api.ts";

/** How many earlier commands we load at once. */
const PAGE_BLOCKS = 200;
/** And on the way to a far one. The daemon gives no more at a time. */
const FAR_BLOCKS = 1_000;

export type Filter = "all" | "failed" | "you" | "agent";

const ASKED = {
  all: {},
  failed: { failed: true },
  you: { actor: "person" },
  agent: { actor: "agent" },
} as const satisfies Record<Filter, object>;

export interface Listing {
  readonly filter: Filter;
  readonly blocks: readonly Block[];
  /** Commands before the first one of the list. */
  readonly earlier: Accessor<number>;
  readonly loaded: Accessor<boolean>;
  /** Also needed after a reconnect, because we missed what happened meanwhile. */
  refresh(): Promise<void>;
  /** One at a time. A second call waits for the first. */
  loadEarlier(how?: "near" | "far"): Promise<void>;
  onMessage(message: ToViewer): void;
}

export function createListing(session_id: string, filter: Filter): Listing {
  const [store, setStore] = createStore<{ blocks: Block[] }>({ blocks: [] });
  const [earlier, setEarlier] = createSignal(0);
  const [loaded, setLoaded] = createSignal(false);
  let loading: Promise<void> | undefined;
  const asked = { session_id, limit: PAGE_BLOCKS, ...ASKED[filter] };

  function put(block: Block): void {
    const at = store.blocks.findLastIndex((known) => known.block_id === block.block_id);
    if (at < 0)
      return setStore(
        "blocks",
        produce((blocks) => void blocks.push({ ...block })),
      );
    // A late message about a running command must not undo its end.
    if (store.blocks[at]?.state === "running") setStore("blocks", at, block);
  }

  async function load(limit: number): Promise<void> {
    const before = store.blocks[0]?.block_id;
    if (before === undefined || earlier() <= 0) return;
    const answer = await call("blocks", { ...asked, limit, before });
    if (isFault(answer) || store.blocks[0]?.block_id !== before) return;
    setStore("blocks", (blocks) => [...answer.blocks, ...blocks]);
    setEarlier(answer.total - answer.blocks.length);
  }

  return {
    filter,
    get blocks() {
      return store.blocks;
    },
    earlier,
    loaded,
    async refresh() {
      const answer = await call("blocks", asked);
      if (isFault(answer)) return;
      setStore("blocks", reconcile(joined(store.blocks, answer.blocks), { key: "block_id" }));
      setEarlier(Math.max(0, answer.total - store.blocks.length));
      setLoaded(true);
    },
    loadEarlier(how = "near") {
      loading ??= load(how === "far" ? FAR_BLOCKS : PAGE_BLOCKS).finally(() => {
        loading = undefined;
      });
      return loading;
    },
    onMessage(message) {
      if (message.type !== "block_begin" && message.type !== "block_end") return;
      if (matches(message.block, filter)) put(message.block);
    },
  };
}

/** Merges an answer into the known commands. An end that arrived meanwhile stays. */
function joined(known: readonly Block[], asked: readonly Block[]): Block[] {
  const [first, last] = [asked[0], asked.at(-1)];
  if (!first || !last) return [...known];
  const fresh = new Set(asked.map(({ block_id }) => block_id));
  const ended = new Map(known.filter(({ state }) => state !== "running").map((block) => [block.block_id, block]));
  const others = known.filter(({ block_id }) => !fresh.has(block_id));
  const before = others.filter(({ cursor_begin }) => cursor_begin <= first.cursor_begin);
  const after = others.filter(({ cursor_begin }) => cursor_begin > last.cursor_begin);
  // A gap between the known commands and the answer would be a list with a hole. Then only the newest part stays.
  const whole = known.some(({ block_id }) => fresh.has(block_id));
  const middle = asked.map((block) => (block.state === "running" ? (ended.get(block.block_id) ?? block) : block));
  return [...(whole ? before : []), ...middle, ...after];
}

export function matches({ state, actor, exit_code }: Block, filter: Filter): boolean {
  switch (filter) {
    case "all":
      return true;
    case "failed":
      return state === "lost" || (state === "failed" && !isStopped(exit_code));
    case "you":
      return actor === "person";
    case "agent":
      return actor.startsWith("agent");
    default:
      return filter satisfies never;
  }
}
