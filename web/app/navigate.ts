// The ways to a command's card, to the agent's ask box, and of a line into the shown session.
import { call, isFault } from "../wire/api.ts";
import type { PageState } from "./page.ts";

/** The answer's output is the transcript's business: nobody waits for it, and the least is asked for. */
const UNWATCHED = { timeout_ms: 0, max_output_chars: 100 } as const;

export function goToBlock(page: PageState, session_id: string, block_id: string): void {
  page.setReplaying(false);
  page.setDrawer("shut");
  page.setSheet("shut");
  // There is a card to go to only where there are cards.
  page.settings.set({ view: "cards" });
  const address = `#/${session_id}/${block_id}`;
  if (location.hash !== address) location.hash = address;
  else void page.shown()?.cards.reveal(block_id);
}

/** As the person's own command. */
export async function runHere(page: PageState, command: string): Promise<void> {
  const session_id = page.info()?.session_id;
  if (session_id === undefined) return;
  const answer = await call("run_command", { session_id, command, ...UNWATCHED });
  if (isFault(answer)) page.toasts.fault(answer);
}

/** Opens the pane, wherever it is on this screen, and puts the caret where one writes to the agent. */
export function goToAgent(page: PageState): void {
  page.settings.set({ pane: "open" });
  page.setSheet("open");
  queueMicrotask(() => document.querySelector<HTMLElement>("[data-ask]")?.focus());
}
