// The socket of a connection for pipelined statements, which reads into memory that it uses again.
import { Socket } from "node:net";

const memory = Buffer.allocUnsafeSlow(64 * 1024);

/** Emits "bytes" with a view of reused memory; without a listener, and over TLS, "data" as usual. */
export function openSocket({ ssl }: { readonly ssl?: unknown }): Socket {
  if (ssl) return new Socket();
  const socket: Socket = new Socket({
    onread: {
      buffer: memory,
      callback(size) {
        const bytes = memory.subarray(0, size);
        return socket.emit("bytes", bytes) || socket.emit("data", Buffer.from(bytes)) || true;
      },
    },
  });
  return socket;
}
