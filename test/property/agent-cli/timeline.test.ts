// The recorded streams of real agents, cut anywhere: the states that are told are exactly those that were true, each in its time.
import fc from "fast-check";
import { expect, test } from "vitest";
import { presetsWith } from "../../../src/core/agent-cli/own-presets.ts";
import { AgentWatch } from "../../../src/core/agent-cli/watch.ts";
import { isFault } from "../../../src/core/base/fault.ts";
import { encodeInput, type InputSpec } from "../../../src/core/screen/input/input.ts";
import { PacedScreen } from "../../../src/core/screen/paced-screen.ts";
import { makeGhostty } from "../../../src/host/engine/ghostty.ts";
import { recordedStreams, type Stream } from "../../fixtures/agent-cli/streams.ts";
import { depth } from "../../fixtures/depth.ts";
import { FakeClock } from "../../fixtures/fakes/clock.ts";

const presets = presetsWith({});
if (isFault(presets)) throw new Error(presets.message);

/** The daemon asks at least so often which program is in front. */
const LOOK_MS = 500;
/** What came later has a time mark of its own. */
const MARK_MS = 50;

interface Told {
  readonly state: string;
  readonly ms: number;
  /** What was told when somebody pressed a key. */
  why?: string | undefined;
}

/** The states that were told while the stream came as it was recorded, in pieces of these sizes. */
function told({ agent, cols, rows, bytes, keys, marks, stages }: Stream, sizes: readonly number[]): Told[] {
  const clock = new FakeClock();
  const engine = makeGhostty({ cols, rows, scrollback: 10 });
  const turn = () => {
    screen.turned(0);
    watch.turned();
  };
  const alone = { closely: () => false, attended: () => false, looked: () => undefined };
  const screen: PacedScreen = new PacedScreen(engine, clock, alone, turn);
  const states: Told[] = [];
  const watch = new AgentWatch(
    {
      clock,
      presets: presets as never,
      screen: () => ({ ...screen.now.view(), title: screen.now.title, hidden: () => screen.now.view().rows }),
      hide: (t) => t,
    },
    (status) => {
      const { state, kind } = status?.now ?? {};
      // Agents that say only that they are idle have finished, if they worked.
      const is = state === "idle" && watch.isTurnOver ? "done" : `${state}${kind ? ` ${kind}` : ""}`;
      const last = states.at(-1)?.state;
      // Codex takes that back when somebody begins to write.
      const isSame = last === is || (last === "done" && is === "idle");
      if (!isSame) states.push({ state: is, ms: clock.monotonic() });
    },
  );
  const front = { pid: 7, name: "node", script: agent };
  const until = (ms: number) => {
    while (clock.monotonic() < ms) {
      clock.pass(Math.min(LOOK_MS, ms - clock.monotonic()));
      watch.inFront(front);
    }
  };
  let [cursor, piece] = [0, 0];
  /** All that came until then. */
  const feed = (to: number, ms: number) => {
    const ends = Math.min(ms, clock.monotonic() + MARK_MS);
    while (cursor < to) {
      const size = sizes[piece++ % sizes.length] ?? 1;
      const part = bytes.subarray(cursor, Math.min(to, cursor + size));
      watch.read(part, cursor);
      engine.feed(part);
      turn();
      cursor += part.length;
      clock.pass(Math.min(size % 7, Math.max(0, ends - clock.monotonic())));
    }
    until(ms);
  };
  watch.inFront(front);
  const events = [
    ...marks.map(([at, ms]) => ({ cursor: at, ms, input: undefined })),
    ...keys.map(({ cursor: at, ms, ...input }) => ({ cursor: at, ms, input: input as InputSpec })),
  ].sort((a, b) => a.cursor - b.cursor || a.ms - b.ms);
  for (const event of events) {
    feed(event.cursor, event.ms);
    if (!event.input) continue;
    const last = states.at(-1);
    if (last) last.why = watch.look()?.now.why;
    const typed = encodeInput(event.input, engine.modes());
    if (isFault(typed)) throw new Error(typed.message);
    watch.typed(typed);
  }
  feed(bytes.length, stages.at(-1)?.until.ms ?? 0);
  watch.stop();
  screen.stop();
  engine.dispose();
  return states;
}

/** Small enough to cut characters and sequences, and large enough to have a stream in few pieces. */
const size = fc.oneof(fc.integer({ min: 1, max: 90 }), fc.integer({ min: 1_000, max: 20_000 }));

test.each(recordedStreams().map((stream) => [stream.from, stream] as const))(
  "the states of %s and what it asks are told in their time, and no other, whatever the cuts",
  (_, stream) => {
    const expected = ["starting", ...stream.stages.map(({ state }) => state)];
    fc.assert(
      fc.property(fc.array(size, { minLength: 1, maxLength: 30 }), (sizes) => {
        const [, ...states] = told(stream, sizes);
        expect(["starting", ...states.map(({ state }) => state)]).toEqual(expected);
        expect(states.find(({ state }) => state.startsWith("blocked"))?.why).toContain("touch made-by-hand; ls -la");
        for (const [at, { from, until }] of stream.stages.entries()) {
          expect(states[at]?.ms).toBeGreaterThanOrEqual(from.ms);
          expect(states[at]?.ms).toBeLessThanOrEqual(until.ms);
        }
      }),
      { numRuns: depth(2, 4, 60) },
    );
  },
);
test("a turn is over when an agent is idle after work, unless somebody interrupted it", () => {
  const clock = new FakeClock();
  const picture = { title: "", rows: [] as string[], hidden: () => [] };
  const screen = () => picture;
  const watch = new AgentWatch({ clock, presets: presets as never, screen, hide: (t) => t }, () => undefined);
  const front = { pid: 7, name: "gemini" };
  const shows = (title: string) => {
    picture.title = title;
    clock.pass(1_000);
    return `${watch.inFront(front)} ${watch.isTurnOver}`;
  };
  expect(shows("◇  Ready")).toBe("idle false");
  expect(shows("✦  Working")).toBe("working false");
  expect(shows("✋  Action Required")).toBe("blocked false");
  expect(shows("◇  Ready")).toBe("idle true");
  expect(shows("✦  Working")).toBe("working false");
  watch.typed(Uint8Array.of(0x1b));
  expect(shows("◇  Ready")).toBe("idle false");
  expect(shows("✦  Working")).toBe("working false");
  watch.typed(Uint8Array.of(0x03));
  clock.pass(60_000);
  expect(shows("◇  Ready")).toBe("idle true");
  watch.stop();
});
