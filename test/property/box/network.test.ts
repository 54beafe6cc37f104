// The laws of what a boxed session may reach: names, ports, addresses in every spelling, and grants.

import fc from "fast-check";
import { expect, test } from "vitest";
import { isFault } from "../../../src/core/base/fault.ts";
import { type Reach, reachOf, readAddress, sameAddress } from "../../../src/core/box/address.ts";
import { BoxNetwork } from "../../../src/core/box/box-network.ts";
import { covers, judgeAddress, judgeHost, readRules, readTarget } from "../../../src/core/box/network.ts";

const rulesOf = (...texts: string[]) => {
  const rules = readRules(texts);
  if (isFault(rules)) throw new Error(rules.message);
  return rules;
};
const targetOf = (text: string) => {
  const target = readTarget(text);
  if (!target) throw new Error(`${text} is no target`);
  return target;
};
const addressOf = (text: string) => {
  const address = readAddress(text);
  if (!address) throw new Error(`${text} is no address`);
  return address;
};
const opens = (rule: string, target: string) => judgeHost(targetOf(target), rulesOf(rule)).allowed;
const reaches = (rules: string[], target: string, address: string) =>
  judgeAddress(targetOf(target), addressOf(address), rulesOf(...rules)).allowed;

const label = fc.stringMatching(/^[a-z]([a-z0-9-]{0,10}[a-z0-9])?$/);
const name = fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) => labels.join("."));
const port = fc.integer({ min: 1, max: 65_535 });
const byte = fc.integer({ min: 0, max: 255 });
const v4 = fc.tuple(byte, byte, byte, byte).map((bytes) => bytes.join("."));

test.each<[string, string, boolean]>([
  ["example.com", "example.com:443", true],
  ["example.com", "EXAMPLE.com:443", true],
  ["Example.COM", "example.com:443", true],
  ["example.com", "example.com.:443", true],
  ["example.com.", "example.com:443", true],
  ["example.com", "www.example.com:443", false],
  ["example.com", "example.com.evil.net:443", false],
  ["example.com", "notexample.com:443", false],
  ["*.example.com", "www.example.com:443", true],
  ["*.example.com", "a.b.example.com.:443", true],
  ["*.example.com", "example.com:443", false],
  ["*.example.com", "notexample.com:443", false],
  ["example.com:443", "example.com:443", true],
  ["example.com:443", "example.com:80", false],
  ["example.com:*", "example.com:8080", true],
  ["xn--bcher-kva.example", "XN--BCHER-KVA.example:443", true],
  ["*", "anything.example:22", true],
  ["*", "8.8.8.8:53", true],
  ["*:443", "anything.example:22", false],
  ["*", "127.0.0.1:80", false],
  ["*", "[::ffff:10.0.0.1]:80", false],
  ["*", "[::1]:80", false],
  ["127.0.0.1", "127.0.0.1:80", true],
  ["127.0.0.1", "[::ffff:127.0.0.1]:80", true],
  ["127.0.0.1", "[::ffff:7f00:1]:80", true],
  ["127.0.0.1", "127.0.0.2:80", false],
  ["[::1]:8080", "[0:0:0:0:0:0:0:1]:8080", true],
  ["[::1]:8080", "[::1]:80", false],
  ["::1", "[::1]:80", true],
  ["localhost", "127.0.0.1:80", false],
])("the rule %s and the target %s", (rule, target, expected) => {
  expect(opens(rule, target)).toBe(expected);
});

