// The points of one workspace on disk: one file each, a ref that keeps git from forgetting its files, and what a tree lacks.
// A point with files never changes, so it is read once.
import fs from "node:fs/promises";
import { join } from "node:path";
import type { FileState, StoredPoint } from "../../core/restore/state.ts";
import { hashOf } from "./look.ts";
import { isMissing, type Layout, readJson, replaceFile } from "./repository.ts";

export class StoredPoints {
  #layout: Layout;
  #known = new Map<string, StoredPoint>();

  constructor(layout: Layout) {
    this.#layout = layout;
  }

  /** Oldest first. */
  async read(): Promise<StoredPoint[]> {
    const names = await fs.readdir(this.#layout.points).catch((error: unknown) => {
      if (isMissing(error)) return [];
      throw error;
    });
    const all = await Promise.all(names.filter((name) => name.endsWith(".json")).map((name) => this.#one(name)));
    const points = all.filter((point) => point !== undefined).sort((a, b) => a.ts - b.ts);
    this.#known = new Map(points.flatMap((point) => (point.state ? [[`${point.point_id}.json`, point]] : [])));
    return points;
  }

  async #one(name: string): Promise<StoredPoint | undefined> {
    return this.#known.get(name) ?? (await readJson<StoredPoint>(join(this.#layout.points, name)));
  }

  /** First what keeps git from forgetting the files, then the point itself. */
  async add(facts: Omit<StoredPoint, "state">, found: FileState | null): Promise<StoredPoint> {
    const { more, refs, points } = this.#layout;
    const state = found && { tree: found.tree, key: found.key, more: hashOf(found.more) };
    if (state) {
      await replaceFile(join(more, `${state.more}.json`), JSON.stringify(found.more));
      await replaceFile(join(refs, facts.point_id), `${state.tree}\n`);
    }
    const point = { ...facts, state };
    await replaceFile(join(points, `${facts.point_id}.json`), JSON.stringify(point));
    return point;
  }

  /** Forgets these, and what other points left that are no more. */
  async forget(ids: readonly string[]): Promise<void> {
    for (const point_id of ids) await fs.rm(join(this.#layout.points, `${point_id}.json`), { force: true });
    const points = await this.read();
    const more = points.flatMap(({ state }) => (state ? [`${state.more}.json`] : []));
    await removeOthers(this.#layout.more, new Set(more));
    await removeOthers(this.#layout.refs, new Set(points.map(({ point_id }) => point_id)));
  }
}

async function removeOthers(folder: string, used: ReadonlySet<string>): Promise<void> {
  for (const name of await fs.readdir(folder)) if (!used.has(name)) await fs.rm(join(folder, name), { force: true });
}
