// The themes that a person brought to this browser. Owns: what is kept of them. What is worn is settings/appearance.ts.
import { isTheme, type Theme } from "./theme.ts";

const KEY = "duetty.themes";
/** More than a person chooses from. With it the list stays far below what a browser keeps for a page. */
export const KEPT_MAX = 40;

export function keptThemes(): readonly Theme[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(kept) ? kept.filter(isTheme).slice(0, KEPT_MAX) : [];
  } catch {
    return [];
  }
}

/** One of the same name is replaced. What does not fit is left out: the answer has those that are kept. */
export function keepThemes(added: readonly Theme[]): readonly Theme[] {
  const rest = keptThemes().filter(({ name }) => !added.some((one) => one.name === name));
  return write([...rest, ...added].slice(0, KEPT_MAX));
}

export function forgetTheme(name: string): readonly Theme[] {
  return write(keptThemes().filter((theme) => theme.name !== name));
}

function write(themes: readonly Theme[]): readonly Theme[] {
  localStorage.setItem(KEY, JSON.stringify(themes));
  return themes;
}
