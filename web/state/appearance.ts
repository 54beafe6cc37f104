// Light or dark: the system's choice until the person makes their own, which is remembered.
import { type Accessor, createEffect, createSignal, onCleanup } from "solid-js";

export type Theme = "light" | "dark";
const KEY = "duetty.theme";

export interface Appearance {
  readonly theme: Accessor<Theme>;
  toggle(): void;
}

export function createAppearance(): Appearance {
  const system = window.matchMedia("(prefers-color-scheme: light)");
  const resolve = (): Theme => remembered() ?? (system.matches ? "light" : "dark");
  const [theme, setTheme] = createSignal(resolve());
  const follow = () => setTheme(resolve());
  system.addEventListener("change", follow);
  onCleanup(() => system.removeEventListener("change", follow));
  createEffect(() => {
    document.documentElement.dataset.theme = theme();
  });
  return {
    theme,
    toggle() {
      localStorage.setItem(KEY, theme() === "dark" ? "light" : "dark");
      follow();
    },
  };
}

function remembered(): Theme | undefined {
  const kept = localStorage.getItem(KEY);
  return kept === "light" || kept === "dark" ? kept : undefined;
}
