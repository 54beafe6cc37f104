// How far agents may go with keys to running programs, in a person's words.
import type { Policy } from "./control.ts";

export const LEVELS: readonly { readonly value: Policy["level"]; readonly title: string; readonly means: string }[] = [
  { value: "ask_first", title: "Ask first", means: "once for each program; then it goes on by itself" },
  { value: "always_ask", title: "Always ask", means: "for every command and every key" },
  { value: "always_allow", title: "Always allow", means: "only what safe mode holds back is asked" },
];
