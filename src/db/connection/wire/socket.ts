// A socket that reads into one piece of memory: by itself Node makes a new one of 64 KiB for each piece that comes.
import { Socket } from "node:net";

const memory = Buffer.allocUnsafeSlow(64 * 1024);

/**
 * Who listens to "bytes" gets what comes as a view of memory that is written over afterwards; until then, and over TLS,
 * it comes as "data", as usual.
 */
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
