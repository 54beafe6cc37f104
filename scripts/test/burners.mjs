// Processes that keep CPU cores busy, to repeat tests under the load of a full run.
import { spawn } from "node:child_process";

/** Ends by itself when its parent has died, whatever killed the parent. */
const BURN = `
const parent = process.ppid;
while (process.ppid === parent) for (let i = 0; i < 1e7; i += 1);
`;

/** Runs `work` while this many cores are kept busy. */
export async function underLoad(cores, work) {
  const burners = Array.from({ length: cores }, () => spawn(process.execPath, ["-e", BURN], { stdio: "ignore" }));
  const stop = () => burners.forEach((burner) => void burner.kill("SIGKILL"));
  process.on("exit", stop);
  try {
    return await work();
  } finally {
    process.off("exit", stop);
    stop();
  }
}
