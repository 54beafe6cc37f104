// The words scenes are written in. Every step but a resize ends by looking at the screen.

/** Types and waits until the screen rests. */
export const type = (text, settle = 250) => ({ text, settle });
/** Types and waits for new text. */
export const typeSee = (text, see) => ({ text, see });
export const keys = (...names) => ({ keys: names });
export const see = (regex) => ({ see: regex });
export const settle = (ms = 250) => ({ settle: ms });
/** For programs that never rest: lets it run and looks. */
export const pause = (ms) => ({ pause: ms });
export const resize = (cols, rows) => ({ resize: [cols, rows] });
export const exit = { exit: true };
