// `duetty/electron/main`.
export { preloadScript, type Registered, type RegisterOptions, registerPty } from "../embed/electron/main.ts";
