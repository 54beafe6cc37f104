// A child with everything it starts, ended as one.
import { expect, test } from "vitest";
import { isFault } from "../../../src/core/base/fault.ts";
import { type ChildTree, startTree } from "../../../src/host/process/child-tree.ts";
import { processRow } from "../../../src/host/process/table.ts";
import { sharedFolder } from "../../fixtures/folder.ts";
import { isReaped, marked, program } from "../../fixtures/pty/native-sessions.ts";

const folder = sharedFolder();

let count = 0;

async function start(argv: readonly string[]): Promise<{ tree: ChildTree; marker: string }> {
  count += 1;
  const marker = { name: "DUETTY_TREE_TEST", value: `${process.pid}_${count}` };
  const { PATH = "" } = process.env;
  const tree = await startTree({ argv, cwd: folder, env: { PATH }, marker });
  if (isFault(tree)) throw new Error(tree.message);
  return { tree, marker: `${marker.name}=${marker.value}` };
}

/** What it printed, once it holds this. */
function printed(tree: ChildTree, pattern: RegExp): Promise<RegExpExecArray> {
  return new Promise((resolve) => {
    let text = "";
    tree.stdout.on("data", (bytes) => {
      text += bytes;
      const match = pattern.exec(text);
      if (match) resolve(match);
    });
  });
}

test("a child's input, output and exit code pass through", async () => {
  const { tree } = await start(["sh", "-c", "read line; echo got $line; echo sorry >&2; exit 7"]);
  tree.stdin.write("this\n");
  await printed(tree, /got this/);
  expect(await tree.exited).toEqual({ code: 7, signal: null });
  await tree.end();
  expect(tree.complaints).toBe("sorry");
});

test("close does not wait for a child that ends at the first signal", async () => {
  const { tree } = await start(["sleep", "300"]);
  await tree.end();
  expect(await tree.exited).toEqual({ code: null, signal: "SIGTERM" });
  expect(isReaped(tree.pid)).toBe(true);
});

test("close ends daemons, nohup jobs and processes without the marker", async () => {
  const { tree, marker } = await start(["sh", program("orphan-child.sh")]);
  await printed(tree, /ready/);
  expect(marked(marker).length).toBeGreaterThan(1);
  await tree.end();
  expect(marked(marker)).toEqual([]);
  expect(isReaped(tree.pid)).toBe(true);
});

test("close ends what a dead leader left behind", async () => {
  const script = "setsid sh -c 'trap \"\" TERM HUP; echo pid $$; while :; do sleep 300; done' & sleep 0.1";
  const { tree } = await start(["sh", "-c", script]);
  const [, pid] = await printed(tree, /pid (\d+)\n/);
  await tree.exited;
  expect(processRow(Number(pid))).not.toBeNull();
  await tree.end();
  expect(processRow(Number(pid))).toBeNull();
});

test("a missing program is a fault; error output is kept up to its end", async () => {
  const marker = { name: "X", value: "1" };
  const lost = await startTree({ argv: ["no-such-agent"], cwd: folder, env: { PATH: "/bin" }, marker });
  expect(isFault(lost) && lost.code).toBe("command.not_found");
  const { tree } = await start(["sh", "-c", "yes complaint | head -n 5000 >&2; echo the end >&2"]);
  await tree.exited;
  await tree.end();
  expect(tree.complaints.length).toBeLessThanOrEqual(4_000);
  expect(tree.complaints.endsWith("the end")).toBe(true);
});
