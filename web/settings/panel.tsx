// What a person can set: how this browser shows things, and what agents may do in the shown session.
import { Show } from "solid-js";
import type { PageState } from "../app/page-state.ts";
import { ShareLinks } from "../share/links.tsx";
import { Dialog, DialogHead } from "../widgets/dialog.tsx";
import { AgentSettings } from "./agents.tsx";
import { AppearanceSettings } from "./appearance-view.tsx";
import { BoxSettings } from "./boxes.tsx";
import { DeviceSettings } from "./devices.tsx";
import { FolderSettings } from "./folders.tsx";
import { toggleNotifications } from "./notifications.ts";
import { Section, Toggle } from "./parts.tsx";
import { PushSettings } from "./push.tsx";
import { SessionSettings } from "./session.tsx";

export function SettingsPanel(props: { page: PageState }) {
  const { page } = props;
  const shut = () => page.setOverlay("none");
  return (
    <Dialog name="Settings" class="settings" onClose={shut}>
      <DialogHead title="Settings" onClose={shut} />
      <div class="scroll">
        <AppearanceSettings page={page} />
        <Show when={page.shown()} keyed>
          {(shown) => <SessionSettings shown={shown} />}
        </Show>
        <BoxSettings page={page} />
        <FolderSettings page={page} />
        <Show when={page.shown()} keyed>
          {(shown) => <AgentSettings page={page} shown={shown} />}
        </Show>
        <Section title="Shared by links">
          <ShareLinks page={page} />
        </Section>
        <Section title="Secrets">
          <Toggle
            title="Mask secrets on this page"
            means="While you show your screen to others: keys and passwords are stars in the terminal and dots elsewhere."
            isOn={page.settings.now.secrets === "masked"}
            onToggle={() => page.actions.find("set.secrets")?.run()}
          />
        </Section>
        <DeviceSettings page={page} />
        <Section title="Notifications">
          <Toggle
            title="Tell me when I am needed"
            means="A question, a password, or an agent that is done, while this page is hidden. The browser asks once."
            isOn={page.settings.now.notifications === "on"}
            onToggle={() => void toggleNotifications(page.settings, page.toasts)}
          />
          <PushSettings page={page} />
        </Section>
      </div>
    </Dialog>
  );
}
