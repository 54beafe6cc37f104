// Drives vim by its screen: opens it, replaces a word, writes the file, and looks at what came of it.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openTerminals } from "duetty";

const folder = mkdtempSync(join(tmpdir(), "drive-a-tui-"));
const file = join(folder, "notes.txt");
writeFileSync(file, "hello world\n");

const terminals = await openTerminals();
try {
  const command = ["vim", "-u", "NONE", "-N", file];
  const { session_id } = await terminals.pty_open({ command, cols: 80, rows: 24, cwd: folder });
  const ready = await terminals.pty_wait({ session_id, any: [{ text: "hello world" }], since: 0 });
  assert.equal(ready.outcome, "matched");

  // A wait that belongs to an input begins before the first key is typed, so nothing is missed.
  const then = { any: [{ text: "hello terminal" }] };
  const typed = await terminals.pty_send({ session_id, text: ":%s/world/terminal/\n", then });
  console.log(typed.screen.rows.slice(0, 3).join("\n"));

  const ended = await terminals.pty_send({ session_id, text: ":wq\n", then: { any: [{ exit: true }] } });
  assert.equal(ended.exit_code, 0);
  assert.equal(readFileSync(file, "utf8"), "hello terminal\n");
} finally {
  await terminals.close();
  rmSync(folder, { recursive: true });
}
