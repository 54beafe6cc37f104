// `window.pty` as a page of an Electron app has it: real terminals behind the real main and preload code, over a channel that
// clones like Electron's.
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import fs from "node:fs";
import { join } from "node:path";
import { MessageChannel } from "node:worker_threads";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import type { Connection } from "../../../src/client/connection.ts";
import { PORT, TAKEN, WINDOW_BYTES } from "../../../src/embed/electron/contract.ts";
import { type Registered, type RegisterOptions, registerPty } from "../../../src/embed/electron/main.ts";
import { connectionOf } from "../../fixtures/electron/connection.ts";
import { FakeIpcMain } from "../../fixtures/electron/main-process.ts";
import { FakeWindow, Heard, HOME_PAGE } from "../../fixtures/electron/window.ts";
import { until } from "../../fixtures/soon.ts";
import { sharedStand } from "../../fixtures/stand/stand.ts";

const s = sharedStand();
const { person, agent, folder } = s;
const SHELL = { shell: "/bin/bash", env: { HISTFILE: null } };

const open: { registered: Registered; terminals: Promise<Connection>; windows: FakeWindow[] }[] = [];
afterEach(async () => {
  for (const { registered, terminals, windows } of open.splice(0)) {
    await registered.close();
    await (await terminals).close();
    for (const window of windows) window.close();
  }
});

/** An app: its main process, and windows as they are asked for. */
function app(options: Partial<RegisterOptions> = {}, role: "person" | "agent" = "person") {
  const ipcMain = new FakeIpcMain();
  const terminals = connectionOf(s, role);
  const registered = registerPty(ipcMain, { terminals, ...options });
  const windows: FakeWindow[] = [];
  open.push({ registered, terminals, windows });
  const window = (url?: string) => {
    const made = new FakeWindow(ipcMain, url);
    windows.push(made);
    return made;
  };
  return { ipcMain, registered, window };
}

