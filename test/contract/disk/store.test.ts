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
