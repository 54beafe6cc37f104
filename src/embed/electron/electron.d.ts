// What a preload script gets from Electron. The package is not needed to build; a test checks that the real types fit.
declare module "electron" {
  export const contextBridge: import("./types.ts").ContextBridgeLike;
  export const ipcRenderer: import("./types.ts").IpcRendererLike;
}
