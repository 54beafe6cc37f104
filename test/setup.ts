// `npm test` draws from a fixed seed, so that its result is reproducible. The longer tiers draw from a new seed each time. A failure prints its
// seed: FC_SEED=<seed> repeats it, with the same TESTS=all or TESTS=long, since a smaller tier may end before the failing run.
import { randomInt } from "node:crypto";
import fc from "fast-check";
import { isExploring } from "./fixtures/depth.ts";

const FIXED_SEED = 20_261_115;

fc.configureGlobal({ seed: Number(process.env.FC_SEED ?? (isExploring() ? randomInt(2 ** 31) : FIXED_SEED)) });
