// The bar across the top: who works in the shown session and how, and the way to stop it. What does not fit goes into the menu.
import { Show } from "solid-js";
import type { PageState } from "./page-state.ts";
import { TopBarMenu } from "./top-bar-menu.tsx";
import { TopBarMode } from "./top-bar-mode.tsx";
import { AutoApprove, SafeMode } from "./top-bar-switches.tsx";

export function TopBar(props: { page: PageState }) {
  const { page } = props;
  const { appearance, drawer, setDrawer } = page;
  const control = () => page.shown()?.control;
  const other = () => (appearance.theme() === "dark" ? "light" : "dark");
  return (
    <header class="top">
      <button
        type="button"
        class="menu"
        aria-label="Sessions"
        aria-expanded={drawer() === "open"}
        aria-controls="sessions"
        onClick={() => setDrawer(drawer() === "open" ? "shut" : "open")}
      >
        ☰
      </button>
      <span class="logo">
        <span aria-hidden="true">▚</span> <span class="nm">duetty</span>
      </span>
      <button type="button" class="pal" aria-haspopup="dialog" onClick={() => page.setOverlay("palette")}>
        Search or run a command… <kbd>Ctrl K</kbd>
      </button>
      <span class="grow" />
      <Show when={control()} keyed>
        {(shown) => (
          <>
            <TopBarMode control={shown} />
            <span class="wide-only">
              <SafeMode control={shown} />
              <AutoApprove control={shown} />
            </span>
          </>
        )}
      </Show>
      <StopButton page={page} />
      <span class="wide-only">
        <button type="button" class="icon" aria-label="Settings" onClick={() => page.setOverlay("settings")}>
          ⚙
        </button>
        <button
          type="button"
          class="icon"
          aria-label={`Use the ${other()} theme`}
          title={`Use the ${other()} theme`}
          onClick={() => appearance.toggle()}
        >
          {appearance.theme() === "dark" ? "☀" : "☾"}
        </button>
      </span>
      <TopBarMenu page={page} />
    </header>
  );
}

/** It is always there and always works, because a person who needs it has no time to check whether it applies. */
function StopButton(props: { page: PageState }) {
  const { page } = props;
  const isIdle = () => !page.isAgentActive();
  return (
    <button
      type="button"
      class="kill"
      aria-keyshortcuts="Escape"
      data-idle={isIdle()}
      title={isIdle() ? "No agent is at work here" : "Stop the agent at once"}
      onPointerDown={(event) => event.preventDefault()}
      onClick={() => page.stop()}
    >
      <span aria-hidden="true">■</span> Stop<span class="opt"> agent</span> <kbd>Esc</kbd>
    </button>
  );
}
