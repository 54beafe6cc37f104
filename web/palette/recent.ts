// What was used lately in the palette, last first. Kept in this browser.

const KEY = "duetty.recent";
/** More is not "lately". */
const KEPT_MAX = 20;

export function recentIds(): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(kept) ? kept.filter((id) => typeof id === "string").slice(0, KEPT_MAX) : [];
  } catch {
    return [];
  }
}

export function noteUsed(id: string): void {
  const others = recentIds().filter((other) => other !== id);
  localStorage.setItem(KEY, JSON.stringify([id, ...others].slice(0, KEPT_MAX)));
}
