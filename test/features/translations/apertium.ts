// A real Apertium server for tests: requires the Debian packages apertium-apy and apertium-eng-spa.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { freePort } from "#test/support/free-port.ts";

const modes = "/usr/share/apertium/modes";

export interface TestApertium extends AsyncDisposable {
  readonly url: string;
}

/** Starts one; if it is not installed, prints the reason and returns null. */
export async function startApertium(): Promise<TestApertium | null> {
  if (!existsSync(`${modes}/eng-spa.mode`)) return missing("apertium-eng-spa is not installed");
  const port = await freePort();
  const child = spawn("apertium-apy", ["--port", String(port), modes], {
    cwd: "/",
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = new Promise<void>((resolve) => {
    child.once("error", () => resolve()); // the program does not exist
    child.once("exit", () => resolve());
  });
  const isReady = await new Promise<boolean>((resolve) => {
    void ended.then(() => resolve(false));
    // It logs this line when it listens: no systemd socket can be waited for.
    child.stderr.on("data", (line: Buffer) => line.includes("No notification socket") && resolve(true));
  });
  if (!isReady) return missing("apertium-apy is not installed or does not start");
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

function missing(reason: string): null {
  console.warn(`Skipped: ${reason}. Install apertium-apy and apertium-eng-spa to run the tests of a real engine.`);
  return null;
}
