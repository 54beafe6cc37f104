// Other programs' configuration files: whatever they look like, our entry gets in, nothing else changes, and taking it
// out gives the old bytes back. TOML is judged by Python's own reader.
import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CLIENTS } from "../../../src/cli/setup/clients.ts";
import { unifiedDiff } from "../../../src/cli/setup/diff.ts";
import { type Json, removeJson, setJson } from "../../../src/cli/setup/json-edit.ts";
import { plain, readJsonc, SyntaxFault } from "../../../src/cli/setup/jsonc.ts";
import { entryState, withEntry, withoutEntry } from "../../../src/cli/setup/plan.ts";
import { readToml } from "../../../src/cli/setup/toml.ts";
import { removeToml, setToml } from "../../../src/cli/setup/toml-edit.ts";
import { depth } from "../../fixtures/depth.ts";

const OURS = { command: "duetty", args: ["mcp", "--as", "agent:x"] };
const PATH = ["mcpServers", "duetty"];

interface Style {
  readonly eol: "\n" | "\r\n";
  readonly unit: string;
  readonly comments: boolean;
  readonly trailing: boolean;
  readonly shape: "lines" | "one line" | "wild";
  readonly seed: number;
}
const style: fc.Arbitrary<Style> = fc.record({
  eol: fc.constantFrom("\n", "\r\n"),
  unit: fc.constantFrom("  ", "    ", "\t", " "),
  comments: fc.boolean(),
  trailing: fc.boolean(),
  shape: fc.constantFrom("lines", "one line", "wild"),
  seed: fc.integer({ min: 1, max: 1 << 30 }),
});

const key = fc.oneof(
  fc.string({ maxLength: 6 }),
  fc.constantFrom("a", '"', "//", "/* }", "mcpServers", "ключ", "{", "duetty "),
);
const { value } = fc.letrec<{ value: Json; object: { [key: string]: Json } }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.oneof(
      fc.string(),
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => n || 0),
      fc.boolean(),
      fc.constant(null),
    ),
    tie("object"),
    fc.array(tie("value"), { maxLength: 3 }),
  ),
  object: fc.dictionary(key, tie("value"), { maxKeys: 4 }),
}));
const servers = fc.dictionary(
  fc.constantFrom("other", "github", "x y"),
  fc.record({ command: fc.string(), args: fc.array(fc.string(), { maxLength: 2 }) }),
  { minKeys: 1 },
);
const file = fc
  .tuple(fc.dictionary(key, value, { minKeys: 1, maxKeys: 5 }), fc.option(servers), fc.boolean())
  .map(([rest, container, isFirst]): { [key: string]: Json } => {
    const { mcpServers, ...others } = rest;
    const kept = Object.keys(others).length > 0 ? others : { a: 1 };
    if (!container) return kept;
    return isFirst ? { mcpServers: container, ...kept } : { ...kept, mcpServers: container };
  });

/** The value in that style, with comments and spaces in all places that may have them. */
function written(root: Json, { eol, unit, comments, trailing, shape, seed }: Style): string {
  let state = seed;
  const draw = (n: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % n;
  };
  const wild = () => (shape === "wild" ? ["", " ", eol, "\t", `${eol}${eol}${unit}`][draw(5)] : "");
  const comment = () => {
    if (!comments || draw(4) > 0) return "";
    return shape === "one line" || draw(2) ? "/* , } // */" : `// { "duetty": ,${eol}`;
  };
  const gap = () => wild() + comment() + wild();
  const list = (open: string, close: string, parts: readonly string[], indent: string) => {
    if (parts.length === 0) return open + gap() + close;
    const inner = shape === "one line" ? " " : shape === "wild" ? gap() : eol + indent + unit;
    const outer = shape === "one line" ? " " : shape === "wild" ? gap() : eol + indent;
    const body = parts.map(
      (part, i) => inner + part + gap() + (i < parts.length - 1 || trailing ? `,${comment()}` : ""),
    );
    return open + body.join("") + outer + close;
  };
  const render = (node: Json, indent: string): string => {
    if (Array.isArray(node))
      return list(
        "[",
        "]",
        node.map((one) => render(one, indent + unit)),
        indent,
      );
    if (typeof node !== "object" || node === null) return JSON.stringify(node);
    const entries = Object.entries(node);
    return list(
      "{",
      "}",
      entries.map(([k, v]) => `${JSON.stringify(k)}${gap()}:${gap()}${render(v, indent + unit)}`),
      indent,
    );
  };
  return gap() + render(root, "") + gap() + (draw(2) ? eol : "");
}
const attempt = (what: () => unknown): { value?: unknown; error?: unknown } => {
  try {
    return { value: what() };
  } catch (error) {
    return { error };
  }
};
const same = (a: unknown, b: unknown): void => void expect(JSON.stringify(a)).toBe(JSON.stringify(b));

