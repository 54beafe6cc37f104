// A whole preload script, for windows that need no other. `preloadScript` of duetty/electron/main is its path.
import { contextBridge, ipcRenderer } from "electron";
import { exposePty } from "../embed/electron/preload.ts";

exposePty(contextBridge, ipcRenderer);
