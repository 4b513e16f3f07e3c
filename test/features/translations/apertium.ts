// A real Apertium for tests, started here: it needs the packages apertium-apy and apertium-eng-spa of Debian.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { freePort } from "#test/support/free-port.ts";

const modes = "/usr/share/apertium/modes";

export interface TestApertium extends AsyncDisposable {
  readonly url: string;
}

/** Starts one; null, and the reason printed, where it is not installed. */
export async function startApertium(): Promise<TestApertium | null> {
  if (!existsSync(`${modes}/eng-spa.mode`)) return missing("there is no apertium-eng-spa");
  const port = await freePort();
  const child = spawn("apertium-apy", ["--port", String(port), modes], {
    cwd: "/",
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = new Promise<void>((resolve) => {
    child.once("error", () => resolve()); // there is no such program
    child.once("exit", () => resolve());
  });
  const isReady = await new Promise<boolean>((resolve) => {
    void ended.then(() => resolve(false));
    // It says so once it listens: nobody waits for it on a socket of systemd's.
    child.stderr.on("data", (line: Buffer) => line.includes("No notification socket") && resolve(true));
  });
  if (!isReady) return missing("there is no apertium-apy, or it does not start");
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
