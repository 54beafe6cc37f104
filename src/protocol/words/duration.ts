// How long something lasts, as a person writes it: 30s, 10m, 1h, 7d.
import * as z from "zod";

const UNIT_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

export const Duration = z
  .string()
  .regex(/^[1-9]\d{0,4}[smhd]$/, { error: "must be a number and a unit, such as 30s, 10m, 1h or 7d" });

export function durationMs(text: string): number {
  return Number(text.slice(0, -1)) * (UNIT_MS[text.slice(-1)] ?? 0);
}
