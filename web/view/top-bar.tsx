// The bar across the top. Mode, safety switches and Stop will stand here once agents can act.
import type { Appearance } from "../state/appearance.ts";

export interface TopBarProps {
  readonly appearance: Appearance;
  readonly drawer: "open" | "shut";
  onDrawer(drawer: "open" | "shut"): void;
}

export function TopBar(props: TopBarProps) {
  const other = () => (props.appearance.theme() === "dark" ? "light" : "dark");
  return (
    <header class="top">
      <button
        type="button"
        class="menu"
        aria-label="Sessions"
        aria-expanded={props.drawer === "open"}
        aria-controls="sessions"
        onClick={() => props.onDrawer(props.drawer === "open" ? "shut" : "open")}
      >
        ☰
      </button>
      <span class="logo">
        <span aria-hidden="true">▚</span> duetty
      </span>
      <span class="grow" />
      <button
        type="button"
        class="icon"
        aria-label={`Use the ${other()} theme`}
        title={`Use the ${other()} theme`}
        onClick={() => props.appearance.toggle()}
      >
        {props.appearance.theme() === "dark" ? "☀" : "☾"}
      </button>
    </header>
  );
}
