// Numbers, times and durations as a person reads them. Pure.

export function grouped(count: number): string {
  // Not toLocaleString, for which a browser loads language tables: 50 ms before the first picture.
  return String(count).replace(/\B(?=(\d{3})+$)/g, "\u202f");
}

/** 0.1 s, 42 s, 2m 14s, 1h 03m. */
export function durationWord(ms: number): string {
  if (ms < 10_000) return `${(Math.floor(ms / 100) / 10).toFixed(1)} s`;
  const { h, m, s } = partsOf(ms);
  if (h > 0) return `${h}h ${two(m)}m`;
  return m > 0 ? `${m}m ${two(s)}s` : `${s} s`;
}

/** 0:42, 12:07, 1:02:33: as clocks count. */
export function elapsedWord(ms: number): string {
  const { h, m, s } = partsOf(ms);
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

/** As it is spoken: 2 min 23 s. */
export function spokenWord(ms: number): string {
  const { h, m, s } = partsOf(ms);
  return [h > 0 && `${h} h`, (h > 0 || m > 0) && `${m} min`, `${s} s`].filter(Boolean).join(" ");
}

/** The time of day. */
export function clockWord(ts: number): string {
  const at = new Date(ts);
  return `${timeOfDay(ts)}:${two(at.getSeconds())}`;
}

export function timeOfDay(ts: number): string {
  const at = new Date(ts);
  return `${two(at.getHours())}:${two(at.getMinutes())}`;
}

/** How long ago, roughly: now, 5 min, 3 h, 2 d. */
export function ageOf(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return "now";
  if (minutes < 60) return `${minutes} min`;
  return minutes < 1_440 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 1_440)} d`;
}

function partsOf(ms: number): { h: number; m: number; s: number } {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  return { h: Math.floor(seconds / 3_600), m: Math.floor(seconds / 60) % 60, s: seconds % 60 };
}

function two(value: number): string {
  return String(value).padStart(2, "0");
}
