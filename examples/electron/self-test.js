// Run by test.js inside the app: the page's terminal shows what a shell prints, and a session of its own tells its exit code.

const LOOK_MS = 50;
const LOOKS_MAX = 600;

/** The exit code of the test: 0 when all is well. */
export async function selfTest(window) {
  const page = (code) => window.webContents.executeJavaScript(code);
  const type = (text) => page(`terminal.input(${JSON.stringify(text)}); undefined`);
  const shows = `Array.from({ length: terminal.rows }, (_, row) =>
    terminal.buffer.active.getLine(terminal.buffer.active.baseY + row)?.translateToString() ?? "").join("\\n")`;
  const until = async (code, what) => {
    for (let look = 0; look < LOOKS_MAX; look += 1) {
      if (await page(code).catch(() => false)) return console.log(`ok: ${what}`);
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
    throw new Error(`did not happen: ${what}`);
  };
  try {
    await until("'terminal' in window", "the page has a terminal");
    await type("echo seen-$((40 + 2))\r");
    await until(`(${shows}).includes("seen-42")`, "it shows what the shell prints");
    const code = `new Promise(async (done) => {
      pty.onExit((event) => event.sessionId === own.sessionId && done(event.exitCode));
      const own = await pty.create({ shell: "/bin/sh" });
      await pty.write({ sessionId: own.sessionId, data: "exit 7\\r" });
    })`;
    await until(`${code}.then((exitCode) => exitCode === 7)`, "a session tells its exit code");
    return 0;
  } catch (error) {
    console.error(error);
    return 1;
  }
}
