// The types of src/embed/electron/types.ts are true: the real Electron fits them. Only the compiler reads this.
import type * as electron from "electron";
import type * as ours from "../../src/embed/electron/types.ts";

type Fits<Ours, Real extends Ours> = Real;

export type Electron = [
  Fits<ours.IpcMainLike, electron.IpcMain>,
  Fits<ours.IpcRendererLike, electron.IpcRenderer>,
  Fits<ours.ContextBridgeLike, electron.ContextBridge>,
  // Methods take any listener, so what listeners are given is compared by itself.
  Fits<ours.InvokeEventLike, electron.IpcMainInvokeEvent>,
  Fits<ours.MessageEventLike, electron.IpcMainEvent>,
  Fits<ours.MainPortLike, electron.MessagePortMain>,
  Fits<ours.WebContentsLike, electron.WebContents>,
  Fits<ours.FrameLike, electron.WebFrameMain>,
];
