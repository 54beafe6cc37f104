// Where the agent's pane has no column: which of the two is shown.
import { Show } from "solid-js";
import type { PageState } from "../app/page-state.ts";

export function PaneTabs(props: { page: PageState }) {
  const { page } = props;
  const isBusy = () => page.shown()?.agent.busy() ?? false;
  const tab = (sheet: "shut" | "open") => ({
    "aria-pressed": page.sheet() === sheet,
    onClick: () => page.setSheet(sheet),
  });
  return (
    // biome-ignore lint/a11y/useSemanticElements: two buttons, not a form's group
    <span class="seg pane-tabs" role="group" aria-label="What is shown">
      <button type="button" {...tab("shut")}>
        Commands
      </button>
      <button type="button" aria-controls="agent" {...tab("open")}>
        Agents
        <Show when={isBusy()}>
          <i class={`dot ${page.shown()?.agent.status?.state === "waiting" ? "wait" : "run"}`} />
        </Show>
      </button>
    </span>
  );
}
