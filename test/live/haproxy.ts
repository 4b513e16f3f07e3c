// A real HAProxy in front of gateways without retries: clients see every connection that a gateway cuts.
import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { deployed } from "#test/support/deployment.ts";
import { freePort } from "#test/support/free-port.ts";

export interface Balancer extends AsyncDisposable {
  readonly url: string;
  /** Waits until it balances over all gateways. */
  knowsAll(): Promise<void>;
}

/** Starts HAProxy in front of gateways; prints the reason and returns null if it is not installed. */
export async function startHaproxy(gateways: readonly string[]): Promise<Balancer | null> {
  const [port, folder] = [await freePort(), await mkdtemp(join(tmpdir(), "docgraph-haproxy-"))];
  const config = join(folder, "haproxy.cfg");
  const servers = gateways.map((address, index) => `  server gateway${index + 1} ${new URL(address).host}\n`);
  const ours = deployed("haproxy.cfg")
    .replace("bind :80", `bind 127.0.0.1:${port}`)
    .replace("  option httpchk", "  retries 0\n  http-response set-header x-gateway %s\n  option httpchk")
    .replaceAll(/^ {2}server .*\n/gm, "");
  await writeFile(config, ours + servers.join(""));
  const child = spawn("haproxy", ["-db", "-f", config], { cwd: "/", stdio: "ignore" });
  let isThere = true;
  const ended = new Promise<void>((resolve) => {
    child.once("error", () => resolve()); // the program is not installed
    child.once("exit", () => resolve());
  }).then(() => (isThere = false));
  const url = `http://127.0.0.1:${port}`;
  const isReady = () =>
    fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (isThere && !(await isReady())) await wait(20);
  if (!isThere) {
    await rm(folder, { recursive: true });
    console.warn("Skipped: haproxy is not installed or has exited.");
    return null;
  }
  return {
    url,
    async knowsAll() {
      const inTurn = async () => (await fetch(`${url}/healthz`)).headers.get("x-gateway");
      const known = async () => new Set(await Promise.all(gateways.flatMap(() => [inTurn(), inTurn()])));
      while ((await known()).size < gateways.length) await wait(50);
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}
