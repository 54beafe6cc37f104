// The pure parts of completion: whatever a hidden shell says, only the word at the caret can change and nothing in it is a key;
// what is inserted for a name is that name, as real shells read it; a state is told again only where that is the whole truth.
import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { extended, readOffers, readTab, type Written } from "../../../src/core/complete/answers.ts";
import { changesIn } from "../../../src/core/complete/state.ts";
import { asWord, commonStart, isText, lastWord, quotedWords } from "../../../src/core/complete/words.ts";

const SHELLS = ["bash", "zsh", "fish"] as const;
const SIGNS = [
  "'",
  '"',
  "\\",
  "$(touch M)",
  "`",
  "$",
  "{a,b}",
  "*",
  "~",
  "=",
  "-",
  "!",
  "#",
  ";",
  "&",
  " ",
  "\n",
  "\t",
  "\x1b[A",
  "\x7f",
  "/",
  "😀",
  "ü",
  "\0",
];
const signs = fc.array(fc.oneof(fc.constantFrom(...SIGNS), fc.string({ unit: "grapheme", maxLength: 3 })), {
  maxLength: 8,
});
const text = signs.map((parts) => parts.join(""));
const line = fc.tuple(text, fc.nat(40)).map(([all, at]): Written => {
  const caret = Math.min(at, all.length);
  // Between characters, as everybody's caret is.
  return { text: all, caret: /[\uD800-\uDBFF]/.test(all.charAt(caret - 1)) ? caret - 1 : caret };
});
const name = text.filter((all) => all !== "" && isText(all) && !/[\uD800-\uDFFF]/u.test(all));
const half = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;

describe("whatever a hidden shell says", () => {
  const said = fc.oneof(
    text,
    fc.array(fc.oneof(text, fc.nat(20).map(String)), { maxLength: 9 }).map((all) => all.join("\0")),
  );
  test.each(SHELLS)("%s: only what stands between a place before the caret and the caret changes", (shell) => {
    fc.assert(
      fc.property(said, said, line, (answer, tab, written) => {
        const { from, offers, becomes } = readOffers(shell, answer, written);
        expect(from).toBeGreaterThanOrEqual(0);
        expect(from).toBeLessThanOrEqual(written.caret);
        expect(new Set(offers.map((offer) => offer.text)).size).toBe(offers.length);
        for (const offer of offers) expect(isText(offer.text) && isText(offer.about) && offer.text !== "").toBe(true);
        for (const after of [becomes, readTab(tab, written, from), extended(written, { from, offers })]) {
          if (after === null || after.text === written.text) continue;
          expect(after.text.startsWith(written.text.slice(0, from))).toBe(true);
          expect(after.text.endsWith(written.text.slice(written.caret))).toBe(true);
          expect(isText(after.text.slice(from, after.text.length - written.text.length + written.caret))).toBe(true);
          expect(after.caret).toBeLessThanOrEqual(after.text.length);
        }
      }),
    );
  });

  test("ten thousand names are all there, once", () => {
    const names = Array.from({ length: 10_000 }, (_, at) => `na me\\${at}'s`);
    const words = names.map(asWord);
    const at: Written = { text: "cat ", caret: 4 };
    const twice = [...words, ...words];
    const answers = {
      bash: [" ", `cat ${twice.join(" ")} `, String(`cat ${twice.join(" ")} `.length)].join("\0"),
      zsh: ["4", "", "cat na\\ me", "9", ...twice.flatMap((word) => [word, `${word}  -- a file`, word])].join("\0"),
      fish: twice.map((word) => `${word}\ta file`).join("\n"),
    };
    for (const shell of SHELLS) {
      const { from, offers } = readOffers(shell, answers[shell], at);
      expect(offers.map((offer) => offer.text)).toEqual(words);
      expect(extended(at, { from, offers }).text).toBe("cat na\\ me\\\\");
    }
  });
});

describe("a name as a word", () => {
  test("is one word, also among others, and says the name", () => {
    fc.assert(
      fc.property(fc.array(name, { minLength: 1 }), (names) => {
        const words = names.map(asWord);
        expect(quotedWords(words.join("  "))).toEqual(words);
        for (const [at, word] of words.entries())
          expect(lastWord(`cat x;${word}`)).toEqual({ from: 6, word: names[at] });
      }),
    );
  });

  test.each(SHELLS)("%s reads it as the name, and runs nothing", (shell) => {
    const names = fc.sample(name, 400);
    const told = execFileSync(shell, ["-c", `printf '%s\\0' ${names.map(asWord).join(" ")}`], { encoding: "utf8" });
    expect(told.split("\0").slice(0, -1)).toEqual(names);
  });

  test("what is common to some is the beginning of each, without half of a character or of an escape", () => {
    fc.assert(
      fc.property(fc.array(name, { minLength: 1, maxLength: 5 }), name, (names, start) => {
        const words = names.map((end) => asWord(start + end));
        const common = commonStart(words);
        for (const word of words) expect(word.startsWith(common)).toBe(true);
        expect(common.startsWith(asWord(start))).toBe(true);
        expect(half.test(common)).toBe(false);
        expect(quotedWords(`${common}x y`)).toHaveLength(2);
      }),
    );
  });
});

describe("a state that has changed", () => {
  const names = fc.uniqueArray(fc.stringMatching(/^[a-d]$/));
  const value = fc.constantFrom("1", "'a=b'", "$'\\n'", "x #");
  const variables = names.chain((all) => fc.tuple(...all.map((each) => value.map((set) => [each, set] as const))));
  const KINDS = [(n: string, v: string) => `declare -x ${n}=${v}`, (n: string, v: string) => `set -gx ${n} ${v}`];
  test("is told as the variables that are new or different, or not at all", () => {
    fc.assert(
      fc.property(variables, variables, fc.boolean(), fc.constantFrom(...KINDS), (before, now, isSame, set) => {
        const lines = (all: typeof now) => all.map(([each, to]) => `${set(each, to)}\n`);
        const state = (all: typeof now, rest: string) => `${lines(all).join("")}#\n${rest}`;
        const rest = "f () {\n#\n}\n";
        const changes = changesIn(
          state([["z", "1"], ...before], rest),
          state([["z", "1"], ...now], isSame ? rest : "g\n"),
        );
        const isGone = before.some(([each]) => !now.some(([other]) => other === each));
        const news = lines(now).filter((line) => !lines(before).includes(line));
        expect(changes).toBe(isGone || !isSame ? null : news.join(""));
      }),
    );
  });

  test("begins anew when it is not what our scripts write, or a variable is of another kind", () => {
    expect(changesIn("a=1\n", "a=2\n")).toBeNull();
    expect(changesIn("declare -- a=1\n#\n", 'declare -a a=([0]="1")\n#\n')).toBeNull();
  });
});
