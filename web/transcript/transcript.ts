// The commands of the shown session, all of them and the filtered ones. Owns: the current filter. Refuses: to
// hold outputs (frozen.ts).
import { type Accessor, createSignal } from "solid-js";
import type { Block } from "../../src/protocol/ops/blocks.ts";
import type { ToViewer } from "../../src/protocol/stream.ts";
import { createListing, type Filter, type Listing } from "./listing.ts";

export interface Transcript extends Omit<Listing, "filter"> {
  /** What the cards show. */
  readonly shown: Accessor<Listing>;
  setFilter(filter: Filter): void;
  running(): Block | undefined;
  last(): Block | undefined;
  find(id: string): Block | undefined;
}

export function createTranscript(session_id: string): Transcript {
  const all = createListing(session_id, "all");
  const [shown, setShown] = createSignal<Listing>(all);
  return {
    get blocks() {
      return all.blocks;
    },
    earlier: all.earlier,
    loaded: all.loaded,
    loadEarlier: all.loadEarlier,
    shown,
    setFilter(filter) {
      if (filter === shown().filter) return;
      const listing = filter === "all" ? all : createListing(session_id, filter);
      if (filter !== "all") void listing.refresh();
      setShown(listing);
    },
    running: () => {
      const last = all.blocks.at(-1);
      return last?.state === "running" ? last : undefined;
    },
    last: () => all.blocks.at(-1),
    find: (id) => all.blocks.find((block) => block.block_id === id),
    async refresh() {
      await Promise.all([all.refresh(), shown() === all ? undefined : shown().refresh()]);
    },
    onMessage(message: ToViewer) {
      all.onMessage(message);
      if (shown() !== all) shown().onMessage(message);
    },
  };
}
