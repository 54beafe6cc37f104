// How things look in this browser.
import type { PageState } from "../app/page-state.ts";
import { graphicsName, hasGraphicsCard } from "../terminal/renderer.ts";
import { OwnThemes } from "../themes/own-themes.tsx";
import { FontSettings } from "./font-view.tsx";
import { Choice, Section, Toggle } from "./parts.tsx";

export function AppearanceSettings(props: { page: PageState }) {
  const { settings, appearance } = props.page;
  return (
    <Section title="Appearance">
      <Choice
        name="Theme"
        now={appearance.choice()}
        options={[
          { value: "system", title: "Match system" },
          { value: "light", title: "Light" },
          { value: "dark", title: "Dark" },
        ]}
        onChoose={appearance.choose}
      />
      <OwnThemes page={props.page} />
      <FontSettings page={props.page} />
      <Choice
        name="Commands"
        now={settings.now.view}
        options={[
          { value: "cards", title: "One card per command" },
          { value: "plain", title: "Plain terminal" },
        ]}
        onChoose={(view) => settings.set({ view })}
      />
      <Choice
        name="Long lines in cards"
        now={settings.now.lines}
        options={[
          { value: "wrap", title: "Wrap" },
          { value: "scroll", title: "Scroll" },
        ]}
        onChoose={(lines) => settings.set({ lines })}
      />
      <RendererChoice page={props.page} />
      <Toggle
        title="Screen reader mode"
        means="The terminal's rows are also kept as text that a screen reader reads. Costs some speed."
        isOn={settings.now.screen_reader === "on"}
        onToggle={() => settings.set({ screen_reader: settings.now.screen_reader === "on" ? "off" : "on" })}
      />
    </Section>
  );
}

function RendererChoice(props: { page: PageState }) {
  const { settings } = props.page;
  return (
    <Choice
      name="Renderer"
      now={settings.now.renderer}
      options={[
        { value: "auto", title: "Auto", means: autoMeans() },
        { value: "dom", title: "DOM", means: "most compatible" },
        { value: "webgl", title: "WebGL", means: "faster with a graphics card, slower without one" },
      ]}
      onChoose={(renderer) => settings.set({ renderer })}
    />
  );
}

function autoMeans(): string {
  if (hasGraphicsCard()) return `WebGL, because there is a graphics card: ${graphicsName()}`;
  return "DOM (no hardware acceleration found)";
}
