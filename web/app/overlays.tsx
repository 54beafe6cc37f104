// What lies over the page, one at a time. Those that one types into at once come together, the others when they are asked for.
import { lazy, Match, Switch } from "solid-js";
import { Palette } from "../palette/palette.tsx";
import { SearchPanel } from "../search/panel.tsx";
import { NewSession } from "../sessions/new-session.tsx";
import type { PageState } from "./page-state.ts";

const Broadcast = lazy(async () => ({ default: (await import("../splits/broadcast-view.tsx")).Broadcast }));
const KeysPanel = lazy(async () => ({ default: (await import("../actions/keys-panel.tsx")).KeysPanel }));
const NeedsPanel = lazy(async () => ({ default: (await import("../needs/needs-panel.tsx")).NeedsPanel }));
const SettingsPanel = lazy(async () => ({ default: (await import("../settings/panel.tsx")).SettingsPanel }));
const SharePanel = lazy(async () => ({ default: (await import("../share/share-panel.tsx")).SharePanel }));
const UndoPanel = lazy(async () => ({ default: (await import("../restore/undo-panel.tsx")).UndoPanel }));

export function Overlays(props: { page: PageState }) {
  const { page } = props;
  return (
    <Switch>
      <Match when={page.overlay() === "palette"}>
        <Palette page={page} />
      </Match>
      <Match when={page.overlay() === "settings"}>
        <SettingsPanel page={page} />
      </Match>
      <Match when={page.overlay() === "search"}>
        <SearchPanel page={page} />
      </Match>
      <Match when={page.overlay() === "new_session"}>
        <NewSession page={page} />
      </Match>
      <Match when={page.overlay() === "needs"}>
        <NeedsPanel page={page} />
      </Match>
      <Match when={page.overlay() === "broadcast"}>
        <Broadcast page={page} />
      </Match>
      <Match when={page.overlay() === "keys"}>
        <KeysPanel page={page} />
      </Match>
      <Match when={page.overlay() === "share" && page.shown()} keyed>
        {(shown) => <SharePanel page={page} shown={shown} />}
      </Match>
      <Match when={page.overlay() === "undo" && page.shown()} keyed>
        {(shown) => <UndoPanel page={page} shown={shown} />}
      </Match>
    </Switch>
  );
}
