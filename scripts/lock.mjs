// After `npm install`: completes package-lock.json with the optional platform packages that the registry in use does not
// offer. Without an entry for each of them `npm ci` calls the lock file out of step; with one, other platforms skip it.
// Takes out what packages say of Node when we use only data of theirs: `npm ci` would warn about code that never runs.
import { readFileSync, writeFileSync } from "node:fs";

const OS = ["android", "darwin", "freebsd", "linux", "openharmony", "win32"];
const CPU = ["arm64", "arm", "ia32", "ppc64", "riscv64", "s390x", "wasm32", "x64"];
/** The build takes the wasm out of it, which every Node runs. */
const DATA = ["libghostty-vt-node"];

const lock = JSON.parse(readFileSync("package-lock.json", "utf8"));
const { packages } = lock;
let added = 0;
for (const [path, owner] of Object.entries(packages)) {
  for (const [name, version] of Object.entries(owner.optionalDependencies ?? {})) {
    const key = `node_modules/${name}`;
    if (key in packages || `${path}/${key}` in packages || !/^\d/.test(version)) continue;
    const words = name.split(/[/-]/);
    const cpu = CPU.find((word) => words.includes(word));
    const os = OS.find((word) => words.includes(word));
    packages[key] = {
      version,
      ...(cpu ? { cpu: [cpu] } : {}),
      ...(owner.dev ? { dev: true } : {}),
      ...(words.includes("musl") ? { libc: ["musl"] } : {}),
      optional: true,
      ...(os ? { os: [os] } : {}),
    };
    added += 1;
  }
}
for (const name of DATA) delete packages[`node_modules/${name}`].engines;
lock.packages = Object.fromEntries(Object.entries(packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync("package-lock.json", `${JSON.stringify(lock, null, 2)}\n`);
console.log(`${added} optional packages added to package-lock.json`);