describe("JSON with comments", () => {
  test("comments and trailing commas are read correctly", () => {
    fc.assert(fc.property(file, style, (root, how) => same(plain(readJsonc(written(root, how)).root), root)));
  });

  test("a file gets our entry and nothing else; strict JSON stays strict", () => {
    fc.assert(
      fc.property(file, style, (root, how) => {
        const text = written(root, how);
        const after = setJson(text, PATH, OURS);
        const { mcpServers } = root;
        const expected = { ...root, mcpServers: { ...(mcpServers as object | undefined), duetty: OURS } };
        same(plain(readJsonc(after).root), expected);
        if (!how.comments && !how.trailing) same(JSON.parse(after), expected);
        expect(setJson(after, PATH, OURS)).toBe(after);
      }),
      { numRuns: depth(100, 300) },
    );
  });

  test("removing our entry restores the same bytes", () => {
    fc.assert(
      fc.property(file, style, (root, how) => {
        const text = written(root, how);
        expect(removeJson(setJson(text, PATH, OURS), PATH)).toBe(text);
      }),
      { numRuns: depth(150, 500) },
    );
  });

  test("a different entry is corrected in its place", () => {
    fc.assert(
      fc.property(file, servers, style, value, (root, others, how, old) => {
        const text = written({ ...root, mcpServers: { duetty: old, ...others } }, how);
        const expected = { ...root, mcpServers: { duetty: OURS, ...others } };
        same(plain(readJsonc(setJson(text, PATH, OURS)).root), expected);
      }),
    );
  });

  test("what JSON.parse reads is read the same; the rest is refused", () => {
    const damaged = fc
      .tuple(file, fc.nat(), fc.constantFrom("", ",", "}", '"', "\\", "0", " "))
      .map(([root, at, by]) => {
        const text = JSON.stringify(root);
        return text.slice(0, at % text.length) + by + text.slice((at % text.length) + 1);
      });
    fc.assert(
      fc.property(fc.oneof(damaged, fc.json(), fc.string()), (text) => {
        const strict = attempt(() => JSON.parse(text));
        const ours = attempt(() => plain(readJsonc(text).root));
        if (strict.error === undefined) same(ours.value, strict.value);
        else if (ours.error !== undefined) expect(ours.error).toBeInstanceOf(SyntaxFault);
      }),
      { numRuns: depth(150, 500) },
    );
  });

  test("our entry is removed wherever it stands, and nothing else", () => {
    fc.assert(
      fc.property(file, servers, style, fc.nat(3), (root, others, how, place) => {
        const entries = Object.entries(others);
        entries.splice(place, 0, ["duetty", OURS as never]);
        const text = written({ ...root, mcpServers: Object.fromEntries(entries) }, how);
        same(plain(readJsonc(removeJson(text, PATH)).root), { ...root, mcpServers: others });
      }),
    );
  });
});

const scrap = fc.constantFrom("[mcp_servers.duetty]", "# no", "a = 1", "=", '"', "'", "\\\\", "é", "{", "]", "x");
const plainText = fc.array(scrap, { maxLength: 4 }).map((parts) => parts.join(" "));
const tomlString = fc.oneof(
  plainText.map((text) => JSON.stringify(text)),
  plainText.map((text) => `'${text.replaceAll("'", "")}'`),
  fc.array(plainText, { maxLength: 3 }).map((lines) => `"""${lines.join("\n").replaceAll('"', '\\"')}"""`),
  fc.array(plainText, { maxLength: 3 }).map((lines) => `'''\n${lines.join("\n").replaceAll("'", "")}'''`),
  fc.constantFrom('"""a""""', "'''b'''''", '"""x \\\n   y"""'),
);
const tomlValue = fc.oneof(
  tomlString,
  fc.constantFrom("1", "-3.5e2", "0xff_ff", "true", "inf", "1979-05-27T07:32:00Z", "1979-05-27 07:32:00", "07:32:00"),
  fc.array(tomlString, { maxLength: 3 }).map((items) => `[\n  ${items.join(", # ]\n  ")}${items.length ? ",\n" : ""}]`),
  tomlString.map((text) => `{ a = ${text.includes("\n") ? '"l"' : text}, b.c = [1, 2], "d e" = {} }`),
);
const tomlFile = fc
  .tuple(
    fc.array(tomlValue, { maxLength: 3 }),
    fc.array(
      fc.tuple(
        fc.constantFrom("t", '"q.u"', "mcp_servers.other", "'mcp_servers'.x"),
        fc.array(tomlValue, { maxLength: 3 }),
        fc.boolean(),
      ),
      { maxLength: 4 },
    ),
    fc.constantFrom("\n", "", "\n\n", "\n# end", "\n  "),
    fc.boolean(),
  )
  .map(([root, tables, tail, crlf]) => {
    const pairs = (values: readonly string[]) => values.map((text, i) => `k${i}${i % 2 ? ".'s'" : ""} = ${text} # c`);
    const blocks = tables.map(([name, values, isArray], n) => {
      const header = isArray && name === "t" ? `[[list${n}]]` : `[${name}.n${n}.z] # [t]`;
      return ["", `# before ${n}`, header, ...pairs(values)].join("\n");
    });
    const text = [...pairs(root), ...blocks].join("\n");
    return (text === "" ? text : text + tail).replaceAll("\n", crlf ? "\r\n" : "\n");
  });

