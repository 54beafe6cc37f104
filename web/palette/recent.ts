// Recently used palette entries, the last one first. Kept in this browser.

const KEY = "duetty.recent";
/** Older entries are not recent. */
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
