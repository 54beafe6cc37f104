// Streams over a bad broker, in many random worlds. `SEED=7 npx vitest run test/sim/fleet` runs one of them again.
import { expect, test } from "vitest";
import { depth } from "../../fixtures/depth.ts";
import { FleetWorld, type Outcome } from "./world.ts";

const WORLDS = depth(10_000, 100_000);

function run(seed: number): Outcome {
  try {
    return new FleetWorld(seed).run();
  } catch (error) {
    throw new Error(`SEED=${seed}: ${error instanceof Error ? error.message : error}`, { cause: error });
  }
}

test(`in ${WORLDS} worlds no byte is lost, doubled or reordered in silence`, () => {
  const only = process.env.SEED;
  if (only !== undefined) return void console.log(run(Number(only)));
  const seen = new Map<string, number>();
  let [attaches, lostBytes, notices] = [0, 0, 0];
  for (let seed = 0; seed < WORLDS; seed += 1) {
    const outcome = run(seed);
    attaches += outcome.attaches;
    lostBytes += outcome.lostBytes;
    notices += outcome.notices;
    for (const [why, count] of Object.entries(outcome.ends)) seen.set(why, (seen.get(why) ?? 0) + count);
  }
  // The worlds are bad enough: each way to end was met.
  for (const why of ["closed", "away", "silent", "missing", "broken", "unknown"])
    expect(seen.get(why), why).toBeGreaterThan(WORLDS / 1_000);
  expect(attaches).toBeGreaterThan(2 * WORLDS);
  expect(lostBytes).toBeGreaterThan(WORLDS);
  expect(notices).toBeGreaterThan(WORLDS / 1_000);
});
