// What the redactor shows, by example: text, rows, streams, a session's own secrets, a person's rules.
import { expect, test } from "vitest";
import { isFault } from "../../../src/core/base/fault.ts";
import { labels } from "../../../src/core/redact/labels.ts";
import { Redactor } from "../../../src/core/redact/redactor.ts";
import { withMasksInRuns } from "../../../src/core/redact/rows.ts";
import { redactRules } from "../../../src/core/redact/rules.ts";

const label = labels(new Uint8Array(16));
const TOKEN = `ghp_${"Ab3dE".repeat(7)}x`;
const mark = (kind: string, secret: string) => `‹redacted:${kind}:${label(secret)}›`;
const fresh = () => new Redactor({ label });

test("one secret has one label, wherever it stands, and is not redacted twice", () => {
  const text = `GITHUB_TOKEN=${TOKEN} https://x:${TOKEN}@github.com Authorization: Bearer ${TOKEN}`;
  const shown = fresh().text(text);
  expect(shown.split(mark("github", TOKEN))).toHaveLength(4);
  expect(fresh().text(shown)).toBe(shown);
});

test("a screen keeps its cells: the mark and dots fill the secret's, and a short secret at a row's end takes free cells", () => {
  const rows = [`token ${TOKEN} end`, "DB_PASSWORD=hunter2!", "curl -u bob:hunter2! https://x.example/"];
  const shown = fresh().rows(
    rows.map((text) => ({ text, wraps: false })),
    80,
  );
  expect(shown).toEqual([
    `token ${mark("github", TOKEN).padEnd(TOKEN.length, "•")} end`,
    `DB_PASSWORD=${mark("password", "hunter2!")}`,
    "curl -u bob:‹redact› https://x.example/",
  ]);
});

test("a secret over several rows has its mark in the first row with room, and dots in the others", () => {
  const line = `x ${TOKEN} y`;
  const rows = [line.slice(0, 10), line.slice(10, 36), line.slice(36)].map((text, i) => ({ text, wraps: i < 2 }));
  const shown = fresh().rows(rows, 36);
  expect(shown).toEqual([`x ${"•".repeat(8)}`, `${mark("github", TOKEN)}${"•".repeat(26 - 22)}`, `${"•".repeat(6)} y`]);
});

test("a blank at the end of a row that wraps parts two words", () => {
  const rows = [
    { text: "x".repeat(14), wraps: true },
    { text: `${TOKEN} y`, wraps: false },
  ];
  expect(fresh().rows(rows, 15)[1]).not.toContain(TOKEN.slice(8, 16));
});

test("what may become a token has dots while it is being written", () => {
  const rows = (text: string) => [{ text: "$ ls", wraps: false }, ...[{ text, wraps: false }]];
  const part = TOKEN.slice(0, 20);
  expect(fresh().rows(rows(`key ${part}`), 80)[1]).toBe(`key ${part}`);
  expect(fresh().rows(rows(`key ${part}`), 80, 1)[1]).toBe(`key ${"•".repeat(20)}`);
  expect(fresh().rows(rows(`key ${TOKEN}`), 80, 1)[1]).toContain("‹redacted:github:");
  for (const text of [
    "$ pytest test_runner_v2.py",
    "$ npm_config_cache2",
    "$ git log v1.2.3",
    "ghp_",
    "api-gateway-v2-Prod",
  ])
    expect(fresh().rows(rows(text), 80, 1)[1]).toBe(text);
});

test("rows with styles lose the same characters", () => {
  const runs = [
    { text: "token ghp_", bold: true },
    { text: `${TOKEN.slice(4)} end`, bold: false },
  ];
  const redactor = fresh();
  const masks = redactor.rowMasks([{ text: runs.map(({ text }) => text).join(""), wraps: false }], 80);
  expect(withMasksInRuns(runs, masks)).toEqual([
    { text: `token ${mark("github", TOKEN).padEnd(TOKEN.length, "•")}`, bold: true },
    { text: " end", bold: false },
  ]);
});

test("a stream shows whole lines at once, a prompt after a pause, and keeps back what may become a secret", () => {
  const stream = fresh().stream();
  expect(stream.push("one\r\ntwo")).toBe("one\r\n");
  expect(stream.flush()).toBe("two");
  expect(stream.push("\r\nPassword: ")).toBe("\r\n");
  expect(stream.flush()).toBe("Password: ");
  expect(stream.push(`\r\n$ echo ${TOKEN.slice(0, 9)}`)).toBe("\r\n");
  expect(stream.flush()).toBe("$ echo ");
  expect(stream.push(`${TOKEN.slice(9)}\r\n`)).toBe(`${mark("github", TOKEN)}\r\n`);
  expect(stream.end()).toBe("");
});

test("escapes stay, also those among the characters of a secret", () => {
  const stream = fresh().stream();
  const coloured = `a \u001b[1m${TOKEN.slice(0, 6)}\u001b[31m${TOKEN.slice(6)}\u001b[0m b\u001b[K\n`;
  expect(stream.push(coloured)).toBe(`a \u001b[1m${mark("github", TOKEN)}\u001b[31m\u001b[0m b\u001b[K\n`);
});

