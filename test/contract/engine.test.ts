// Both engines pass the one contract.
import { makeGhostty } from "../../src/host/engine/ghostty.ts";
import { type Answer, queries } from "../fixtures/queries.ts";
import { makeXterm, settleXterm } from "../fixtures/xterm-engine.ts";
import { engineContract } from "./engine.ts";

engineContract("libghostty-vt", makeGhostty, {
  answers: Object.keys(queries) as Answer[],
  snapshots: true,
  kittyKeyboard: true,
});

engineContract("xterm oracle", makeXterm, {
  answers: ["DA1", "DA2", "DSR", "CPR", "DECRQM", "DECRQSS"],
  snapshots: false,
  kittyKeyboard: false,
  settle: settleXterm,
});
