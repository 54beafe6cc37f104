// One command on another machine, over a connection of its own, with what it reads first. Its input stays open until it ends: that
// the input ends is how it learns that nobody waits for it any more. Owns: its process.
import { started, type Way } from "./control.ts";

/** That machine is another one: it gets nothing of this one. */
const LENDS_NOTHING = ["ForwardAgent=no", "ForwardX11=no", "PermitLocalCommand=no"];
/** A machine that is away is noticed within a minute: a slow line may carry what the command reads for that long. */
const NOTICES = ["ServerAliveInterval=15", "ServerAliveCountMax=4"];
/** Of what a command says the last lines tell why it failed. */
const SAID_CHARS_MAX = 16_000;

/** late: it was ended after its time. `said`: all that ssh and the command told. */
export type Ran =
  | { readonly how: "done" }
  | { readonly how: "failed"; readonly said: string }
  | { readonly how: "late"; readonly said: string };

export function runOnce(way: Way, command: string, input: Uint8Array, withinMs: number): Promise<Ran> {
  const options = ["BatchMode=yes", "ConnectTimeout=10", "ControlPath=none", "RequestTTY=no"];
  const flags = [...options, ...NOTICES, ...LENDS_NOTHING].flatMap((option) => ["-o", option]);
  const child = started(way, flags, [...way.target, command]);
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding("utf8").on("data", (text: string) => {
      said = `${said}${text}`.slice(-SAID_CHARS_MAX);
    });
  child.stdin?.on("error", () => undefined);
  child.stdin?.write(input);
  return new Promise((resolve) => {
    let how: "failed" | "late" = "failed";
    const late = setTimeout(() => {
      how = "late";
      child.kill("SIGKILL");
    }, withinMs);
    const done = (ran: Ran) => {
      clearTimeout(late);
      resolve(ran);
    };
    child.once("error", (error) => done({ how: "failed", said: error.message }));
    child.once("close", (code) => done(code === 0 ? { how: "done" } : { how, said }));
  });
}
