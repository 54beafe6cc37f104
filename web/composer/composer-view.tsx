// Where a person writes: a prompt, or a note on where keys go while their command runs. Owns: which of the two is shown,
// and that the focus follows the person who types.
import { createEffect, createMemo, createSignal, on, onCleanup, Show } from "solid-js";
import type { Block } from "../../src/protocol/ops/blocks.ts";
import { isPerson } from "../../src/protocol/plain/person-name.ts";
import type { PageState, ShownSession } from "../app/page-state.ts";
import { partName } from "../sessions/labels.ts";
import { here, isFocusNowhere, isWriting } from "../widgets/keys.ts";
import { createComposer } from "./composer.ts";
import { ComposerFoot } from "./foot.tsx";
import { ComposerLive } from "./live.tsx";
import { ComposerPrompt } from "./prompt.tsx";

/** Most commands are over by then, so the prompt can stay. */
const LIVE_AFTER_MS = 150;

export function Composer(props: { page: PageState; shown: ShownSession }) {
  const { page, shown } = props;
  const composer = createComposer(shown, page.drafts);
  const live = createLiveBlock(shown);
  followTyping(page, shown, () => live() !== undefined);
  followLine(shown, composer, live);
  return (
    <section class="compose" aria-label={partName("Prompt", page)}>
      <Show when={live()} fallback={<ComposerPrompt page={page} shown={shown} composer={composer} />}>
        {(block) => <ComposerLive shown={shown} block={block()} />}
      </Show>
      <ComposerFoot page={page} shown={shown} />
    </section>
  );
}

/** The command that gets a person's keys; an agent's only after they took the keyboard. */
function createLiveBlock({ transcript, control }: ShownSession): () => Block | undefined {
  const wanted = () => {
    const running = transcript.running();
    const isMine = isPerson(running?.actor ?? "") || isPerson(control.facts.hold);
    return isMine && control.facts.policy?.mode !== "agent" ? running : undefined;
  };
  const [live, setLive] = createSignal<string>();
  createEffect(
    on(
      () => wanted()?.block_id,
      (id) => {
        if (id === undefined) return setLive(undefined);
        const timer = setTimeout(() => setLive(id), LIVE_AFTER_MS);
        onCleanup(() => clearTimeout(timer));
      },
    ),
  );
  return () => {
    const block = wanted();
    return block?.block_id === live() ? block : undefined;
  };
}

/** What is written goes to the command that gets the keys. What it did not read comes back from the shell when it is over. */
function followLine(
  shown: ShownSession,
  composer: ReturnType<typeof createComposer>,
  live: () => Block | undefined,
): void {
  const { shellLine, transcript, control } = shown;
  createEffect(
    on([live, control.agentHolds], ([block, agentHolds]) => {
      const keys = block && !agentHolds ? composer.keysFor(block) : "";
      if (keys) shown.live.press(keys);
    }),
  );
  const { facts } = shown.live;
  // At first, too: the person may have typed in the plain terminal, or here before they looked at another session.
  createEffect(
    on(
      () => facts.phase === "open" && transcript.loaded() && !transcript.running(),
      (isIdle) => isIdle && shellLine.isDue() && void composer.takeShellLine(),
    ),
  );
}

/** The focus moves from the prompt to the program and back with the person who types. Any other focus stays. */
function followTyping(page: PageState, shown: ShownSession, isLive: () => boolean): void {
  const { live } = shown;
  let typing = page.isHere() && !isWriting();
  const look = ({ target }: FocusEvent) => {
    const isPrompt = target instanceof Element && target.closest("[data-prompt]") !== null;
    typing = page.isHere() && (isPrompt || (target instanceof Node && live.host.contains(target)));
  };
  document.addEventListener("focusin", look);
  onCleanup(() => document.removeEventListener("focusin", look));
  const isRunning = createMemo(isLive);
  createEffect(() => {
    const isDrawn = isRunning() && live.facts.placing !== "parked";
    if (isDrawn && page.isHere() && typing && isFocusNowhere()) live.terminal.focus();
  });
  createEffect(
    on(isRunning, (now, before) => {
      if (now || !typing || !page.isHere()) return;
      const isBack = before === true && live.host.contains(document.activeElement);
      // A person who clicked in a list wants to write now.
      const isNew = before === undefined && page.isHere() && !isWriting();
      if (isFocusNowhere() || isBack || isNew) promptOf()?.focus({ preventScroll: true });
    }),
  );
}

/** On a phone the keyboard opens only on request. */
function promptOf(): HTMLElement | null {
  return window.matchMedia("(pointer: coarse)").matches ? null : here().querySelector<HTMLElement>("[data-prompt]");
}
