// The bar across the top: who works in the shown session and how, and the way to stop it. What does not fit goes into the menu.
import { Show } from "solid-js";
import { Popover } from "../widgets/popover.tsx";
import type { PageState } from "./page-state.ts";
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
      <NeedsButton page={page} />
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
      <MaskedSign page={page} />
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

/** Only while something needs the person. */
function NeedsButton(props: { page: PageState }) {
  const count = () => props.page.needs.all().length;
  return (
    <Show when={count() > 0}>
      <button
        type="button"
        class="needs"
        aria-label={`Needs you: ${count()}`}
        aria-haspopup="dialog"
        aria-keyshortcuts="Alt+J"
        title="What needs you, in all sessions. Alt+J goes to the next."
        onClick={() => props.page.setOverlay("needs")}
      >
        <span class="opt">Needs you</span> <b>{count()}</b>
      </button>
    </Show>
  );
}

/** A person who shows their screen must see that secrets are masked, and that they are not. */
function MaskedSign(props: { page: PageState }) {
  const { page } = props;
  return (
    <Show when={page.settings.now.secrets === "masked"}>
      <button
        type="button"
        class="masked"
        aria-label="Secrets masked"
        aria-keyshortcuts="Alt+S"
        title="Keys and passwords are masked in this browser. Click to show them again (Alt+S)."
        onClick={() => page.actions.find("set.secrets")?.run()}
      >
        •••• <span class="opt">Secrets masked</span>
      </button>
    </Show>
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

/** What the bar has no room for on smaller screens. */
function TopBarMenu(props: { page: PageState }) {
  const { page } = props;
  return (
    <Popover name="More" button="⋯" class="rest">
      {(shut) => {
        const then = (run: () => void) => () => {
          shut();
          run();
        };
        return (
          <div class="items">
            <Show when={page.shown()?.control} keyed>
              {(control) => (
                <>
                  <SafeMode control={control} />
                  <AutoApprove control={control} />
                </>
              )}
            </Show>
            <button type="button" onClick={then(() => page.setOverlay("palette"))}>
              Search or run a command…
            </button>
            <button type="button" onClick={then(() => page.setOverlay("settings"))}>
              Settings
            </button>
            <button type="button" onClick={then(() => page.appearance.toggle())}>
              {page.appearance.theme() === "dark" ? "Light theme" : "Dark theme"}
            </button>
          </div>
        );
      }}
    </Popover>
  );
}
