// The same as bridge.pl, where there is no perl: 40 MB instead of 5. The first process returns as soon as the second
// one listens.
import { spawn } from "node:child_process";
import net from "node:net";
import { fileURLToPath } from "node:url";

const [port, path, role] = process.argv.slice(2);
if (role === "serve") serve();
else start();

function start() {
  const args = [fileURLToPath(import.meta.url), port, path, "serve"];
  const child = spawn(process.execPath, args, { detached: true, stdio: ["ignore", "pipe", "ignore"], cwd: "/" });
  child.stdout.once("data", () => process.exit(0));
  child.once("exit", () => {
    console.error("duetty: no bridge to the network");
    process.exit(1);
  });
}

function serve() {
  const server = net.createServer({ allowHalfOpen: true }, (client) => {
    const proxy = net.connect({ path, allowHalfOpen: true });
    for (const [one, other] of [
      [client, proxy],
      [proxy, client],
    ]) {
      one.on("error", () => other.destroy());
      one.pipe(other);
    }
  });
  server.maxConnections = 200;
  server.listen(Number(port), "127.0.0.1", () => process.stdout.write("listening\n"));
}
