// Light or dark, or colours that a person brought: the system's choice until they make their own, which is remembered. Owns: the
// attributes and properties of the root by which the style sheets know it. theme.js has set them before the first paint.
import { type Accessor, createEffect, createSignal } from "solid-js";
import type { Dress } from "../themes/dress.ts";
import { createMedia } from "../widgets/media.ts";

type Theme = "light" | "dark";
type ThemeChoice = Theme | "system";
const KEY = "duetty.theme";
const DRESS_KEY = "duetty.dress";

export interface Appearance {
  /** What is shown. */
  readonly theme: Accessor<Theme>;
  /** What the person wants; none of these while they wear colours of their own. */
  readonly choice: Accessor<ThemeChoice | undefined>;
  /** The name of their own. */
  readonly worn: Accessor<string | undefined>;
  /** Another text whenever the colours are others. */
  look(): string;
  choose(choice: ThemeChoice): void;
  wear(dress: Dress): void;
  toggle(): void;
}

export function createAppearance(): Appearance {
  const isLight = createMedia("(prefers-color-scheme: light)");
  const [choice, setChoice] = createSignal(remembered());
  const [dress, setDress] = createSignal(rememberedDress());
  const { dataset, style } = document.documentElement;
  const theme = (): Theme => {
    const wanted = choice();
    if (wanted !== "system") return wanted;
    return isLight() ? "light" : "dark";
  };
  const shown = () => dress()?.base ?? theme();
  createEffect((before?: Dress) => {
    const now = dress();
    dataset.theme = shown();
    if (now === before) return now;
    for (const key of Object.keys(before?.colours ?? {})) style.removeProperty(key);
    for (const [key, value] of Object.entries(now?.colours ?? {})) style.setProperty(key, value);
    if (now) dataset.dress = now.name;
    else delete dataset.dress;
    return now;
  }, dress());

  function choose(wanted: ThemeChoice): void {
    localStorage.removeItem(DRESS_KEY);
    if (wanted === "system") localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, wanted);
    setDress(undefined);
    setChoice(wanted);
  }
  function wear(own: Dress): void {
    localStorage.setItem(DRESS_KEY, JSON.stringify(own));
    setDress(own);
  }
  return {
    theme: shown,
    choice: () => (dress() ? undefined : choice()),
    worn: () => dress()?.name,
    look: () => `${shown()} ${JSON.stringify(dress()?.colours)}`,
    choose,
    wear,
    toggle: () => choose(shown() === "dark" ? "light" : "dark"),
  };
}

function remembered(): ThemeChoice {
  const kept = localStorage.getItem(KEY);
  return kept === "light" || kept === "dark" ? kept : "system";
}

/** Only what theme.js has looked at and put on. */
function rememberedDress(): Dress | undefined {
  return document.documentElement.dataset.dress === undefined
    ? undefined
    : JSON.parse(localStorage.getItem(DRESS_KEY) ?? "null");
}
