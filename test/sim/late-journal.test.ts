// The kernel and the journal are two clocks. What a probe says now is compared with the journal only at the same cursor, so
// that a command that has run never counts as one that has not.
import { expect, it } from "vitest";
import { type Fault, isFault } from "../../src/core/base/fault.ts";
import { type Ran, runIn } from "../../src/core/run/run.ts";
import { LateWorld } from "../fixtures/fakes/late-world.ts";

const PERSON = { kind: "person" } as const;
const AGENT = { kind: "agent", name: "one" } as const;
const MINUTE_MS = 60_000;

interface Course {
  ended: Ran | Fault | undefined;
}

function begin(world: LateWorld): Course {
  const course: Course = { ended: undefined };
  let number = 0;
  const newId = () => {
    number += 1;
    return `r_${number}`;
  };
  const now = () => world.clock.monotonic();
  const spec = {
    command: "true",
    actor: PERSON,
    intent: {},
    timeout_ms: MINUTE_MS,
    newId,
    now,
    watched: new Set<string>(),
  };
  void runIn(world.session, spec).then((ran) => {
    course.ended = "leaves" in ran ? undefined : ran;
  });
  return course;
}

const typed = (world: LateWorld) => world.pty.input.map((bytes) => Buffer.from(bytes).toString("latin1")).join("");
const DONE = { status: "done", exit_code: 0 };

it.each(["kernel", "journal"] as const)(
  "a command whose marks are stuck in the %s has run, though the shell reads again",
  async (where) => {
    const world = await LateWorld.open();
    world.onLine = (run_id) => {
      world.answers(run_id, "taken");
      void world.settle().then(() => {
        world.stick(where);
        world.begins(run_id);
        world.ends();
      });
    };
    const course = begin(world);
    await world.pass(2_000);
    // In the journal nothing moves until the daemon has read it. Nobody says a word before that.
    if (where === "journal") expect(course.ended).toBeUndefined();
    world.release();
    await world.settle();
    expect(course.ended).toMatchObject(DONE);
    expect(typed(world)).not.toContain("\x03");
  },
);

it("a line that the shell takes for unfinished is taken back, and nothing has run", async () => {
  const world = await LateWorld.open();
  world.onLine = (run_id) => world.answers(run_id, "taken");
  const course = begin(world);
  await world.settle();
  expect(course.ended).toBeUndefined();
  await world.pass(3_000);
  expect(course.ended).toMatchObject({ code: "input.invalid", hint: expect.stringContaining("Nothing was run.") });
  expect(typed(world)).toContain("\x03");
});

it("a run waits for a shell that took the line and gets no processor", async () => {
  const world = await LateWorld.open();
  let taken = "";
  world.onLine = (run_id) => {
    taken = run_id;
    world.pty.setReading("no");
    world.answers(run_id, "taken");
  };
  const course = begin(world);
  await world.pass(20_000);
  expect(course.ended).toBeUndefined();
  expect(typed(world)).not.toContain("\x03");
  world.begins(taken);
  world.ends();
  await world.settle();
  expect(course.ended).toMatchObject(DONE);
});

it("a run waits for a shell that gets no processor before it takes the line, and the line runs once", async () => {
  const world = await LateWorld.open();
  const keys: string[] = [];
  world.onLine = (run_id) => {
    world.pty.setReading("no");
    keys.push(run_id);
  };
  const course = begin(world);
  await world.pass(12_000);
  expect(course.ended).toBeUndefined();
  world.runs(keys[0] ?? "");
  await world.settle();
  expect(course.ended).toMatchObject({ ...DONE, run_id: keys[0] });
  expect(keys).toHaveLength(1);
});

it("a run fails at a shell that reads and does not answer", async () => {
  const world = await LateWorld.open();
  world.onLine = () => undefined;
  const course = begin(world);
  await world.pass(6_000);
  expect(course.ended).toMatchObject({ code: "run.no_answer" });
});

it("when the kernel cannot tell what the shell does, a failed run does not say that nothing was run", async () => {
  const world = await LateWorld.open();
  world.onLine = (run_id) => world.answers(run_id, "taken");
  world.pty.setReading("unknown");
  const course = begin(world);
  await world.pass(10_000);
  expect(course.ended).toMatchObject({ code: "input.invalid", hint: expect.not.stringContaining("Nothing was run") });
});

it.each(["kernel", "journal"] as const)(
  "the screen shows the password prompt when echo is off, even when the prompt is stuck in the %s",
  async (where) => {
    const world = await LateWorld.open();
    world.stick(where);
    world.pty.say("password: ");
    world.pty.setEcho("off");
    const seeing = world.session.see({ scrollback: 0 });
    await world.settle();
    world.release();
    await world.settle();
    expect(await seeing).toMatchObject({ echo: "off", rows: expect.arrayContaining(["$ password:"]) });
  },
);

it.each(["kernel", "journal"] as const)(
  "an agent's line is typed at the prompt that is there, though its marks are stuck in the %s",
  async (where) => {
    const world = await LateWorld.open();
    world.begins("r_0");
    await world.settle();
    world.stick(where);
    world.ends();
    world.onLine = (id) => world.answers(id, "edited");
    const sending = world.session.send({ actor: AGENT, input: { text: "ls\n" }, intent: { timeout_ms: 0 } });
    await world.settle();
    world.release();
    // Whoever sends a line waits a moment for the shell's no to it.
    await world.pass(2_000);
    const sent = await sending;
    expect(isFault(sent) ? sent : "sent").toBe("sent");
    // The shell changes its line by name and is made to ask about it: no text, and no plain Enter.
    expect(typed(world)).toMatch(/\x1b\[9976~$/);
    expect(typed(world)).not.toContain("ls");
  },
);