test("titles, links and the clipboard hold no secret either", () => {
  const shown = (text: string) => {
    const stream = fresh().stream();
    return stream.push(`${text}\n`) + stream.end();
  };
  expect(shown(`\u001b]0;deploy ${TOKEN}\u0007ok`)).toBe(`\u001b]0;deploy ${mark("github", TOKEN)}\u0007ok\n`);
  expect(shown(`\u001b]8;;https://x:hunter2abc@h/\u001b\\ok`)).not.toContain("hunter2abc");
  expect(shown(`\u001b]52;c;${Buffer.from(TOKEN).toString("base64")}\u0007`)).toBe("\u001b]52;c;\u0007\n");
  const harmless = `\u001b]52;c;${Buffer.from("hello").toString("base64")}\u0007`;
  expect(shown(harmless)).toBe(`${harmless}\n`);
});

test("bytes that are no text stay as they are", () => {
  const stream = fresh().bytes();
  const bytes = Buffer.concat([Buffer.from([0xff, 0xfe, 0x80]), Buffer.from(`é ${TOKEN}\n漢`)]);
  const shown = Buffer.concat([stream.push(bytes), stream.end()]);
  expect(shown).toEqual(
    Buffer.concat([Buffer.from([0xff, 0xfe, 0x80]), Buffer.from(`é ${mark("github", TOKEN)}\n漢`)]),
  );
});

test("what a session is known to keep secret is found in text, base64, URLs and JSON, under one label", () => {
  const redactor = fresh();
  redactor.knowVariables({ DEPLOY_TOKEN: "correct horse/7", PATH: "/usr/bin:/bin", PWD: "/home/bob/secret" });
  expect(redactor.knowTyped("tiger&lily")).toBe(true);
  expect(redactor.knowTyped("abc")).toBe(false);
  const forms = [
    "tiger&lily",
    encodeURIComponent("tiger&lily"),
    Buffer.from("tiger&lily").toString("base64").slice(0, 13),
    `${Buffer.from("bob:tiger&lily").toString("base64").slice(6, -2)}`,
  ];
  for (const form of forms) expect(redactor.text(`x ${form} y`)).toContain(mark("typed", "tiger&lily"));
  expect(redactor.text("it is correct horse/7.")).toBe(`it is ${mark("variable", "correct horse/7")}.`);
  expect(redactor.text("/usr/bin:/bin /home/bob/secret")).toBe("/usr/bin:/bin /home/bob/secret");
});

test("a part of a text is judged with what stands around it", () => {
  const redactor = fresh();
  const text = `export A=${TOKEN} done`;
  const [before, part, after] = [text.slice(0, 20), text.slice(20, 30), text.slice(30)];
  expect(redactor.part(before, part, after)).toBe(mark("github", TOKEN));
  expect(redactor.part("", text, "")).toBe(redactor.text(text));
  const output = `a\u001b]0;${TOKEN}\u0007 \u001b[1m${TOKEN.slice(0, 9)}\u001b[0m${TOKEN.slice(9)}\u001b[m z`;
  for (let at = 0; at <= output.length; at += 3) {
    const [before, part, after] = [output.slice(0, at), output.slice(at, at + 16), output.slice(at + 16)];
    const shown = redactor.outputPart(before, part, after);
    for (let i = 4; i + 8 <= TOKEN.length; i++) expect(shown).not.toContain(TOKEN.slice(i, i + 8));
  }
  expect(redactor.output(output)).toBe(
    `a\u001b]0;${mark("github", TOKEN)}\u0007 \u001b[1m${mark("github", TOKEN)}\u001b[0m\u001b[m z`,
  );
});

test("a person's rules hide more, and kinds that are off are shown", () => {
  const rules = redactRules({ rules: [{ kind: "badge", pattern: "BADGE-[0-9]{4}" }], off_kinds: ["cookie"] });
  if (isFault(rules)) throw new Error(rules.message);
  const redactor = new Redactor({ label, rules });
  expect(redactor.text("BADGE-1234 and BADGE-12")).toBe(`${mark("badge", "BADGE-1234")} and BADGE-12`);
  expect(redactor.text("Cookie: session=abcdef0123456789")).toBe("Cookie: session=abcdef0123456789");
});

test.each([
  [[], "is no object"],
  [{ rule: [] }, 'no field "rule"'],
  [{ rules: [{ kind: "A b", pattern: "x" }] }, "is no kind"],
  [{ rules: [{ kind: "a", pattern: "(a)\\1" }] }, "backreference"],
  [{ rules: [{ kind: "a", pattern: "x*" }] }, "empty text"],
  [{ off_kinds: ["cookies"] }, 'no kind "cookies"'],
])("wrong settings are told with a hint: %j", (settings, message) => {
  const rules = redactRules(settings);
  expect(isFault(rules) && rules.message).toContain(message);
  expect(isFault(rules) && rules.hint.length).toBeGreaterThan(10);
});

test("a cut mark is no secret: the last look at hidden rows changes nothing, and no digits are made of it", () => {
  const rows = [
    "PASSWORD=Ab12xy x",
    "curl -u bob:Qz98rt! https://x",
    "http://u:hunter2abc@host/x",
    'token="Ab12xy34Zq" x',
  ];
  const shown = fresh().rows(
    rows.map((text) => ({ text, wraps: false })),
    80,
  );
  expect(shown.join("\n")).not.toMatch(/Ab12|Qz98|hunter2|Zq/);
  for (const row of shown) expect(fresh().text(row)).toBe(row);
  const marked = fresh().text(rows.join("\n"));
  expect(fresh().text(marked)).toBe(marked);
});
