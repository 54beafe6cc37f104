// Taking the keyboard and giving it back: the same by a frame of the WebSocket as by the operation, and what a person says with
// it reaches the agent.
import { describe, expect, test } from "vitest";
import { sharedStand } from "../fixtures/stand/stand.ts";
import { TestViewer } from "../fixtures/stand/viewer.ts";

const { duetty, person, agent, openShell, openGatedShell } = sharedStand({ agent: "one" });
const opened = async () => (await openShell()).session_id;
const infoOf = async (id: string) => (await person.pty_list({})).sessions.find(({ session_id }) => session_id === id);

const watching = (id: string, options: { token?: string } = {}) => TestViewer.open(duetty, id, options).hello();

describe("by a frame of the WebSocket", () => {
  test("a release ends a stop of everything, as the operation does", async () => {
    const session_id = await opened();
    const viewer = await watching(session_id);
    await person.stop({});
    await expect(agent().pty_open({})).rejects.toMatchObject({ code: "gate.held" });
    viewer.tell({ type: "release" });
    await viewer.until(() => viewer.message("hold")?.hold === "nobody");
    expect(await agent().run_command({ session_id, command: "pwd" })).toMatchObject({ status: "done" });
    await agent().pty_close({ session_id: (await agent().pty_open({})).session_id });
  });

  test("take, stop, mode and an answer do what the operations do", async () => {
    const { session_id } = await openGatedShell();
    const viewer = await watching(session_id);
    viewer.tell({ type: "take", note: "my turn" });
    await viewer.until(() => viewer.message("hold")?.hold === "person");
    expect(viewer.message("hold")).toMatchObject({ reason: "manual", note: "my turn" });
    viewer.tell({ type: "stop" });
    await viewer.until(() => viewer.message("hold")?.reason === "stop");
    viewer.tell({ type: "mode", mode: "terminal" });
    await viewer.until(() => viewer.message("mode")?.mode === "terminal");
    viewer.tell({ type: "mode", mode: "agent_terminal" });
    viewer.tell({ type: "release" });
    await viewer.until(() => viewer.message("hold")?.hold === "nobody");
    const runs = agent().run_command({ session_id, command: "touch made" });
    await viewer.until(() => viewer.message("approval") !== undefined);
    const approval_id = viewer.message("approval")?.approval.approval_id;
    viewer.tell({ type: "answer", approval_id, answer: "approve", edit: "echo instead" });
    expect(await runs).toMatchObject({ status: "done", command: "echo instead" });
    viewer.tell({ type: "answer", approval_id, answer: "deny" });
    await viewer.until(() => viewer.message("notice")?.message.includes("already") === true);
  });

  test("an agent is told that it may not", async () => {
    const session_id = await opened();
    await person.take({ session_id });
    const viewer = await watching(session_id, { token: duetty.token("agent") });
    const notices = () => viewer.messages.flatMap((one) => (one.type === "notice" ? [one.message] : []));
    for (const frame of [{ type: "take" }, { type: "stop" }, { type: "mode", mode: "terminal" }, { type: "release" }]) {
      const before = notices().length;
      viewer.tell(frame);
      await viewer.until(() => notices().length > before);
    }
    viewer.tell({ type: "answer", approval_id: "a_1", answer: "approve" });
    await viewer.until(() => notices().length === 5);
    expect(await infoOf(session_id)).toMatchObject({ hold: "person", hold_reason: "manual" });
  });
});
