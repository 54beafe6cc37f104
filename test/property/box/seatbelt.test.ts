// The profile for macOS as text. It has not been run on a Mac.
import { expect, test } from "vitest";
import type { BoxPlan } from "../../../src/core/box/plan.ts";
import { seatbeltProfile } from "../../../src/core/box/seatbelt.ts";

const PLAN: BoxPlan = {
  roots: ["/Users/ada/app"],
  repository: [],
  pinned: ["/Users/ada/app/.git"],
  gitFolders: [],
  readOnly: [{ path: "/Users/ada/app/.git/hooks", access: "read" }],
  reserved: [],
  reservedFiles: [],
  links: [],
  isSearchedInPart: false,
  empty: [],
  visible: [],
  masks: ["/Users/ada/.ssh", '/Users/ada/odd "name"'],
  maskedFiles: ["/Users/ada/.netrc"],
  keep: [{ path: "/Users/ada/.duetty/sessions/s_1/shell", access: "read" }],
  emptyFile: "/e",
  ownDir: "/Users/ada/.duetty/boxes/1",
  network: [],
  proxyFolder: null,
  limits: { processes: null, file_bytes: null, memory_bytes: null, cpu_seconds: null },
};

test("denies writes, then secrets, then opens the roots, then protects what lies in them", () => {
  expect(seatbeltProfile(PLAN)).toBe(`(version 1)
(allow default)
(deny file-write*)
(allow file-write* (literal "/dev/null") (literal "/dev/tty") (regex #"^/dev/ttys"))
(deny file-read* file-write* (subpath "/Users/ada/.ssh") (subpath "/Users/ada/odd \\"name\\"") (subpath "/Users/ada/.netrc"))
(allow file-read* (subpath "/Users/ada/.duetty/sessions/s_1/shell"))
(allow file-read* file-write* (subpath "/Users/ada/app") (subpath "/Users/ada/.duetty/boxes/1"))
(deny file-write* (subpath "/Users/ada/app/.git/hooks"))
(deny network*)
(allow network* (local ip "localhost:*") (remote ip "localhost:*"))
`);
});
