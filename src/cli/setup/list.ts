// The clients, whether each seems to be installed, and whether it knows duetty.
import fs from "node:fs";
import { EXIT } from "../../protocol/plain/exit.ts";
import { table } from "../print/table.ts";
import { json, lines } from "../text/output.ts";
import { CLIENT_NAMES, CLIENTS, type ClientName, type Place } from "./clients.ts";
import { readText, shownName } from "./files.ts";
import { SyntaxFault } from "./jsonc.ts";
import { commandFor, homeFor, onPath } from "./own.ts";
import { entryState } from "./plan.ts";

type SetupState = "set up" | "set up differently" | "not set up" | "unreadable";

interface Row {
  readonly client: ClientName;
  readonly title: string;
  readonly installed: boolean;
  readonly duetty: SetupState;
  readonly files: readonly string[];
}

export function listClients(place: Place, form: "text" | "json"): number {
  const rows = CLIENT_NAMES.map((name) => rowOf(name, place));
  if (form === "json") json({ clients: rows });
  else {
    const cells = rows.map(({ client, title, installed, duetty, files }) => [
      client,
      title,
      installed ? "found" : "-",
      files.length === 0 ? duetty : `${duetty} (${files.map((file) => shownName(file, place)).join(", ")})`,
    ]);
    table([["CLIENT", "PROGRAM", "HERE", "DUETTY"], ...cells]);
    lines("\nduetty setup CLIENT shows what it would change, and asks.");
  }
  return EXIT.ok;
}

function rowOf(name: ClientName, place: Place): Row {
  const { title, signs } = CLIENTS[name];
  const installed = onPath(signs.program, place.env.PATH) !== undefined || fs.existsSync(signs.folder(place));
  const found = (["user", "project"] as const).flatMap((scope) =>
    CLIENTS[name].files(scope, place).flatMap((file) => {
      const is = setupState(name, file, place);
      return is === "not set up" ? [] : [{ file, is }];
    }),
  );
  const best = found.find(({ is }) => is === "set up") ?? found[0];
  const files = found.filter(({ is }) => is === best?.is).map(({ file }) => file);
  return { client: name, title, installed, duetty: best?.is ?? "not set up", files };
}

function setupState(name: ClientName, file: string, place: Place): SetupState {
  try {
    const is = entryState(CLIENTS[name], readText(file) ?? "", commandFor(name, place), homeFor(place));
    return is === "same" ? "set up" : is === "different" ? "set up differently" : "not set up";
  } catch (error) {
    if (error instanceof SyntaxFault) return "unreadable";
    throw error;
  }
}
