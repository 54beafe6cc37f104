// Streams of six agents, cut anywhere: the states that are told are exactly those that a person would name, none is missed.
import fc from "fast-check";
import { expect, test } from "vitest";
import { presetsWith } from "../../../src/core/agent-cli/own-presets.ts";
import { AgentWatch } from "../../../src/core/agent-cli/watch.ts";
import { isFault } from "../../../src/core/base/fault.ts";
import { PacedScreen } from "../../../src/core/screen/paced-screen.ts";
import { makeGhostty } from "../../../src/host/engine/ghostty.ts";
import { STREAMS, type Stream } from "../../fixtures/agent-cli/streams.ts";
import { FakeClock } from "../../fixtures/fakes/clock.ts";

const presets = presetsWith({});
if (isFault(presets)) throw new Error(presets.message);

/** The states that were told while the stream was played in pieces of these sizes. */
function told({ agent, steps }: Stream, sizes: readonly number[]): string[] {
  const clock = new FakeClock();
  const engine = makeGhostty({ cols: 90, rows: 24, scrollback: 10 });
  const turn = () => {
    screen.turned(0);
    watch.turned();
  };
  const screen: PacedScreen = new PacedScreen(
    engine,
    clock,
    { closely: () => false, attended: () => false, looked: () => undefined },
    turn,
  );
  const states: string[] = [];
  const watch = new AgentWatch(
    {
      clock,
      presets: presets as never,
      screen: () => ({ ...screen.now.view(), title: screen.now.title, hidden: () => screen.now.view().rows }),
      hide: (t) => t,
    },
    (told) => states.push(`${told?.now.state}${told?.now.kind ? ` ${told.now.kind}` : ""}`),
  );
  let [cursor, piece] = [0, 0];
  for (const { bytes, key } of steps) {
    if (key) watch.typed(Uint8Array.of(0x1b));
    const all = new TextEncoder().encode(bytes);
    for (let at = 0; at < all.length; ) {
      const size = sizes[piece++ % sizes.length] ?? 1;
      const part = all.subarray(at, at + size);
      watch.read(part, cursor);
      engine.feed(part);
      turn();
      clock.pass(size % 7);
      at += part.length;
      cursor += part.length;
    }
    for (let i = 0; i < 8; i += 1) {
      clock.pass(100);
      watch.inFront({ pid: 7, name: "node", script: agent });
    }
  }
  watch.stop();
  screen.stop();
  engine.dispose();
  return states;
}

test.each(STREAMS.map((stream, at) => [`${at + 1} ${stream.agent}`, stream] as const))(
  "the states of stream %s are told, no other, whatever the cuts",
  (_, stream) => {
    const expected = stream.steps.map(({ state }) => state);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 30 }), (sizes) => {
        expect(told(stream, sizes)).toEqual(expected);
      }),
      { numRuns: 40 },
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
