// The ways to a command's card, to the agent's ask box and to other views, and of a line into the shown session.
import { createSignal } from "solid-js";
import { blockAddress } from "../sessions/address.ts";
import { call, isFault } from "../wire/api.ts";
import type { Found, Navigation, PageState } from "./page-state.ts";

/** The transcript shows the output, so we do not wait for it and ask for the least. */
const UNWATCHED = { timeout_ms: 0, max_output_chars: 100 } as const;

type Ground = Pick<
  PageState,
  "setReplaying" | "setDrawer" | "setSheet" | "setOverlay" | "settings" | "shown" | "info" | "toasts"
>;

export function createNavigation(page: Ground): Navigation {
  const [found, setFound] = createSignal<Found>();
  return {
    found,
    goToBlock(session_id, block_id, text) {
      setFound(text === undefined ? undefined : { block_id, text });
      page.setReplaying(false);
      page.setDrawer("shut");
      page.setSheet("shut");
      // There is a card to go to only where there are cards.
      page.settings.set({ view: "cards" });
      const address = blockAddress(session_id, block_id);
      if (location.hash !== address) location.hash = address;
      else void page.shown()?.cards.reveal(block_id);
    },
    goToAgent() {
      page.settings.set({ pane: "open" });
      page.setSheet("open");
      queueMicrotask(() => document.querySelector<HTMLElement>("[data-ask]")?.focus());
    },
    goTo(address) {
      page.setReplaying(false);
      page.setDrawer("shut");
      page.setOverlay("none");
      location.hash = address;
    },
    async runHere(command) {
      const session_id = page.info()?.session_id;
      if (session_id === undefined) return;
      const answer = await call("run_command", { session_id, command, ...UNWATCHED });
      if (isFault(answer)) page.toasts.fault(answer);
    },
  };
}
