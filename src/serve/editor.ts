// How a person's editor is told to open a file at a line: as a program with arguments, or as an address that their desktop
// follows. Pure. A path is one argument, or encoded; nothing here is read by a shell.
import { basename } from "node:path";
import * as z from "zod";
import { quotedWords } from "../protocol/plain/quoted-words.ts";

interface Place {
  /** Absolute, so that no editor takes it for an option. */
  readonly path: string;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
}

type Arguments = (place: Required<Place>) => string[];

const plus: Arguments = ({ path, line }) => [`+${line}`, path];
const colons: Arguments = ({ path, line, column }) => [`${path}:${line}:${column}`];
const goto: Arguments = (place) => ["--goto", ...colons(place)];
/** How they take a line. Others get the path alone: they may take "+12" for a file. */
const EDITORS: readonly (readonly [string, Arguments])[] = [
  ["vi vim nvim vim.basic vim.tiny view ex nvi elvis vis joe jed mg ne pico kak mcedit ed gedit kate", plus],
  ["nano rnano micro", ({ path, line, column }) => [`+${line},${column}`, path]],
  ["emacs emacsclient jmacs zile", ({ path, line, column }) => [`+${line}:${column}`, path]],
  ["hx helix subl zed zeditor lapce", colons],
  ["code code-insiders codium vscodium cursor windsurf positron", goto],
];
const BY_NAME = new Map(EDITORS.flatMap(([names, form]) => names.split(" ").map((name) => [name, form] as const)));

/** The program of VISUAL or EDITOR with its arguments; vi where neither says anything. */
export function editorCommand(env: Readonly<Record<string, string | undefined>>, place: Place): string[] {
  const [program = "vi", ...own] = quotedWords(env.VISUAL?.trim() || env.EDITOR?.trim() || "vi");
  const form = place.line === undefined ? undefined : BY_NAME.get(basename(program));
  return [program, ...own, ...(form?.(whole(place)) ?? [place.path])];
}

function whole({ path, line = 1, column = 1 }: Place): Required<Place> {
  return { path, line, column };
}

const PARTS = /\{(path|line|col)\}/g;
/** A page would run or show these itself. */
const OWN_SCHEMES = /^(?:javascript|data|blob|file|about|vbscript|view-source|https?|ws|wss|ftp|filesystem):/i;

/** Why an address of config.json cannot be used. */
/** The address by which a person's own editor opens a file. */
export const EditorAddress = z.string().superRefine((template, ctx) => {
  const wrong = wrongEditor(template);
  if (wrong !== undefined) ctx.addIssue(wrong);
});

export function wrongEditor(template: string): string | undefined {
  if (!/^[a-z][a-z0-9+.-]*:/i.test(template) || OWN_SCHEMES.test(template))
    return "must begin with the scheme of an editor, such as vscode://file/{path}:{line}:{col}";
  if (/[\s\p{Cc}]/u.test(template)) return "must not have spaces or control characters";
  if (!template.includes("{path}")) return "must have {path} in it";
  return /[{}]/.test(template.replace(PARTS, "")) ? "has only {path}, {line} and {col} to fill in" : undefined;
}

export function editorUrl(template: string, place: Place): string {
  const { path, line, column } = whole(place);
  // vscode://file/{path} and x://open?file={path}: the path's own slashes stay, and none is doubled.
  const encoded = path
    .replace(/\p{Cs}/gu, "\ufffd")
    .split("/")
    .map(encodeURIComponent)
    .join("/");
  return template.replace(PARTS, (_all, part: string, at: number) => {
    if (part !== "path") return String(part === "line" ? line : column);
    return /\w\/$/.test(template.slice(0, at)) ? encoded.slice(1) : encoded;
  });
}
