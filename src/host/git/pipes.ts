// A named pipe where git expects a file of patterns stops git for ever, and whoever works in the workspace can make one. When git
// takes long, we look for one and give git up, so that the reason can be told.
import fs from "node:fs/promises";
import { inFolder, onDisk } from "./paths.ts";
import { isForbidden, isMissing } from "./repository.ts";

/** A look at a workspace with little to read is over by then. */
const LONG_MS = 2_000;
/** A larger workspace is slow by itself. */
const FOLDERS_MAX = 100_000;

/** Runs `work` with a signal that gives git up when a pipe is in its way. `found` gets the pipe's path. */
export async function whileNoPipe<T>(
  workspace: string,
  work: (signal: AbortSignal) => Promise<T>,
  found: (path: string) => Error,
): Promise<T> {
  const given = new AbortController();
  let pipe: string | undefined;
  const timer = setTimeout(async () => {
    pipe = await findPipe(workspace, given.signal);
    if (pipe !== undefined) given.abort();
  }, LONG_MS);
  try {
    return await work(given.signal);
  } catch (error) {
    throw pipe === undefined ? error : found(Buffer.from(pipe, "latin1").toString());
  } finally {
    clearTimeout(timer);
    given.abort();
  }
}

async function findPipe(workspace: string, over: AbortSignal): Promise<string | undefined> {
  const folders = [""];
  for (let i = 0; i < folders.length && i < FOLDERS_MAX && !over.aborted; i++) {
    const folder = folders[i] ?? "";
    for (const entry of await entriesOf(onDisk(workspace, folder))) {
      const path = inFolder(folder, entry.name.toString("latin1"));
      if (entry.isFIFO() && /(?:^|\/)\.git(?:ignore|attributes)$/.test(path)) return path;
      if (entry.isDirectory() && !/(?:^|\/)\.git$/.test(path)) folders.push(path);
    }
  }
  return undefined;
}

async function entriesOf(folder: Buffer) {
  try {
    return await fs.readdir(folder, { withFileTypes: true, encoding: "buffer" });
  } catch (error) {
    if (isMissing(error) || isForbidden(error)) return [];
    throw error;
  }
}