test.each([
  "",
  "example.com",
  ":443",
  "example.com:",
  "example.com:0",
  "example.com:65536",
  "example.com:0443",
  "example.com:443:443",
  "example.com:443 ",
  "user@example.com:443",
  "user:secret@example.com:443",
  "example.com/path:443",
  "exa mple.com:443",
  "example.com\n:443",
  "example.com\u0000.evil.net:443",
  "example..com:443",
  ".example.com:443",
  "example.com..:443",
  "bücher.example:443",
  "example。com:443",
  "127。0。0。1:443",
  "exampl%65.com:443",
  "*.example.com:443",
  "-example.com:443",
  "127.1:80",
  "127.0.1:80",
  "0x7f.1:80",
  "0x7f000001:80",
  "0x:80",
  "2130706433:80",
  "017700000001:80",
  "0177.0.0.1:80",
  "127.0.0.01:80",
  "127.0.0.1.:80",
  "256.0.0.1:80",
  "1.2.3.4.5:80",
  "example.1:80",
  "[127.0.0.1]:80",
  "[::1%lo]:80",
  "[fe80::1%25eth0]:80",
  "[::1:80",
  "::1:80",
  "[1::2::3]:80",
  "[1:2:3:4:5:6:7]:80",
  "[1:2:3:4:5:6:7:8:9]:80",
  "[1:2:3:4:5:6:7:8::]:80",
  "[12345::]:80",
  "[::1.2.3]:80",
  "[1.2.3.4::]:80",
  `${"a".repeat(64)}.example:80`,
  `${"abcdefg.".repeat(40)}example:80`,
])("%j is no target", (text) => {
  expect(readTarget(text)).toBeUndefined();
});

test.each(["https://example.com", "example.com/path", "*example.com", "a.*.com", "**", "*.", "", "user@example.com"])(
  "%j is no rule, and the hint says how to write one",
  (text) => {
    const rules = readRules(["example.com", text]);
    expect(isFault(rules) && rules.hint).toContain("*.example.com");
  },
);

test.each<[string, Reach]>([
  ["8.8.8.8", "public"],
  ["172.15.255.255", "public"],
  ["172.32.0.0", "public"],
  ["100.63.255.255", "public"],
  ["100.64.0.1", "private"],
  ["100.127.255.255", "private"],
  ["100.128.0.0", "public"],
  ["10.255.255.255", "private"],
  ["172.16.0.1", "private"],
  ["172.31.255.255", "private"],
  ["192.168.1.1", "private"],
  ["127.255.255.254", "loopback"],
  ["169.254.169.254", "link-local"],
  ["0.0.0.0", "reserved"],
  ["198.19.0.1", "reserved"],
  ["224.0.0.1", "reserved"],
  ["255.255.255.255", "reserved"],
  ["2606:4700::1111", "public"],
  ["::1", "loopback"],
  ["0:0:0:0:0:0:0:1", "loopback"],
  ["::", "reserved"],
  ["::7f00:1", "reserved"],
  ["::127.0.0.1", "reserved"],
  ["::ffff:127.0.0.1", "loopback"],
  ["::FFFF:7F00:1", "loopback"],
  ["0:0:0:0:0:ffff:a9fe:a9fe", "link-local"],
  ["::ffff:8.8.8.8", "public"],
  ["::ffff:0:127.0.0.1", "reserved"],
  ["64:ff9b::8.8.8.8", "public"],
  ["64:ff9b::127.0.0.1", "loopback"],
  ["64:ff9b::a00:1", "private"],
  ["64:ff9b:1::1", "reserved"],
  ["fc00::1", "private"],
  ["fdff::1", "private"],
  ["fe80::1", "link-local"],
  ["febf::1", "link-local"],
  ["fec0::1", "private"],
  ["ff02::1", "reserved"],
  ["2001:db8::1", "reserved"],
  ["2001:0:7f00:1::", "reserved"],
  ["2001:4860:4860::8888", "public"],
  ["2002:7f00:1::", "reserved"],
  ["100::1", "reserved"],
  ["4000::1", "reserved"],
])("%s is %s", (text, reach) => {
  expect(reachOf(addressOf(text))).toBe(reach);
});

