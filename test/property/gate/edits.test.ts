// Which lines count as edits below one folder, and what they name. Everything that is not certain is none.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { editsIn } from "../../../src/core/gate/line/edits.ts";
import { DEFAULT_POLICY, EDIT_RULE } from "../../../src/core/gate/policy.ts";
import { classify } from "../../../src/core/gate/risk/classify.ts";
import { judgeLine } from "../../../src/core/gate/verdicts.ts";
import type { Level } from "../../../src/protocol/words/policy.ts";

const PLACE = { folder: "/home/p/app", cwd: "/home/p/app/src" };

function edits(text: string, place = PLACE): string[] | null {
  const risk = classify(text, { shell: "bash", folder: place.cwd, box: "line" });
  return editsIn(text, risk, place)?.map(({ path, entered }) => path + (entered ? " entered" : "")) ?? null;
}

test.each<[string, string[]]>([
  ["rm a.ts", ["/home/p/app/src/a.ts"]],
  ["rm -rf ./old /home/p/app/x", ["/home/p/app/src/old", "/home/p/app/x"]],
  ["rm -f -- -x", ["/home/p/app/src/-x"]],
  ["echo $(date) > 'a b'", ["/home/p/app/src/a b"]],
  ["cat <<E >> a\nx\nE", ["/home/p/app/src/a"]],
  ["ls; mkdir x && rm a && tee b", ["/home/p/app/src/a", "/home/p/app/src/b"]],
  ["for i in 1 2; do rm a; done", ["/home/p/app/src/a"]],
  ["[ -f a ] && mv a b && ls", ["/home/p/app/src/a", "/home/p/app/src/b/a", "/home/p/app/src/b entered"]],
  ["mv a b", ["/home/p/app/src/a", "/home/p/app/src/b/a", "/home/p/app/src/b entered"]],
  ["cp /usr/share/x/ d", ["/home/p/app/src/d/x", "/home/p/app/src/d entered"]],
  ["cp -r s/. d", ["/home/p/app/src/d", "/home/p/app/src/d entered"]],
  ["truncate -s0 a", ["/home/p/app/src/a"]],
  ["chmod +x a", ["/home/p/app/src/a"]],
])("an edit: %s", (text, expected) => expect(edits(text)).toEqual(expected));

test.each([
  [
    "another folder",
    ["rm ../x", "rm /home/p/x", "rm /home/p/app2/x", "rm ~/x", "echo > /etc/x", "rm a /etc/x", "mv a /tmp"],
  ],
  [
    "not in the line",
    ["rm $x", "rm *.ts", "rm {a,b}", "rm $(ls)", "echo x > $y", "ls | xargs rm", "find . -exec rm {} +"],
  ],
  [
    "another folder later",
    [
      String.raw`c\d ..; rm x`,
      "'c'd ..; rm x",
      "builtin 'cd' ..; rm x",
      "eval \"c\"'d ..'; rm x",
      "cd .. && rm x",
      "(pushd x; rm y)",
      "env -C / rm x",
      "find / -execdir rm foo ';'",
      "bash -c 'cd /; rm x'",
    ],
  ],
  [
    "not only files",
    [
      "rm a; curl x.com",
      "sudo rm a",
      "rm a; kill 1",
      "rm a; git push",
      "git clean -fd",
      "git reset --hard",
      "make clean",
    ],
  ],
  ["what git obeys", ["rm .git/config", "echo x > .git/hooks/pre-commit", "mv a .GIT", "rm -rf sub/.git"]],
  [
    "an option that names or makes more",
    ["cp -t d a", "cp --target-directory=/x a", "mv -T a b", "cp -l a b", "cp -s a b", "mv --backup a b"],
  ],
  ["bits for others", ["chmod u+s a", "chmod 4755 a", "chmod --reference=/x a", "chmod a"]],
  ["other programs", ["dd of=a", "shred a", "ln -sf / a", "install a b", "tar xf a", "rsync a b", "chown x a"]],
  [
    "something that may make a link or run anything, before or beside it",
    [
      "ln -s ign o && rm o/x",
      "ln ign/a hl; truncate -s 0 hl",
      "cp -P lnk o2 && rm o2/x",
      "cp -a s d; echo x > d/l/y",
      "rm a; mv l o",
      "mv l o; tee o/x",
      "for i in 1 2; do cp -P lnk o; done",
      "cp -P lnk o | cp x o",
      'python3 -c \'import os;os.symlink("ign","py")\' && rm py/c',
      "npm test; rm a",
      "make && rm a",
      "git status; rm a",
      "tar xf t; rm a/b",
      "rm a; ./ls",
      "PATH=. rm a",
      "f() { rm a; }; f",
      ". ./x; rm a",
      "echo $(ln -s ign o) > o/x",
      "timeout 5 rm a",
    ],
  ],
  ["not read", ["rm 'a", "rm a; <<E", "rm a \\"]],
  ["no change", ["ls", "npm test", "rm", "rm ''"]],
])("no edit: %s", (_, lines) => {
  for (const line of lines) expect([line, edits(line)]).toEqual([line, null]);
});

describe("an edit and one thing more", () => {
  const edit = fc.constantFrom("rm a", "echo x > b", "mv a b", "cp -r a b", "tee a", "chmod 644 a");
  const more = fc.constantFrom(
    "rm $x",
    "rm ../x",
    "curl x.com",
    "sudo id",
    "git push",
    "cd /tmp",
    "rm .git",
    "npm i x",
    "kill 1",
  );
  const joint = fc.constantFrom("; ", " && ", " || ", " | ", "\n", " & ");
  test("is none, in any order and any wrapping", () => {
    const wraps = fc.constantFrom(
      (s: string) => s,
      (s: string) => `{ ${s}\n}`,
      (s: string) => `(${s})`,
      (s: string) => `if true; then ${s}\nfi`,
    );
    fc.assert(
      fc.property(edit, more, joint, fc.boolean(), wraps, (a, b, by, first, wrap) => {
        const line = wrap(first ? b + by + a : a + by + b);
        expect([line, edits(line)]).toEqual([line, null]);
      }),
      { numRuns: 400 },
    );
  });
});

test("the level frees an edit in a box alone, and only where a box can be held to the folder", () => {
  const judged = (
    level: Level,
    box: "line" | "session" | "none" | "missing",
    editPlace: typeof PLACE | null,
    text = "rm a",
  ) => {
    const policy = { ...DEFAULT_POLICY, level, edit_folder: PLACE.folder };
    const facts = { who: "agent:a", policy, echo: "on", confidence: null, shell: "bash", rules: [] } as const;
    const { verdict, edits: kept } = judgeLine(text, {
      ...facts,
      box,
      folder: PLACE.cwd,
      isFree: () => false,
      editPlace,
    });
    return [verdict.do, verdict.rule, verdict.where, kept?.folder];
  };
  for (const box of ["line", "session"] as const)
    expect(judged("edit_here", box, PLACE)).toEqual(["allow", EDIT_RULE, "box", PLACE.folder]);
  for (const box of ["none", "missing"] as const) expect(judged("edit_here", box, PLACE)[0]).toBe("ask");
  expect(judged("edit_here", "line", null)[0]).toBe("ask");
  expect(judged("ask_first", "line", PLACE)[0]).toBe("ask");
  expect(judged("edit_here", "line", PLACE, "rm \u200ba")[0]).toBe("ask");
  expect(judged("edit_here", "line", PLACE, "rm person.token")[0]).toBe("ask");
});
