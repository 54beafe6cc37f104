// A private file with one secret in it, made at its first use.
import { randomBytes } from "node:crypto";
import { writeWhole } from "../../host/disk/files.ts";
import { readPrivately } from "../../host/disk/private.ts";

const TOKEN_CHARS = 64;

export function tokenIn(path: string): string {
  const kept = readPrivately(path)?.trim() ?? "";
  // A power loss can leave an empty file, which would be a token that everybody knows.
  if (kept.length >= TOKEN_CHARS) return kept;
  const made = newToken();
  writeWhole(path, `${made}\n`);
  return made;
}

export function newToken(): string {
  return randomBytes(TOKEN_CHARS / 2).toString("hex");
}
