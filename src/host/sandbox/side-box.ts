// The box of a hidden shell that completes lines: as a line's box, but nothing of the person's can be written and there is no
// network. The home is the person's own, to read.
import { PRIVATE_FOLDERS } from "../../core/box/arguments.ts";
import { isWithin } from "../../core/box/plan.ts";
import type { SideBox } from "../shell/side/side-shells.ts";
import { realPath } from "./links.ts";
import type { Sandbox } from "./sandbox.ts";

export function sideBox(
  sandbox: Sandbox,
  owner: string,
  at: { readonly cwd: string; readonly in: string; readonly out: string },
): SideBox {
  const { cwd } = at;
  const told = realPath(at.in) ?? at.in;
  const seen = [cwd, ...sandbox.summary({ cwd }).roots];
  const plan = sandbox.plan({
    ...{ cwd, roots: [], network: [], seen, own: realPath(at.out) ?? at.out },
    keep: [{ path: told, access: "read" }],
  });
  sandbox.reserve(owner, plan);
  return {
    prefix: sandbox.prefix(owner, plan),
    shows(folder) {
      const real = realPath(folder) ?? folder;
      return !PRIVATE_FOLDERS.some((path) => isWithin(real, path)) || plan.visible.some((path) => isWithin(real, path));
    },
    made: () => sandbox.made(owner),
    over: () => sandbox.release(owner),
  };
}
