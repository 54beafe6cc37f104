// Every adapter of the Pty port, against the one contract.
import { spawnPty } from "../../../src/host/pty/pty.ts";
import { fakeTerminal } from "../../fixtures/fakes/pty.ts";
import { ptyContract, RAW_LOOPBACK } from "./pty.ts";

ptyContract("native", spawnPty, ["programs"]);

const fake = fakeTerminal((pty, command) => {
  if (!command.args.includes(RAW_LOOPBACK)) return undefined;
  pty.setEcho("raw");
  pty.onInput = (bytes) => pty.say(bytes);
  pty.say("ready");
  return undefined;
});
ptyContract("fake", fake.spawn);
