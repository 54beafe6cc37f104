// What the bar has no room for on smaller screens.
import { Show } from "solid-js";
import { Popover } from "../widgets/popover.tsx";
import type { PageState } from "./page-state.ts";
import { AutoApprove, SafeMode } from "./top-bar-switches.tsx";

export function TopBarMenu(props: { page: PageState }) {
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