test("every IPv4 address has one reach in all its IPv6 forms", () => {
  fc.assert(
    fc.property(v4, (text) => {
      const hex = addressOf(text).map((one) => one.toString(16).padStart(2, "0"));
      const groups = `${hex[0]}${hex[1]}:${hex[2]}${hex[3]}`;
      const forms = [`::ffff:${text}`, `::ffff:${groups}`, `0:0:0:0:0:FFFF:${groups}`, `0:0::ffff:${text}`];
      for (const form of forms) expect(sameAddress(addressOf(form), addressOf(text)), form).toBe(true);
      expect(reachOf(addressOf(`64:ff9b::${text}`))).toBe(reachOf(addressOf(text)));
    }),
  );
});

test("an IPv6 address is the same in every spelling", () => {
  const group = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 0xffff }));
  fc.assert(
    fc.property(fc.array(group, { minLength: 8, maxLength: 8 }), (groups) => {
      const full = addressOf(groups.map((one) => one.toString(16).padStart(4, "0")).join(":"));
      const bare = groups.map((one) => one.toString(16).toUpperCase());
      expect(sameAddress(addressOf(bare.join(":")), full)).toBe(true);
      for (const [at, one] of groups.entries()) {
        if (one !== 0) continue;
        const short = `${bare.slice(0, at).join(":")}::${bare.slice(at + 1).join(":")}`;
        expect(sameAddress(addressOf(short), full), short).toBe(true);
      }
    }),
  );
});

test("upper case and a last dot change nothing", () => {
  fc.assert(
    fc.property(name, port, fc.boolean(), fc.boolean(), (host, number, isUpper, hasDot) => {
      const written = `${isUpper ? host.toUpperCase() : host}${hasDot ? "." : ""}`;
      expect(opens(host, `${written}:${number}`)).toBe(true);
      expect(opens(written, `${host}:${number}`)).toBe(true);
    }),
  );
});

test("a suffix opens what is below it and nothing else", () => {
  fc.assert(
    fc.property(name, name, label, port, (suffix, below, other, number) => {
      expect(opens(`*.${suffix}`, `${below}.${suffix}:${number}`)).toBe(true);
      expect(opens(`*.${suffix}`, `${other}${suffix}:${number}`)).toBe(suffix.includes(`.${suffix}`));
      expect(opens(`*.${suffix}`, `${suffix}.${other}:${number}`)).toBe(`${suffix}.${other}`.endsWith(`.${suffix}`));
    }),
  );
});

test("a name reaches an address that is not public only if the address is listed as well", () => {
  fc.assert(
    fc.property(name, port, v4, fc.constantFrom("", "::ffff:", "64:ff9b::"), (host, number, text, prefix) => {
      fc.pre(host !== "localhost");
      const isPublic = reachOf(addressOf(text)) === "public";
      for (const rule of [host, "*", `${host}:${number}`])
        expect(reaches([rule], `${host}:${number}`, `${prefix}${text}`)).toBe(isPublic);
      expect(reaches([host, `[${prefix || "::ffff:"}${text}]`], `${host}:${number}`, `${prefix}${text}`)).toBe(true);
    }),
  );
});

test.each<[string[], string, string, boolean]>([
  [["localhost"], "localhost:80", "127.0.0.1", true],
  [["localhost"], "localhost:80", "::1", true],
  [["localhost"], "localhost:80", "10.0.0.1", false],
  [["localhost:8080"], "localhost:80", "127.0.0.1", false],
  [["*"], "localhost:80", "127.0.0.1", false],
  [["*.localhost"], "a.localhost:80", "127.0.0.1", false],
  [["db.example", "10.0.0.1:5432"], "db.example:5432", "10.0.0.1", true],
  [["db.example", "10.0.0.1:5432"], "db.example:80", "10.0.0.1", false],
  [["10.0.0.1"], "db.example:80", "10.0.0.1", false],
])("with %j %s at %s", (rules, target, address, expected) => {
  expect(reaches(rules, target, address)).toBe(expected);
});

