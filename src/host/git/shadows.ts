// Where the shadow repositories lie: one folder in our home for each workspace, named by its path.
import { createHash } from "node:crypto";
import { join, relative } from "node:path";
import type { Shadow } from "../../core/restore/state.ts";
import type { Limits } from "./look.ts";
import { gitShadow } from "./shadow.ts";

/** `home` is never kept, where it lies inside a workspace. */
export function gitShadows(
  restore: string,
  home: string,
  settings: { readonly ignored: boolean; readonly max_file_mb: number; readonly max_total_mb: number },
): (workspace: string) => Shadow {
  const bytes = (mb: number) => Math.round(mb * (1 << 20));
  const limits: Limits = {
    ignored: settings.ignored,
    fileBytesMax: bytes(settings.max_file_mb),
    totalBytesMax: bytes(settings.max_total_mb),
  };
  return (workspace) => {
    const inside = relative(workspace, home);
    const name = createHash("sha256").update(workspace).digest("hex").slice(0, 16);
    const hidden = inside === "" || inside.startsWith("..") ? [] : [inside];
    return gitShadow({ dir: join(restore, name), workspace, hidden, limits: () => limits });
  };
}
