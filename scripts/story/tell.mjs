// A short true story: a person and an agent mend a program in one session. Everything in it happens; a second duetty records
// the person's terminal. Owns: both installations and the folder they work in, which must not exist yet.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { BIN, environmentIn, install, SOON_MS, until } from "../installation.mjs";

/** Its name is in the recording: the same on every machine, and nobody's. */
const PLACE = "/tmp/you";
const SHOP = fileURLToPath(new URL("shop", import.meta.url));
const SIZE = { cols: 96, rows: 26 };
/** An answer counts only after the question could be read. */
const READ_MS = 500;

const FILES = {
  ".bashrc": "PS1='\\[\\e[1;34m\\]\\w\\[\\e[0m\\] $ '\nunset HISTFILE\n",
  ".vimrc": "set nocompatible noswapfile shortmess+=I laststatus=0 ruler background=dark\nsyntax on\n",
  "shop/build/old.js": "// built last week\n",
};

/**
 * Tells it. `pace` is how fast people and agents type and read (1 is natural, 0 as fast as it goes); `moment` is called with
 * a name, and with what can be asked about the recording, when something worth a picture is on the screen.
 */
export async function tellStory({ pace, moment }) {
  mkdirSync(PLACE, { mode: 0o700 });
  const env = { ...environmentIn(PLACE), LANG: "C.UTF-8", PATH: `${join(PLACE, "bin")}:${process.env.PATH}` };
  writeProject();
  const [shared, recorder] = [await install(env), await install({ ...env, DUETTY_HOME: join(PLACE, ".recorder") })];
  try {
    // The recorded terminal is a person's own: it stands outside of the sessions that are shown in it.
    const own = { DUETTY_TOKEN: shared.personToken(), DUETTY_HOME: env.DUETTY_HOME };
    const { session_id } = await recorder.person.pty_open({
      ...{ command: ["/bin/bash"], cwd: join(PLACE, "shop"), env: own, ...SIZE },
    });
    const cast = { person: recorder.person, session_id };
    await play(cast, shared, { pace, moment: (name) => moment(name, cast) });
    return await exported(cast);
  } finally {
    await shared.close();
    await recorder.close();
    rmSync(PLACE, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function play(cast, shared, { pace, moment: reached }) {
  const you = hands(cast, pace);
  const ada = agent(shared, pace);
  // Alone on its place in time: output is timed to 50 ms.
  const moment = async (name) => {
    await you.rests(400);
    await reached(name);
    await you.rests(300);
  };
  await you.sees("$");
  await moment("A person opens a session and looks into it");
  await you.types("duetty open --name work");
  await you.sees("s_");
  await you.hasPrompt();
  await you.types("duetty attach work");
  await you.sees("keyboard free");
  await moment("The tests fail");
  await you.types("npm test");
  await you.sees("got 9");
  await you.rests(1_500);
  await moment("An agent reads the same screen and looks around: nobody has to be asked");
  await ada.runs("cat total.mjs");
  await you.rests(1_500);
  await moment("It opens an editor, in a box that the kernel keeps: nobody has to be asked");
  await fixIn(you, ada);
  await moment("Tests are safe: they run at once");
  await ada.runs("npm test");
  await you.rests(1_500);
  await moment("A risky line waits for the person's yes");
  const cleaned = ada.asks("rm -rf build");
  await you.sees("wants to run: rm -rf build");
  await you.rests(2_000);
  await moment("asked");
  await you.agrees();
  await cleaned;
  await moment("A password is for people: agents cannot type where echo is off");
  await passwordOf(you, ada);
  await moment("Every command is kept: who ran it, and its exit code");
  await you.presses("Ctrl+\\");
  await you.sees("detached");
  await you.hasPrompt();
  await you.types("duetty blocks work");
  await you.sees("deploy");
  await you.hasPrompt();
  await you.rests(3_000);
}

async function fixIn(you, ada) {
  await ada.asks("vim total.mjs");
  await you.rests(1_000);
  await ada.types(":%s/price }/price, count }/");
  await ada.presses("Enter");
  await you.rests(700);
  await ada.types(":%s/+ price/+ price * count/");
  await ada.presses("Enter");
  await you.rests(1_200);
  await ada.types(":wq");
  await ada.presses("Enter");
  await you.rests(500);
}

async function passwordOf(you, ada) {
  const deployed = ada.asks("./deploy");
  await you.sees("waits for you: password");
  await you.rests(1_500);
  await you.types("not shown anywhere");
  await you.sees("deployed");
  await deployed;
  await you.rests(1_500);
}

/** The person at the recorded terminal. */
function hands({ person, session_id }, pace) {
  const send = (input) => person.pty_send({ session_id, ...input });
  const rests = (ms) => delay(ms * pace);
  return {
    rests,
    async types(line) {
      for (const char of line) {
        await send({ text: char });
        await rests(char === " " ? 90 : 45);
      }
      await rests(250);
      await send({ keys: ["Enter"] });
    },
    presses: (key) => send({ keys: [key] }),
    async agrees() {
      await delay(READ_MS);
      await send({ keys: ["Ctrl+Y"] });
      await delay(READ_MS);
      await send({ text: "y" });
    },
    sees: (text) => shown(person, session_id, text),
    hasPrompt: () => person.pty_wait({ session_id, any: [{ prompt: true }], timeout_ms: SOON_MS }),
  };
}

/** The agent, as any client with the agent's token: duetty run work --as agent:ada. */
function agent(shared, pace) {
  const ada = shared.agent("ada");
  const session_id = "work";
  const run = (command) => ada.run_command({ session_id, command, timeout_ms: SOON_MS });
  return {
    asks: run,
    async runs(command) {
      const { status } = await run(command);
      if (status !== "done") throw new Error(`${command}: ${status}`);
    },
    async types(text) {
      for (const [i, char] of [...text].entries()) {
        await ada.pty_send({ session_id, text: char });
        if (i > 0) await delay(25 * pace);
      }
    },
    presses: (key) => ada.pty_send({ session_id, keys: [key] }),
  };
}

async function shown(person, session_id, text) {
  let rows = [];
  const isShown = async () => {
    rows = (await person.pty_read_screen({ session_id })).rows;
    return rows.some((row) => row.includes(text));
  };
  await until(`"${text}" on the screen`, isShown).catch((error) => {
    throw new Error(`${error.message}:\n${rows.join("\n")}`);
  });
}

async function exported({ person, session_id }) {
  const parts = [];
  for (let after; ; ) {
    const { content, next } = await person.export({ session_id, format: "cast", ...(after && { after }) });
    parts.push(content);
    if (next === null) return parts.join("");
    after = next;
  }
}

function writeProject() {
  cpSync(SHOP, join(PLACE, "shop"), { recursive: true });
  const program = `#!/bin/sh\nexec '${process.execPath}' '${BIN}' "$@"\n`;
  for (const [name, text] of Object.entries({ ...FILES, "bin/duetty": program })) {
    mkdirSync(join(PLACE, name, ".."), { recursive: true });
    writeFileSync(join(PLACE, name), text, { mode: name === "bin/duetty" ? 0o755 : 0o644 });
  }
  execFileSync("git", ["init", "-q", "-b", "main"], { cwd: join(PLACE, "shop") });
}
