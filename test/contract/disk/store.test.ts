// The file store and the memory store keep the same contract; what only files have is tested here.
import fs from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fileStore } from "../../../src/host/disk/files.ts";
import { MemoryStore } from "../../fixtures/fakes/memory-store.ts";
import { sharedFolder } from "../../fixtures/folder.ts";
import { someMeta, storeContract } from "./store.ts";

const folder = sharedFolder();
const root = () => fs.mkdtempSync(join(folder, "r-"));

storeContract("files", () => fileStore(root()));
storeContract("memory", () => new MemoryStore());

const ID = "s_00000001";

test("files are private to their owner", () => {
  const at = root();
  const store = fileStore(at);
  store.writeMeta(someMeta(ID));
  const files = store.files(ID, "holder");
  files.appendOutput(Buffer.from("x"));
  files.appendLine("records", {});
  const mode = (path: string) => (fs.statSync(path).mode & 0o777).toString(8);
  expect(mode(join(at, ID))).toBe("700");
  for (const name of ["meta.json", "output.raw", "records.jsonl"])
    expect([name, mode(join(at, ID, name))]).toEqual([name, "600"]);
  files.close();
});

test("a torn last line is put aside before the next one is written, and is never fatal", () => {
  const at = root();
  const store = fileStore(at);
  store.writeMeta(someMeta(ID));
  const path = join(at, ID, "events.jsonl");
  fs.writeFileSync(path, '{"n":1}\n{"n":2}\n{"n":');
  const files = store.files(ID, "daemon");
  expect(files.readLines("events")).toEqual([{ n: 1 }, { n: 2 }]);
  files.appendLine("events", { n: 3 });
  expect(fs.readFileSync(path, "utf8")).toBe('{"n":1}\n{"n":2}\n{"n":3}\n');
  expect(fs.readFileSync(`${path}.torn`, "utf8")).toBe('{"n":');
  files.close();
});

test("a damaged line or meta file does no other damage", () => {
  const at = root();
  const store = fileStore(at);
  store.writeMeta(someMeta(ID));
  store.writeMeta(someMeta("s_00000002"));
  fs.writeFileSync(join(at, ID, "meta.json"), "{");
  expect(store.meta(ID)).toBeUndefined();
  expect(store.meta("s_00000002")?.session_id).toBe("s_00000002");
  fs.writeFileSync(join(at, "s_00000002", "events.jsonl"), '{"n":1}\nnonsense\n{"n":3}\n');
  expect(store.files("s_00000002", "daemon").readLines("events")).toEqual([{ n: 1 }, { n: 3 }]);
});

test("however many sessions are read and written, few files stay open, and nothing is lost", () => {
  const store = fileStore(root());
  const open = () => fs.readdirSync("/proc/self/fd").length;
  const before = open();
  const all = Array.from({ length: 300 }, (_, n) => {
    const id = `s_${String(n).padStart(8, "0")}`;
    store.writeMeta(someMeta(id));
    return store.files(id, "daemon");
  });
  for (const turn of [1, 2])
    for (const [n, files] of all.entries()) {
      files.appendOutput(Buffer.from(`${n}.${turn} `));
      files.appendLine("events", { n, turn });
    }
  expect(open() - before).toBeLessThan(100);
  for (const [n, files] of all.entries()) {
    const into = new Uint8Array(100);
    expect(Buffer.from(into.subarray(0, files.readOutput(0, into))).toString()).toBe(`${n}.1 ${n}.2 `);
    expect(files.readLines("events")).toEqual([1, 2].map((turn) => ({ n, turn })));
  }
  for (const files of all) files.close();
  expect(open()).toBe(before);
});
