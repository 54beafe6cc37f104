// How an editor is told to open a file at a line: as arguments, or as an address with nothing of the path left unencoded.
import fc from "fast-check";
import { expect, test } from "vitest";
import { editorCommand, editorUrl, wrongEditor } from "../../../src/serve/editor.ts";

const place = { path: "/w/a.ts", line: 12, column: 3 };

test.each([
  [{}, ["vi", "+12", "/w/a.ts"]],
  [{ EDITOR: "nvim" }, ["nvim", "+12", "/w/a.ts"]],
  [{ EDITOR: "vim", VISUAL: "/usr/bin/nano" }, ["/usr/bin/nano", "+12,3", "/w/a.ts"]],
  [{ EDITOR: "  ", VISUAL: "" }, ["vi", "+12", "/w/a.ts"]],
  [{ EDITOR: "emacsclient -t" }, ["emacsclient", "-t", "+12:3", "/w/a.ts"]],
  [{ EDITOR: "code --wait" }, ["code", "--wait", "--goto", "/w/a.ts:12:3"]],
  [{ EDITOR: "hx" }, ["hx", "/w/a.ts:12:3"]],
  [{ EDITOR: "'/opt/my editor/ed it' \"-a b\" c\\ d" }, ["/opt/my editor/ed it", "-a b", "c d", "/w/a.ts"]],
  [{ EDITOR: "own; rm -rf $HOME" }, ["own;", "rm", "-rf", "$HOME", "/w/a.ts"]],
])("%o", (env, command) => {
  expect(editorCommand(env, place)).toEqual(command);
});

test("without a line there is only the path", () => {
  expect(editorCommand({ EDITOR: "vim" }, { path: "/w/a.ts" })).toEqual(["vim", "/w/a.ts"]);
});

test.each([
  ["vscode://file/{path}:{line}:{col}", "vscode://file/w/a.ts:12:3"],
  ["vscode://file{path}:{line}:{col}", "vscode://file/w/a.ts:12:3"],
  ["idea://open?file={path}&line={line}", "idea://open?file=/w/a.ts&line=12"],
  ["txmt://open/?url=file://{path}", "txmt://open/?url=file:///w/a.ts"],
])("%s", (template, url) => {
  expect(wrongEditor(template)).toBeUndefined();
  expect(editorUrl(template, place)).toBe(url);
});

test.each([
  ["javascript:alert('{path}')"],
  ["data:text/html,{path}"],
  ["https://a.example/{path}"],
  ["file://{path}"],
  ["vscode://file/"],
  ["vscode://file/{path}:{row}"],
  ["vscode://file/{path}}"],
  ["vs code://{path}"],
  ["{path}"],
  ["code {path}"],
])("%s is refused", (template) => {
  expect(wrongEditor(template)).toEqual(expect.any(String));
});

test("any path comes out of an address as it went in", () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, unit: "grapheme" }), (name) => {
      const path = `/${name}`;
      const url = editorUrl("x-edit:{path}", { path });
      return /^x-edit:[\w\-.!~*'()%/]+$/.test(url) && decodeURIComponent(url.slice(7)) === path;
    }),
  );
});