/** A shell at its prompt in this window. */
async function shellIn({ pty }: FakeWindow, wish: object = {}) {
  const { sessionId } = await pty.create({ ...SHELL, ...wish });
  const heard = new Heard(pty, sessionId);
  await heard.shows(/[$#] /);
  return { sessionId, heard, type: (data: string | Uint8Array) => pty.write({ sessionId, data }) };
}

const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

describe("window.pty", () => {
  it("opens a shell where, how large and with what it is told; types, resizes, and tells how it ended", async () => {
    const window = app().window();
    const cwd = folder();
    const { sessionId, heard, type } = await shellIn(window, {
      cwd,
      cols: 91,
      rows: 33,
      env: { ...SHELL.env, HUE: "grün" },
    });
    expect(await type('echo "[$PWD $HUE $(stty size)]"\r')).toEqual({ ok: true });
    await heard.shows(new RegExp(`\\[${cwd} grün 33 91\\]`));
    expect(await window.pty.resize({ sessionId, cols: 70, rows: 20 })).toEqual({ ok: true });
    await type('echo "[$(stty size)]"\r');
    await heard.shows(/\[20 70\]/);
    await type("exit 7\r");
    expect(await heard.exit()).toBe(7);
    expect(await type("too late")).toEqual({ ok: false });
    expect(await window.pty.dispose({ sessionId })).toEqual({ ok: false });
    expect(heard.exits).toEqual([{ sessionId, exitCode: 7 }]);
  });

  it("edits a file in vim", async () => {
    const window = app().window();
    const cwd = folder();
    const { sessionId, heard, type } = await shellIn(window, { cwd });
    await type("vim -u NONE -N note.txt\r");
    await heard.shows(/\[New/);
    await type("iblauwal\x1b");
    await window.pty.resize({ sessionId, cols: 60, rows: 12 });
    await person.pty_wait({ session_id: sessionId, any: [{ text: "blauwal" }], since: 0 });
    await type(":wq\r");
    await person.pty_wait({ session_id: sessionId, any: [{ prompt: true }] });
    await type("exit\r");
    expect(await heard.exit()).toBe(0);
    expect(fs.readFileSync(join(cwd, "note.txt"), "utf8")).toBe("blauwal\n");
  });

  it("types no answers of the page's terminal: the session answers programs itself", async () => {
    const { heard, type } = await shellIn(app().window());
    await type("stty raw -echo; printf re; printf 'ady:'; head -c 8 | od -An -c; stty sane; exit\r");
    await heard.shows(/ready:/);
    for (const answer of ["\x1b[12;40R", "\x1b[?1;2c", "\x1b]11;rgb:0000/0000/0000\x1b\\"]) {
      expect(await type(answer)).toEqual({ ok: true });
    }
    await type("\x1b[Awerty");
    await heard.exit();
    expect(heard.text).toMatch(/ready: *033 +\[ +A +w +e +r +t +y/);
  });

  it("passes every byte both ways, also those that are no text", async () => {
    const window = app().window();
    const bytes = new Uint8Array(randomBytes(40_000));
    const cwd = folder();
    fs.writeFileSync(join(cwd, "random"), bytes);
    const { heard, type } = await shellIn(window, { cwd });
    await type(
      "stty raw -echo; printf i; printf 'n:'; head -c 20000 >got; printf 'out:'; cat random; printf ':end'; exit\r",
    );
    // Not in the echo of the line.
    await heard.shows(/in:$/);
    // A view of a larger buffer: what lies around it stays here.
    await type(bytes.subarray(100, 20_100));
    expect(await heard.exit()).toBe(0);
    expect(fs.readFileSync(join(cwd, "got")).equals(bytes.subarray(100, 20_100))).toBe(true);
    const at = heard.bytes.lastIndexOf("out:") + 4;
    expect(heard.bytes.subarray(at, at + bytes.length).equals(bytes)).toBe(true);
  });

  it("keeps what comes before there is a listener, and stops at the unsubscribe", async () => {
    const { pty } = app().window();
    const { sessionId } = await pty.create(SHELL);
    await person.pty_wait({ session_id: sessionId, any: [{ prompt: true }] });
    const seen: string[] = [];
    const stop = pty.onData(({ data }) => seen.push(Buffer.from(data).toString()));
    await until(() => /[$#] /.test(seen.join("")), "the prompt");
    stop();
    const before = seen.length;
    const heard = new Heard(pty, sessionId);
    await pty.write({ sessionId, data: "echo $((6*7))\r" });
    await heard.shows(/42/);
    expect(seen).toHaveLength(before);
  });

  it("says what is wrong with a call", async () => {
    const { pty } = app().window();
    const wrong = (call: Promise<unknown>) =>
      call.then(
        () => "fine",
        (error: Error) => error.message,
      );
    expect(await wrong(pty.create({ cols: 0 }))).toContain("pty:create: cols must be at least 2");
    expect(await wrong(pty.create({ command: ["id"] } as object))).toContain("has no field command");
    expect(await wrong(pty.create({ cwd: "/no/such/folder" }))).toContain("/no/such/folder");
    expect(await wrong(pty.write({ sessionId: "s_00000000", data: 5 as never }))).toContain("text or a Uint8Array");
    expect(await wrong(pty.write(undefined as never))).toContain("sessionId is missing");
    expect(await wrong(pty.create({ env: { A: (() => 1) as never } }))).toContain("could not be cloned");
    expect(await pty.write({ sessionId: "s_00000000", data: "x" })).toEqual({ ok: false });
  });
});

describe("a session belongs to one document of one window", () => {
  it("ends with all its processes when it is disposed of", async () => {
    const window = app().window();
    const { sessionId, heard, type } = await shellIn(window);
    await type("sleep 1000 & setsid sleep 1001 & echo pids $! $(jobs -p) end\r");
    const pids = (await heard.shows(/pids ([\d\s]+) end/))[1]?.split(/\s+/).map(Number) ?? [];
    expect(pids.length).toBeGreaterThan(1);
    expect(await window.pty.dispose({ sessionId })).toEqual({ ok: true });
    expect(await heard.exit()).toBeGreaterThan(128);
    for (const pid of pids) await until(() => !isAlive(pid), `the end of ${pid}`);
  });

  it("ends when its page is loaded again, is lost or is closed, also while it is being opened", async () => {
    const { window, registered } = app();
    const gone = async (leave: (one: FakeWindow) => void) => {
      const one = window();
      const { sessionId } = await shellIn(one);
      const opening = one.pty.create(SHELL);
      opening.catch(() => undefined);
      leave(one);
      await until(
        async () => (await person.pty_screen_status({ session_id: sessionId })).state !== "running",
        "its end",
      );
      return one;
    };
    const reloaded = await gone((one) => one.load());
    await gone((one) => one.crash());
    await gone((one) => one.close());
    // The new document has sessions of its own.
    await shellIn(reloaded);
    await registered.close();
    const { sessions } = await person.pty_list({ all: false });
    expect(sessions.filter(({ command }) => command[0] === "/bin/bash")).toEqual([]);
  });

  it("is not there for others: twenty windows each see their own", async () => {
    const { window } = app();
    const windows = Array.from({ length: 20 }, () => window());
    const shells = await Promise.all(windows.map((one) => shellIn(one)));
    await Promise.all(
      shells.map(({ type, heard }, n) =>
        type(`echo own-$((${n}+100))\r`).then(() => heard.shows(new RegExp(`own-${n + 100}\\r`))),
      ),
    );
    for (const [n, { heard }] of shells.entries()) expect(heard.text.match(/own-\d+/g)).toEqual([`own-${n + 100}`]);
    const [first, second] = windows as [FakeWindow, FakeWindow];
    const sessionId = shells[1]?.sessionId ?? "";
    expect(await first.pty.write({ sessionId, data: "echo stolen\r" })).toEqual({ ok: false });
    expect(await first.pty.resize({ sessionId, cols: 20, rows: 20 })).toEqual({ ok: false });
    expect(await first.pty.dispose({ sessionId })).toEqual({ ok: false });
    first.close();
    await second.pty.write({ sessionId, data: "echo still-$((1+1))\r" });
    await shells[1]?.heard.shows(/still-2/);
    expect(shells[1]?.heard.text).not.toContain("stolen");
  });
});

describe("frames", () => {
  it("refuses every frame that the app did not name, and its port", async () => {
    const { window } = app({ allowFrame: ["file://", "app://main"] });
    await shellIn(window("app://main/index.html"));
    const why = async (one: FakeWindow) =>
      one.pty.create(SHELL).then(
        () => "opened",
        (error: Error) => error.message,
      );
    for (const url of [
      "https://evil.example/",
      "app://main.evil/",
      "data:text/html,x",
      "about:blank",
      "blob:file:///x",
      "file://host/share",
    ])
      expect(await why(window(url))).toContain("may not use terminals");
    const embedded = window();
    embedded.load(HOME_PAGE, { url: HOME_PAGE, parent: { url: HOME_PAGE } });
    expect(await why(embedded)).toContain("only the main frame");
    const gone = window();
    gone.load(HOME_PAGE, null);
    expect(await why(gone)).toContain("is gone");
  });

  it("asks the app's own rule, and only a plain yes counts", async () => {
    const rule = (url: string) => (url.startsWith("http://localhost:5173/") ? true : ("maybe" as unknown as boolean));
    const { window } = app({ allowFrame: rule });
    await shellIn(window("http://localhost:5173/"));
    await expect(window().pty.create(SHELL)).rejects.toThrow("may not use terminals");
  });
});

describe("flow and rules", () => {
  it("is not brought down by a renderer that says nonsense of what it has taken", async () => {
    const window = app().window();
    const thrown: Error[] = [];
    const note = (error: Error) => thrown.push(error);
    process.on("uncaughtExceptionMonitor", note);
    onTestFinished(() => void process.off("uncaughtExceptionMonitor", note));
    const { sessionId, type } = await shellIn(window);
    const { port1, port2 } = new MessageChannel();
    const told: unknown[] = [];
    port1.on("message", (message) => told.push(message));
    window.ipc.postMessage(PORT, null, [port2]);
    for (const taken of [undefined, null, 5, { sessionId, bytes: -1 }, { sessionId: "__proto__", bytes: 1 }]) {
      window.ipc.send(TAKEN, taken);
      port1.postMessage(taken);
    }
    await type("exit 4\r");
    await until(() => told.some((message) => JSON.stringify(message).includes('"exitCode":4')), "the exit");
    port1.close();
    expect(thrown).toEqual([]);
  });

  it("lets a slow window fall behind alone, with bounded memory, and shows it the end", async () => {
    const { ipcMain, window } = app();
    const [slow, quick] = [window(), window()];
    const { sessionId } = await slow.pty.create(SHELL);
    /** A frame that the page embeds says that everything was taken. */
    const embedded = { url: HOME_PAGE, parent: {} };
    const loosen = { kind: "send" as const, channel: TAKEN, args: [{ sessionId, bytes: Number.MAX_SAFE_INTEGER }] };
    let got = 0;
    const gate = new AbortController();
    const wait = once(gate.signal, "abort");
    slow.pty.onData(({ data }) => {
      got += data.length;
      ipcMain.receive(loosen, slow.contents, embedded);
      return wait;
    });
    await slow.pty.write({ sessionId, data: "seq 300000; echo all-$((1+1))\r" });
    await person.pty_wait({ session_id: sessionId, any: [{ text: "all-2" }], since: 0, timeout_ms: 100_000 });
    await shellIn(quick);
    expect(got).toBeLessThan(3 * WINDOW_BYTES);
    const heard = new Heard(slow.pty, sessionId);
    gate.abort();
    await heard.shows(/all-2/);
    await slow.pty.write({ sessionId, data: "exit 3\r" });
    expect(await heard.exit()).toBe(3);
  });

  it("asks the window's person what an agent may do there, and takes the answer from no other window", async () => {
    const { window } = app();
    const [ours, other] = [window(), window()];
    const { sessionId, heard } = await shellIn(ours);
    const run = agent("helper").run_command({
      session_id: sessionId,
      command: "rm -rf /tmp/no-such-thing-$$",
      timeout_ms: 60_000,
    });
    await until(() => heard.approvals.length > 0, "the question");
    const approvalId = heard.approvals[0]?.approval.approval_id ?? "";
    expect(heard.approvals[0]?.approval).toMatchObject({ state: "pending", actor: "agent:helper" });
    const answer = { sessionId, approvalId, answer: "approve" } as const;
    expect(await other.pty.answer(answer)).toEqual({ ok: false });
    expect(await ours.pty.answer(answer)).toEqual({ ok: true });
    expect(await run).toMatchObject({ status: "done", exit_code: 0 });
    await until(() => heard.approvals.at(-1)?.approval.state === "approved", "the settled question");
  });

  it("is gated and redacted like any agent where the app is one, and answers nothing itself", async () => {
    const window = app({}, "agent").window();
    const { sessionId, heard, type } = await shellIn(window);
    await person.policy({ session_id: sessionId, level: "always_ask" });
    const secret = "ghp_0123456789abcdefghijABCDEFGHIJ456789";
    const line = `echo ${secret} done-$((1+1))\r`;
    await expect(type(line)).rejects.toThrow("a person must allow this first");
    await until(() => heard.approvals.length > 0, "the question");
    const { approval_id } = await s.pendingOf(sessionId);
    const answer = { sessionId, approvalId: approval_id, answer: "approve" } as const;
    await expect(window.pty.answer(answer)).rejects.toThrow(/person/);
    const flood = "x".repeat(3 << 20);
    const [, second] = await Promise.allSettled([type(flood), type(flood)]);
    expect(second).toEqual({ status: "fulfilled", value: { ok: false } });
    await person.approve({ approval_id });
    expect(await type(line)).toEqual({ ok: true });
    await heard.shows(/done-2/);
    expect(heard.text + JSON.stringify(heard.approvals)).not.toContain(secret);
  });
});

it("has terminals in its own process when none are given, and ends them", async () => {
  const ipcMain = new FakeIpcMain();
  const home = folder();
  for (const as of [undefined, "agent:app"] as const) {
    const env = { ...process.env, HOME: home };
    const registered = registerPty(ipcMain, { home, env, ...(as ? { as } : {}) });
    const window = new FakeWindow(ipcMain);
    const { heard, type } = await shellIn(window);
    await type("echo pid-$$-\r");
    const pid = Number((await heard.shows(/pid-(\d+)-/))[1]);
    if (as)
      await expect(window.pty.write({ sessionId: heard.sessionId, data: "sudo id\r" })).rejects.toThrow(
        "leaves the box",
      );
    await registered.close();
    window.close();
    if (!as) await until(() => !isAlive(pid), "the end of its shell");
  }
});
