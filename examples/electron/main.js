// The main process: a window, and terminals for it.
import { join } from "node:path";
import { preloadScript, registerPty } from "duetty/electron/main";
import { app, BrowserWindow, ipcMain } from "electron";

// Pages of the app itself may have terminals. Their sessions end with the window.
const pty = registerPty(ipcMain);

function open() {
  const window = new BrowserWindow({
    width: 900,
    height: 600,
    show: !process.env.SELF_TEST,
    webPreferences: { preload: preloadScript, contextIsolation: true, sandbox: true, nodeIntegration: false },
  });
  // Nothing leads this window to another page.
  window.webContents.on("will-navigate", (event) => event.preventDefault());
  window.webContents.setWindowOpenHandler(() => ({ action: "deny" }));
  window.loadFile(join(import.meta.dirname, "index.html"));
  return window;
}

let isClosed = false;
app.on("will-quit", (event) => {
  if (isClosed) return;
  event.preventDefault();
  pty.close().finally(() => {
    isClosed = true;
    app.exit(Number(process.exitCode ?? 0));
  });
});
app.on("window-all-closed", () => app.quit());
await app.whenReady();
const window = open();
if (process.env.SELF_TEST) {
  const { selfTest } = await import("./self-test.js");
  process.exitCode = await selfTest(window);
  app.quit();
}