const PYTHON = `
import json, sys, tomllib
print(json.dumps([tomllib.loads(text, parse_float=str) for text in json.load(sys.stdin)], default=str))`;
const JUDGE = `
import json, sys, tomllib
def good(text):
    try:
        tomllib.loads(text)
        return True
    except tomllib.TOMLDecodeError:
        return False
print(json.dumps([good(text) for text in json.load(sys.stdin)]))`;
const byPython = (texts: readonly string[]): Record<string, Record<string, unknown>>[] =>
  JSON.parse(execFileSync("python3", ["-c", PYTHON], { input: JSON.stringify(texts), encoding: "utf8" }));

describe("TOML", () => {
  const at = ["mcp_servers", "duetty"];
  test("Python sees our table and nothing else changed; removing it restores the same bytes", () => {
    const texts = fc.sample(tomlFile, 400);
    const added = texts.map((text) => setToml(text, at, OURS));
    const [before, after] = [byPython(texts), byPython(added)];
    for (const [i, text] of texts.entries()) {
      expect(after[i]).toEqual({ ...before[i], mcp_servers: { ...before[i]?.mcp_servers, duetty: OURS } });
      expect(removeToml(added[i] ?? "", at)).toBe(text);
      expect(setToml(added[i] ?? "", at, OURS)).toBe(added[i]);
    }
  });

  test("a different table is corrected in its place, and a person's additions stay", () => {
    const texts = fc.sample(tomlFile, 100).map((text) => {
      const other = setToml(text, at, { command: "old", args: [] });
      return other.replace(/args = \[\]/, "args = [\n  'x', # why\n] # here\nenv = { A = '1' }");
    });
    const changed = texts.map((text) => setToml(text, at, OURS));
    const [before, after] = [byPython(texts), byPython(changed)];
    for (const i of texts.keys()) {
      const duetty = { ...OURS, env: { A: "1" } };
      expect(after[i]).toEqual({ ...before[i], mcp_servers: { ...before[i]?.mcp_servers, duetty } });
      expect(changed[i]).toContain("# here");
    }
  });
});

test("what Python reads as TOML is read; the rest is refused", () => {
  const damaged = fc
    .tuple(tomlFile, fc.nat(), fc.constantFrom("", "\n", '"', "'", "[", "=", "#", "a"))
    .map(([text, at, by]) =>
      text === "" ? by : text.slice(0, at % text.length) + by + text.slice((at % text.length) + 1),
    );
  const texts = fc.sample(damaged, 600);
  const verdicts = JSON.parse(
    execFileSync("python3", ["-c", JUDGE], { input: JSON.stringify(texts), encoding: "utf8" }),
  );
  for (const [i, text] of texts.entries()) {
    const { error } = attempt(() => readToml(text));
    if (verdicts[i]) expect(error, text).toBeUndefined();
    else if (error !== undefined) expect(error).toBeInstanceOf(SyntaxFault);
  }
});

test("adding is idempotent for every client, and removing undoes it", () => {
  const command = ["duetty", "mcp", "--as", "agent:x"] as const;
  fc.assert(
    fc.property(file, style, fc.constantFrom(...Object.values(CLIENTS)), (root, how, client) => {
      const text = client.format === "toml" ? "model = 'x'\n" : written(root, how);
      fc.pre(root.mcp === undefined && root.servers === undefined);
      expect(entryState(client, text, command)).toBe("absent");
      const after = withEntry(client, text, command);
      expect(entryState(client, after, command)).toBe("same");
      expect(withEntry(client, after, command)).toBe(after);
      expect(withoutEntry(client, after, command)).toBe(text);
    }),
  );
});

test("a diff shows every removed and added line", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom("a", "b", "")), fc.array(fc.constantFrom("a", "b", "")), (old, now) => {
      const [before, after] = [old.map((l) => `${l}\n`).join(""), now.map((l) => `${l}\n`).join("")];
      const lines = unifiedDiff("f", before, after).split("\n").slice(3);
      const of = (signs: string) => lines.filter((l) => signs.includes(l.charAt(0))).map((l) => l.slice(1));
      expect(old.join("\n")).toContain(of(" -").join("\n"));
      expect(now.join("\n")).toContain(of(" +").join("\n"));
      expect(of("+").length - of("-").length).toBe(now.length - old.length);
    }),
  );
});
