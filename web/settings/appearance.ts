// Light or dark: the system's choice until the person makes their own, which is remembered.
import { type Accessor, createEffect, createSignal } from "solid-js";
import { createMedia } from "../widgets/media.ts";

type Theme = "light" | "dark";
type ThemeChoice = Theme | "system";
const KEY = "duetty.theme";

export interface Appearance {
  /** What is shown. */
  readonly theme: Accessor<Theme>;
  /** What the person wants. */
  readonly choice: Accessor<ThemeChoice>;
  choose(choice: ThemeChoice): void;
  toggle(): void;
}

export function createAppearance(): Appearance {
  const isLight = createMedia("(prefers-color-scheme: light)");
  const [choice, setChoice] = createSignal(remembered());
  const theme = (): Theme => {
    const wanted = choice();
    if (wanted !== "system") return wanted;
    return isLight() ? "light" : "dark";
  };
  createEffect(() => {
    document.documentElement.dataset.theme = theme();
  });
  function choose(wanted: ThemeChoice): void {
    if (wanted === "system") localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, wanted);
    setChoice(wanted);
  }
  return { theme, choice, choose, toggle: () => choose(theme() === "dark" ? "light" : "dark") };
}

function remembered(): ThemeChoice {
  const kept = localStorage.getItem(KEY);
  return kept === "light" || kept === "dark" ? kept : "system";
}
