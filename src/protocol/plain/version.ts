// One place for what the parts of a running installation compare when they meet. No imports: the CLI loads it.

export const VERSION = "0.1.0";
/** CLI ↔ daemon. Raised when an older partner could misunderstand us. */
export const API_PROTOCOL = 2;
/** Daemon ↔ holder. Raised rarely: a holder outlives upgrades of the daemon. */
export const HOLDER_PROTOCOL = 2;
