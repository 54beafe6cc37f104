// The contract of the Store port, for any adapter.
import { describe, expect, test } from "vitest";
import type { Meta, Store } from "../../../src/core/journal/store.ts";
import { soon } from "../../fixtures/soon.ts";

export const someMeta = (session_id: string): Meta => ({
  session_id,
  name: null,
  command: ["cat"],
  cwd: "/",
  env_names: [],
  cols: 80,
  rows: 24,
  sizing: "pinned",
  actor: "person",
  integration: null,
  created_at: 1,
});

export function storeContract(name: string, make: () => Store): void {
  const bytes = (text: string) => Buffer.from(text);
  const created = (id = "s_00000001"): Store => {
    const store = make();
    store.writeMeta(someMeta(id));
    return store;
  };
  const read = (store: Store, at: number, length: number) => {
    const into = new Uint8Array(length);
    return Buffer.from(into.subarray(0, store.files("s_00000001", "daemon").readOutput(at, into))).toString("latin1");
  };

  describe(`store contract: ${name}`, () => {
    test("keeps a session's meta data until the session is removed", () => {
      const store = created();
      expect(store.ids()).toEqual(["s_00000001"]);
      expect(store.meta("s_00000001")).toEqual(someMeta("s_00000001"));
      store.remove("s_00000001");
      expect(store.ids()).toEqual([]);
      expect(store.meta("s_00000001")).toBeUndefined();
    });

    test("a session has started once the holder opened its files, not before", () => {
      const store = created();
      expect(store.files("s_00000001", "daemon").outputSize()).toBe(0);
      expect(store.started("s_00000001")).toBe(false);
      store.files("s_00000001", "holder");
      expect(store.started("s_00000001")).toBe(true);
    });

    test("output is bytes, appended in order and read from anywhere", () => {
      const store = created();
      const files = store.files("s_00000001", "holder");
      const all = Buffer.from(Array.from({ length: 256 }, (_, i) => i));
      expect(files.appendOutput(all)).toBe(256);
      expect(files.appendOutput(bytes("tail"))).toBe(4);
      expect(files.outputSize()).toBe(260);
      expect(read(store, 0, 260)).toBe(`${all.toString("latin1")}tail`);
      expect(read(store, 254, 3)).toBe("\xfe\xfft");
      expect(read(store, 258, 100)).toBe("il");
      expect(read(store, 260, 10)).toBe("");
      expect(read(store, 9_999, 10)).toBe("");
    });

    test("a reader sees what a writer has appended meanwhile", () => {
      const store = created();
      const writer = store.files("s_00000001", "holder");
      const reader = store.files("s_00000001", "daemon");
      for (const part of ["a", "b", "c"]) {
        writer.appendOutput(bytes(part));
        const into = new Uint8Array(1);
        expect(reader.readOutput(writer.outputSize() - 1, into)).toBe(1);
        expect(Buffer.from(into).toString()).toBe(part);
      }
    });

    test("lines are read back unchanged, separately for each file", () => {
      const store = created();
      const files = store.files("s_00000001", "holder");
      expect(files.readLines("records")).toEqual([]);
      expect(files.appendLine("records", { kind: "resize", text: "zwölf\n\u2028" })).toBe(true);
      expect(files.appendLine("records", { kind: "exit" })).toBe(true);
      expect(files.appendLine("events", { kind: "input" })).toBe(true);
      expect(files.readLines("records")).toEqual([{ kind: "resize", text: "zwölf\n\u2028" }, { kind: "exit" }]);
      expect(store.files("s_00000001", "daemon").readLines("events")).toEqual([{ kind: "input" }]);
    });

    test("lines can be read from a byte offset on, whole lines only", async () => {
      const store = created();
      const files = store.files("s_00000001", "daemon");
      expect(files.readLinesFrom("screen", 0, 10)).toEqual({ lines: [], next: 0, size: 0 });
      for (const n of [1, 2, 3]) files.appendLater("screen", { n, text: "zwölf" });
      await files.settled();
      const first = files.readLinesFrom("screen", 0, 2);
      expect(first.lines).toEqual([
        { n: 1, text: "zwölf" },
        { n: 2, text: "zwölf" },
      ]);
      const second = files.readLinesFrom("screen", first.next, 2);
      expect(second.lines).toEqual([{ n: 3, text: "zwölf" }]);
      expect(second.next).toBe(second.size);
      expect(files.readLinesFrom("screen", first.next - 3, 1).lines).toEqual([{ n: 3, text: "zwölf" }]);
      expect(files.readLinesFrom("screen", 1e9, 5)).toEqual({ lines: [], next: second.size, size: second.size });
    });

    test("keeps engine states by cursor, and has none that it was not given", async () => {
      const store = created();
      const files = store.files("s_00000001", "daemon");
      expect(files.keyframes()).toEqual([]);
      files.writeKeyframe(2000, Buffer.from("later"));
      files.writeKeyframe(100, Buffer.from("early"));
      await soon(() => expect(files.keyframes()).toEqual([100, 2000]));
      expect(Buffer.from((await files.readKeyframe(2000)) ?? []).toString()).toBe("later");
      expect(await files.readKeyframe(3)).toBeUndefined();
      for (const row of ["older", "newer"]) files.writeSnapshot({ rows: [row] });
      await files.settled();
    });

    test("closed files open again at the next use", () => {
      const store = created();
      const files = store.files("s_00000001", "holder");
      files.appendOutput(bytes("one"));
      files.close();
      files.close();
      files.appendOutput(bytes(" two"));
      expect(read(store, 0, 10)).toBe("one two");
    });
  });
}