test.each<[string[], string, boolean]>([
  [["example.com"], "example.com:443", true],
  [["example.com:443"], "example.com", false],
  [["*.example.com"], "a.example.com", true],
  [["*.example.com"], "*.a.example.com", true],
  [["*.example.com"], "*.example.com", true],
  [["*.example.com"], "example.com", false],
  [["a.example.com"], "*.example.com", false],
  [["*"], "*.example.com:80", true],
  [["*"], "10.0.0.1", false],
  [["*.com", "*.net"], "*", false],
  [[], "example.com", false],
])("whether %j covers %s", (rules, wanted, expected) => {
  expect(rulesOf(wanted).every((rule) => covers(rulesOf(...rules), rule))).toBe(expected);
});

test("what is covered opens nothing new", () => {
  const host = fc.constantFrom("a.example", "b.a.example", "c.b.a.example", "8.8.8.8", "10.0.0.1");
  const rule = fc
    .tuple(fc.constantFrom("*", "*.example", "*.a.example", "*.b.a.example", "a.example", "8.8.8.8", "10.0.0.1"), port)
    .chain(([one, number]) => fc.constantFrom(one, `${one}:${number}`, `${one}:443`));
  fc.assert(
    fc.property(fc.array(rule, { maxLength: 3 }), rule, host, fc.constantFrom(80, 443), (list, wanted, to, number) => {
      const isCovered = rulesOf(wanted).every((one) => covers(rulesOf(...list), one));
      if (isCovered && opens(wanted, `${to}:${number}`))
        expect(judgeHost(targetOf(`${to}:${number}`), rulesOf(...list)).allowed).toBe(true);
    }),
  );
});

test("a grant opens hosts for its run, and nothing is left of it after", () => {
  const network = new BoxNetwork(
    ["listed.example"],
    () => undefined,
    () => 0,
  );
  const closed: string[] = [];
  network.onClosed = (run_id) => closed.push(run_id);
  const other = targetOf("other.example:443");
  const before = network.judgeHost(other);
  expect(network.open("r_1", ["*"])).toBeUndefined();
  expect(network.open("r_2", ["third.example"])).toBeUndefined();
  expect(network.judgeHost(other)).toMatchObject({ allowed: true, run_id: "r_1" });
  expect(network.judgeHost(targetOf("listed.example:443"))).toMatchObject({ allowed: true, run_id: null });
  expect(network.judgeAddress(other, addressOf("127.0.0.1")).allowed).toBe(false);
  network.close("r_1");
  network.close("r_1");
  expect(network.judgeHost(other)).toEqual(before);
  expect(network.judgeHost(targetOf("third.example:443"))).toMatchObject({ allowed: true, run_id: "r_2" });
  expect(closed).toEqual(["r_1"]);
});

test("a grant adds to the list: what a person listed as an address is reached by a name that was opened", () => {
  const network = new BoxNetwork(
    ["127.0.0.1:80"],
    () => undefined,
    () => 0,
  );
  const loopback = (host: string) => network.judgeAddress(targetOf(`${host}:80`), addressOf("127.0.0.1"));
  expect(loopback("app.example").allowed).toBe(false);
  network.open("r_1", ["*"]);
  expect(loopback("app.example")).toMatchObject({ allowed: true, run_id: "r_1" });
  expect(network.judgeAddress(targetOf("app.example:81"), addressOf("127.0.0.1")).allowed).toBe(false);
  expect(network.judgeAddress(targetOf("app.example:80"), addressOf("127.0.0.2")).allowed).toBe(false);
});

test("a grant for something that is no host opens nothing", () => {
  const network = new BoxNetwork(
    [],
    () => undefined,
    () => 0,
  );
  expect(isFault(network.open("r_1", ["example.com", "https://x"]))).toBe(true);
  expect(network.judgeHost(targetOf("example.com:443")).allowed).toBe(false);
});
