// Limits of a working agent that more than one file needs.

/** Enough to fix a bug. An agent that needs more stops, and the person decides. */
export const STEPS_DEFAULT = 50;
/** Half an hour of work. Time spent waiting for a person does not count. */
export const TIME_LIMIT_DEFAULT_MS = 1_800_000;
/** Calls in one reply of a model. More was never sensible. */
export const CALLS_PER_STEP_MAX = 16;
/** About 100,000 tokens: half of the smallest window of a model that works well as an agent. */
export const HISTORY_CHARS_MAX = 400_000;
/** The length of one observation. A tool that returns more was not made for models. */
export const OBSERVATION_CHARS_MAX = 100_000;
/** The title of a step, which tells people what they allow. The call itself is kept whole. */
export const TITLE_CHARS_MAX = 2_000;
/**
 * One conversation in memory: twice what config.json lets a model have, so that trim.ts always decides what a
 * model sees. The file has the rest.
 */
export const HISTORY_IN_MEMORY_CHARS_MAX = 10_000_000;
