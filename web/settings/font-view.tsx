// The letters of the terminal, of cards and of the prompt.
import { createSignal, For } from "solid-js";
import type { PageState } from "../app/page-state.ts";
import { commonFonts, fontState } from "./fonts.ts";
import { Toggle } from "./parts.tsx";
import { FONT_PX_RANGE, LINE_HEIGHT_RANGE } from "./settings.ts";

const WRONG = {
  missing: "This machine has no font of that name.",
  proportional: "Its letters are not equally wide, so columns would not stand below each other.",
  no_name: "A name has letters, digits, blanks and . _ + - only.",
} as const;

export function FontSettings(props: { page: PageState }) {
  const { settings } = props.page;
  return (
    <>
      <FamilyField page={props.page} />
      <label class="line">
        Terminal font size
        <input
          type="range"
          {...FONT_PX_RANGE}
          step="1"
          value={settings.now.font_px}
          aria-valuetext={`${settings.now.font_px} pixels`}
          onInput={(event) => settings.set({ font_px: event.currentTarget.valueAsNumber })}
        />
        <output>{settings.now.font_px} px</output>
      </label>
      <label class="line">
        Line height
        <input
          type="range"
          {...LINE_HEIGHT_RANGE}
          step="0.1"
          value={settings.now.line_height}
          onInput={(event) => settings.set({ line_height: event.currentTarget.valueAsNumber })}
        />
        <output>{settings.now.line_height.toFixed(1)}</output>
      </label>
      <Toggle
        title="Ligatures"
        means="In commands that have ended, if the font has them. The live terminal, the prompt and agents' questions show each letter by itself."
        isOn={settings.now.ligatures === "on"}
        onToggle={() => settings.set({ ligatures: settings.now.ligatures === "on" ? "off" : "on" })}
      />
    </>
  );
}

function FamilyField(props: { page: PageState }) {
  const { settings } = props.page;
  const [wrong, setWrong] = createSignal<string>();
  function choose(name: string): void {
    const state = name === "" ? "fixed" : fontState(name);
    setWrong(state === "fixed" ? undefined : WRONG[state]);
    if (state === "fixed") settings.set({ font_family: name });
  }
  return (
    <>
      <label class="line">
        Font
        <input
          type="text"
          list="fonts-here"
          placeholder="as it comes"
          spellcheck={false}
          autocomplete="off"
          value={settings.now.font_family}
          aria-invalid={wrong() !== undefined}
          aria-describedby="font-said"
          onChange={(event) => choose(event.currentTarget.value.trim())}
        />
        <datalist id="fonts-here">
          <For each={commonFonts()}>{(name) => <option value={name} />}</For>
        </datalist>
      </label>
      <p id="font-said" class="wrong" role="status">
        {wrong()}
      </p>
    </>
  );
}
