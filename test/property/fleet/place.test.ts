// Answers of another machine as they are told here.
import { expect, test } from "vitest";
import { placed } from "../../../src/core/fleet/place.ts";

const SIDES = { host: "box", me: "laptop" };

test("an answer of any depth has an end, and can be written again", () => {
  let deep: unknown = { session_id: "s_aaaaaaaa" };
  for (let i = 0; i < 200_000; i += 1) deep = i % 2 === 0 ? [deep] : { value: deep };
  const text = JSON.stringify(placed({ session_id: "s_bbbbbbbb", deep }, SIDES));
  expect(text).toContain("box/s_bbbbbbbb");
  expect(text.length).toBeLessThan(2_000);
});
