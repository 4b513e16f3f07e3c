// A real Redis for tests: the one of TEST_REDIS_URL, one at the default port, or a new one.
import { spawn } from "node:child_process";
import { connect } from "node:net";
import { freePort } from "#test/support/free-port.ts";

export interface TestRedis extends AsyncDisposable {
  readonly host: string;
  readonly port: number;
}

/** Finds or starts a Redis; prints the reason and returns null if neither works. */
export async function findRedis(): Promise<TestRedis | null> {
  const { hostname: host, port } = new URL(process.env["TEST_REDIS_URL"] ?? "redis://127.0.0.1:6379");
  const known = { host, port: Number(port || 6379) };
  if (await answers(known)) return { ...known, [Symbol.asyncDispose]: () => Promise.resolve() };
  const started = await start();
  if (!started)
    console.warn(`Skipped: no Redis answers at ${known.host}:${known.port}, and redis-server is not installed.`);
  return started;
}

function answers(address: { host: string; port: number }): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(address, () => socket.write("PING\r\n"));
    socket.setTimeout(2000, () => socket.destroy());
    socket.on("data", (data) => {
      resolve(data.toString().startsWith("+PONG"));
      socket.destroy();
    });
    socket.on("error", () => {});
    socket.on("close", () => resolve(false));
  });
}

async function start(): Promise<TestRedis | null> {
  const port = await freePort();
  const options = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"];
  const child = spawn("redis-server", options, { cwd: "/", stdio: ["ignore", "pipe", "ignore"] });
  const ended = new Promise<void>((resolve) => {
    child.once("error", () => resolve()); // the program is not installed
    child.once("exit", () => resolve());
  });
  const isReady = await new Promise<boolean>((resolve) => {
    void ended.then(() => resolve(false));
    child.stdout.on("data", (line: Buffer) => line.includes("Ready to accept connections") && resolve(true));
  });
  if (!isReady) return null;
  return {
    host: "127.0.0.1",
    port,
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}
