// Streams over a bad broker, in many random worlds. A failure prints its seed; SEED=n runs it again.
import { expect, test } from "vitest";
import { depth } from "../../fixtures/depth.ts";
import { inWorld, isFullSample, seedsFor } from "../../fixtures/seeded.ts";
import { FleetWorld } from "./world.ts";

const SEEDS = seedsFor(depth(500, 10_000, 100_000));

test(`in ${SEEDS.length} worlds no byte is lost, duplicated or reordered silently`, async () => {
  const ends = new Map<string, number>();
  let attaches = 0;
  let lostBytes = 0;
  let notices = 0;
  for (const seed of SEEDS) {
    const outcome = await inWorld(seed, () => new FleetWorld(seed).run());
    attaches += outcome.attaches;
    lostBytes += outcome.lostBytes;
    notices += outcome.notices;
    for (const [why, count] of Object.entries(outcome.ends)) ends.set(why, (ends.get(why) ?? 0) + count);
    if (!isFullSample) console.log(`SEED=${seed}`, outcome);
  }
  if (!isFullSample) return;
  // The worlds are bad enough: streams ended in every possible way.
  for (const why of ["closed", "away", "silent", "missing", "broken", "unknown"])
    expect(ends.get(why), why).toBeGreaterThan(SEEDS.length / 1_000);
  expect(attaches).toBeGreaterThan(2 * SEEDS.length);
  expect(lostBytes).toBeGreaterThan(SEEDS.length);
  expect(notices).toBeGreaterThan(SEEDS.length / 1_000);
});
