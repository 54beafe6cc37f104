// A guest's socket: which session it shows, what may come in by it, who is here, and its end.
import { describe, expect, it } from "vitest";
import { Guest } from "../../fixtures/stand/guest.ts";
import { sharedStand } from "../../fixtures/stand/stand.ts";
import { TestViewer } from "../../fixtures/stand/viewer.ts";

const shared = sharedStand({ own: true });
const { duetty, person, agent, open, openGatedShell } = shared;

const view = (guest: Guest, id: string) => TestViewer.open(duetty, id, { headers: guest.headers() });
const refusedWith = (viewer: TestViewer) =>
  new Promise<number | undefined>((resolve) =>
    viewer.socket.once("unexpected-response", (_, { statusCode }) => resolve(statusCode)),
  );

describe("a guest's socket", () => {
  it("shows the session, and what a typist types is theirs", async () => {
    const session_id = await open(["cat"]);
    const ann = await Guest.of(shared, { session_id, role: "type", name: "Ann", unmasked: true });
    const viewer = await view(ann, session_id).hello();
    viewer.type("from ann\r");
    await viewer.until(({ bytes }) => bytes.includes("from ann"));
    expect(viewer.message("hold")).toMatchObject({ hold: "person:Ann" });
    expect(duetty.events(session_id)).toContain('"actor":"person:Ann"');
  });

  it("of another session is refused, and so is one without the page's Origin", async () => {
    const [mine, other] = [await open(["cat"]), await open(["cat"])];
    const ann = await Guest.of(shared, { session_id: mine, unmasked: true });
    expect(await refusedWith(view(ann, other))).toBe(403);
    expect(await refusedWith(view(ann, "s_00000000"))).toBe(403);
    const { origin, ...without } = ann.headers();
    expect(await refusedWith(TestViewer.open(duetty, mine, { headers: without }))).toBe(401);
  });

  it("takes nothing from who only watches: no keys, no frames, no size", async () => {
    const session_id = await open(["cat"]);
    const before = (await person.status({ session_id })).session;
    const viewer = await view(await Guest.of(shared, { session_id, unmasked: true }), session_id).hello();
    viewer.type("INTRUDER\r");
    viewer.tell({ type: "resize", cols: 20, rows: 5, asks: true });
    for (const type of ["take", "release", "stop", "lift"]) viewer.tell({ type });
    viewer.tell({ type: "mode", mode: "terminal" });
    await viewer.until(({ messages }) => messages.filter(({ type }) => type === "notice").length === 5);
    const after = (await person.status({ session_id })).session;
    expect(after).toMatchObject({ cols: before?.cols, rows: before?.rows, hold: "nobody", policy: before?.policy });
    expect(duetty.raw(session_id).toString()).not.toContain("INTRUDER");
  });

  it("starts no program, and tells nothing of the conversation or of questions elsewhere", async () => {
    const { session_id } = await openGatedShell();
    const viewer = await view(await Guest.of(shared, { session_id, unmasked: true }), session_id).hello();
    const owner = await TestViewer.open(duetty, session_id).hello();
    const asking = agent("sly").ask_person({ message: "elsewhere", timeout_ms: 60_000 });
    await owner.until(({ messages }) => messages.some(({ type }) => type === "approval"));
    const [{ approval_id } = { approval_id: "" }] = (await person.approvals({})).approvals;
    await person.deny({ approval_id });
    await asking;
    // Told after the question, so the guest would have heard of it by now.
    await person.take({ session_id });
    await viewer.until(({ messages }) => messages.some((one) => one.type === "hold" && one.hold === "person"));
    const told = new Set(viewer.messages.map(({ type }) => type));
    for (const type of ["approval", "approval_settled", "agent", "policy"] as const) expect(told).not.toContain(type);
  });

  it("is told who is here, as everybody is", async () => {
    const session_id = await open(["cat"]);
    const owner = await TestViewer.open(duetty, session_id).hello();
    const ann = await Guest.of(shared, { session_id, role: "type", name: "Ann", unmasked: true });
    const viewer = await view(ann, session_id).hello();
    const both = [
      { actor: "person", may: "all" },
      { actor: "person:Ann", may: "type" },
    ];
    for (const one of [owner, viewer])
      await one.until(() => JSON.stringify(one.message("presence")?.here) === JSON.stringify(both));
    viewer.close();
    await owner.until(() => owner.message("presence")?.here.length === 1);
  });

  it("ends before the owner hears that the link is taken back: it types nothing more, and hears nothing more", async () => {
    const session_id = await open(["cat"]);
    const owner = await TestViewer.open(duetty, session_id).hello();
    const ann = await Guest.of(shared, { session_id, role: "type", unmasked: true });
    const viewer = await view(ann, session_id).hello();
    const from = performance.now();
    const closed = new Promise<number>((resolve) =>
      viewer.socket.once("close", () => resolve(performance.now() - from)),
    );
    await person.unshare({ id: ann.share.id });
    viewer.type("INTRUDER\r");
    await person.pty_send({ session_id, text: "AFTERWARDS\n" });
    await owner.until(({ bytes }) => bytes.includes("AFTERWARDS"));
    // The daemon's own limit is half a second, for who does not answer. How late a busy machine looks is no promise of ours.
    console.log(`the guest's socket was closed after ${Math.round(await closed)} ms`);
    expect(viewer.closed?.code).toBe(4403);
    expect(viewer.bytes.toString()).not.toContain("AFTERWARDS");
    expect(duetty.raw(session_id).toString()).not.toContain("INTRUDER");
    expect(await refusedWith(view(ann, session_id))).toBe(401);
  });

  it("ends also when the guest's side does not answer, and nobody is here then", async () => {
    const session_id = await open(["cat"]);
    const owner = await TestViewer.open(duetty, session_id).hello();
    const ann = await Guest.of(shared, { session_id, name: "Ann", unmasked: true });
    const viewer = await view(ann, session_id).hello();
    await owner.until(() => owner.message("presence")?.here.length === 2);
    viewer.socket.pause();
    const from = performance.now();
    await person.unshare({ id: ann.share.id });
    await owner.until(() => owner.message("presence")?.here.length === 1);
    console.log(`a guest who does not answer was cut off after ${Math.round(performance.now() - from)} ms`);
    expect((await person.shares({ session_id })).shares).toEqual([]);
  });

  it("ends when the time is over", async () => {
    const session_id = await open(["cat"]);
    const ann = await Guest.of(shared, { session_id, for: "5s", unmasked: true });
    const viewer = await view(ann, session_id).hello();
    await expect.poll(() => viewer.closed?.code).toBe(4403);
  });
});
