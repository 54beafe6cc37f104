// What bounds an agent at work, where more than one file needs to know it.

/** Enough to fix a bug; an agent that needs more is asked whether it is still on the way. */
export const STEPS_DEFAULT = 50;
/** Half an hour of work; time in which a person keeps it waiting does not count. */
export const TIME_LIMIT_DEFAULT_MS = 1_800_000;
/** One reply of a model may ask for this many calls; more than this has never been seen to be sensible. */
export const CALLS_PER_STEP_MAX = 16;
/** About 100,000 tokens: half of the smallest window of a model that works well as an agent. */
export const HISTORY_CHARS_MAX = 400_000;
/** One observation; a tool that tells more than this was not made for models. */
export const OBSERVATION_CHARS_MAX = 100_000;
/** What a step does, for people, who see from it what they let happen; the call itself is kept whole. */
export const TITLE_CHARS_MAX = 2_000;
/**
 * Of one conversation, in memory: twice what config.json lets a model have, so that it is always trim.ts that decides what a
 * model sees. The file has the rest.
 */
export const HISTORY_IN_MEMORY_CHARS_MAX = 10_000_000;
