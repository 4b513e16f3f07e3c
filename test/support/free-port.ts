// A free port for programs that need one.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A port of the loopback address on which nothing listens now. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  const { port } = server.address() as AddressInfo; // a TCP server's address is never a path
  await new Promise((resolve) => server.close(resolve));
  return port;
}
