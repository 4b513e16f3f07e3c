// The connections of the servers of this process, as Node's diagnostics channel announces them.
import diagnostics from "node:diagnostics_channel";
import type { Socket } from "node:net";
import { afterAll } from "vitest";

/** Tracks the open connections until the last test of the file. */
export function watchServedSockets(): ReadonlySet<Socket> {
  const served = new Set<Socket>();
  const onSocket = (message: unknown) => {
    const { socket } = message as { socket: Socket }; // as the channel documents it
    served.add(socket);
    socket.once("close", () => served.delete(socket));
  };
  diagnostics.subscribe("net.server.socket", onSocket);
  afterAll(() => diagnostics.unsubscribe("net.server.socket", onSocket));
  return served;
}
