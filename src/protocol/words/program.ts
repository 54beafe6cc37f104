// What is known of a session's program, in words that several schemas share.
import * as z from "zod";

/** The shells that can mark their commands. */
export const Shell = z.enum(["bash", "zsh", "fish"]);
export type Shell = z.output<typeof Shell>;
export const Integration = z.enum([...Shell.options, "none"]);

/** off: a password prompt. raw: an editor or a line editor such as readline. */
export const Echo = z.enum(["on", "off", "raw"]);
export type Echo = z.output<typeof Echo>;

/** password: echo is off. line: an answer and Enter. keys: single keys, or a line editor. full_screen: an editor, a pager. */
export const Waiting = z.object({
  kind: z.enum(["password", "line", "keys", "full_screen"]),
  program: z.string(),
});
export type Waiting = z.output<typeof Waiting>;

/** Which mouse events the program asked for. */
export const MouseMode = z.enum(["none", "x10", "normal", "button", "any"]);

export const CursorAt = z.object({ row: z.int(), col: z.int(), visible: z.boolean() });
export type CursorAt = z.output<typeof CursorAt>;
