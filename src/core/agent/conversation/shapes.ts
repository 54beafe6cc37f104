// Checks for values of unknown origin. The core has no schema library; these few are enough for its own files.

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isText(value: unknown): value is string {
  return typeof value === "string";
}

export function isTextOrNull(value: unknown): value is string | null {
  return value === null || typeof value === "string";
}

export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

export function isOneOf<T extends string>(value: unknown, known: readonly T[]): value is T {
  return known.some((one) => one === value);
}
