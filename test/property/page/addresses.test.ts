// Addresses on the page: those of this machine and of others are told apart, old ones stay good, and each leads where it came from.
import fc from "fast-check";
import { expect, test } from "vitest";
import { awaySentence, byHost, hostTitle, hostWord, namesOf } from "../../../web/hosts/words.ts";
import { blockAddress, diffAddress, readAddress, sessionAddress } from "../../../web/sessions/address.ts";
import { readTree } from "../../../web/splits/tree.ts";

const letters = (chars: string, minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...chars), minLength, maxLength });
const SMALL = "0123456789abcdefghijklmnopqrstuvwxyz";
const SESSION = letters(SMALL, 8, 8).map((id) => `s_${id}`);
const BLOCK = fc.tuple(letters(SMALL, 8, 8), fc.nat(10 ** 9 - 1)).map(([id, n]) => `b_${id}_${n}`);
/** As HostName of the protocol, the nastiest among them. */
const HOST = fc.oneof(
  fc.constantFrom("board", "diff", "s_12345678", "b_12345678_1", "a.b-c_d"),
  fc.tuple(letters(`${SMALL}ABZ`, 1, 1), letters(`${SMALL}ABZ._-`, 0, 39)).map(([first, rest]) => first + rest),
);

test("an address leads where it was made", () => {
  fc.assert(
    fc.property(fc.option(HOST, { nil: undefined }), SESSION, BLOCK, (host, id, block) => {
      const at = (name: string) => (host === undefined ? name : `${host}/${name}`);
      const session = at(id);
      expect(readAddress(sessionAddress(session))).toEqual({ view: "session", session, block: undefined });
      expect(readAddress(diffAddress(session))).toEqual({ view: "diff", session, block: undefined });
      const address = blockAddress(session, at(block));
      expect(readAddress(address)).toEqual({ view: "session", session, block: at(block) });
      // Nothing in it is changed by a browser.
      expect(new URL(address, "http://x/").hash).toBe(address);
      expect(readTree(session)).toBe(session);
    }),
  );
});

test("old addresses stay good, and others lead nowhere", () => {
  expect(readAddress("#/board")).toEqual({ view: "board", session: undefined, block: undefined });
  expect(readAddress("#/s_1a2b3c4d/b_1a2b3c4d_7")).toEqual({
    view: "session",
    session: "s_1a2b3c4d",
    block: "b_1a2b3c4d_7",
  });
  expect(readAddress("#/s_1a2b3c4d/diff").view).toBe("diff");
  for (const hash of ["", "#", "#/", "#/a/b/c", "#/box/s_1a2b3c4d/b/c", "#//s_1a2b3c4d"])
    expect(readAddress(hash).session).toBe(undefined);
});

test("this machine comes first, and a machine's standing is one word with its age", () => {
  expect(["z/s_1", "s_2", "a/s_3", "s_1"].sort(byHost)).toEqual(["s_2", "s_1", "a/s_3", "z/s_1"]);
  const box = { host: "box", address: "ssh://box", reach: "gone", why: "no route", since: 0 } as const;
  expect(hostWord(box, 5 * 60_000)).toBe("gone 5 min");
  expect(hostWord({ reach: "here", since: 0 }, 5 * 60_000)).toBe("here");
  expect(hostTitle(box, 5 * 60_000)).toBe("ssh://box: gone 5 min, no route");
  expect(hostWord(box, 59_000)).toBe("gone");
  expect(awaySentence(box)).toBe("box is away.");
  expect([[], ["a"], ["a", "b"], ["a", "b", "c"]].map(namesOf)).toEqual(["", "a", "a and b", "a, b and c"]);
});
