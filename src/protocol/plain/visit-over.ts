// How a socket ends when the link, device or cookie that its viewer came by is good no more. A page does not connect again.

/** A close code of the application's own range. */
export const VISIT_OVER = 4403;
