// `duetty/electron/preload`.
export type { PtyAnswer, PtyApi, PtyApproval, PtyCreate, PtyData, PtyExit } from "../embed/electron/contract.ts";
export { exposePty } from "../embed/electron/preload.ts";
