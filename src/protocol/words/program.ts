// What is known of a session's program, in words that several schemas share.
import * as z from "zod";

/** The shells that can mark their commands. */
export const ShellName = z.enum(["bash", "zsh", "fish"]);
export type ShellName = z.output<typeof ShellName>;
export const Integration = z.enum([...ShellName.options, "none"]);

/** Where a shell inside of the session's program is, as far as is known. */
export const NestedPlace = z.object({
  id: z.string(),
  kind: z.string().describe("how one got there: ssh, docker, sudo, bash …"),
  host: z.string().nullable().describe("as the command line names it"),
  cwd: z.string().nullable().describe("its folder, as it says"),
});
export const Nested = NestedPlace.extend({
  shell: ShellName,
  far: z.boolean().describe("the kernel does not see what runs there; its marks are all that is known"),
  guard: z.literal("none").describe("nothing there checks an agent's line: it is judged by its text, and asked"),
});
export type Nested = Readonly<z.output<typeof Nested>>;

/** off: a password prompt. raw: an editor or a line editor such as readline. */
export const Echo = z.enum(["on", "off", "raw"]);
export type Echo = z.output<typeof Echo>;

/** password: echo is off. line: an answer and Enter. keys: single keys, or a line editor. full_screen: an editor, a pager. */
export const Waiting = z.object({
  kind: z.enum(["password", "line", "keys", "full_screen"]),
  program: z.string(),
});
export type Waiting = Readonly<z.output<typeof Waiting>>;

/** Which mouse events the program asked for. */
export const MouseMode = z.enum(["none", "x10", "normal", "button", "any"]);
export type MouseMode = z.output<typeof MouseMode>;
/** How mouse reports are written (1005, 1006, 1015, 1016); x10 when the program asked for none of them. */
export const MouseFormat = z.enum(["x10", "utf8", "sgr", "urxvt", "sgr_pixels"]);
export type MouseFormat = z.output<typeof MouseFormat>;

export const CursorAt = z.object({ row: z.int(), col: z.int(), visible: z.boolean() });
export type CursorAt = Readonly<z.output<typeof CursorAt>>;
