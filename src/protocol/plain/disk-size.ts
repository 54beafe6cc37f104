// A number of bytes as people read it.

const UNITS = ["B", "KB", "MB", "GB", "TB"] as const;

/** Three digits at most: 999 B, 1.2 MB, 34 GB. */
export function sizeWords(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log2(Math.max(1, bytes)) / 10)));
  const value = bytes / 2 ** (10 * power);
  return `${value < 10 && power > 0 ? value.toFixed(1) : Math.round(value)} ${UNITS[power]}`;
}
