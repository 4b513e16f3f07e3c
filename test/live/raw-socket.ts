// A WebSocket client without a protocol: it sends any message, and waits for messages.
import WebSocket from "ws";

interface Closed {
  readonly code: number;
  readonly reason: string;
}

type Message = { type: string; id?: string; payload?: unknown };

export interface RawSocket {
  readonly socket: WebSocket;
  /** Sends a value as JSON, or a text as it is. */
  readonly send: (message: object | string) => void;
  /** The next unread message. Rejects if the socket closes first. */
  readonly receive: () => Promise<Message>;
  /** Resolves with the close code when the socket closes. */
  readonly closed: Promise<Closed>;
}

/** Opens a socket; resolves when the upgrade is done. Rejects with the status of a refused one. */
export async function openRaw(
  url: string,
  options: { protocol?: string | string[]; headers?: Record<string, string>; path?: string } = {},
): Promise<RawSocket> {
  const { protocol = "graphql-transport-ws", headers = {}, path = "/graphql" } = options;
  const socket = new WebSocket(`${url.replace("http", "ws")}${path}`, protocol, { headers, perMessageDeflate: false });
  const received: Message[] = [];
  const waiting: { resolve: (message: Message) => void; reject: (error: Error) => void }[] = [];
  socket.on("message", (data) => {
    const message = JSON.parse((data as Buffer).toString()) as Message;
    const next = waiting.shift();
    if (next) next.resolve(message);
    else received.push(message);
  });
  const closed = new Promise<Closed>((resolve) => {
    socket.on("close", (code, reason) => {
      for (const { reject } of waiting.splice(0)) reject(new Error(`closed with ${code} ${reason.toString()}`));
      resolve({ code, reason: reason.toString() });
    });
  });
  await new Promise<void>((resolve, reject) => {
    socket.once("open", () => resolve());
    socket.once("unexpected-response", (_request, response) =>
      reject(new Error(`refused with ${response.statusCode}`)),
    );
    socket.once("error", reject);
  });
  return {
    socket,
    closed,
    send: (message) => socket.send(typeof message === "string" ? message : JSON.stringify(message)),
    receive: () =>
      new Promise((resolve, reject) => {
        const message = received.shift();
        if (message) resolve(message);
        else if (socket.readyState === socket.OPEN) waiting.push({ resolve, reject });
        else reject(new Error("the socket is closed"));
      }),
  };
}

/** Opens an acknowledged socket. */
export async function openKnown(url: string, token: string): Promise<RawSocket> {
  const raw = await openRaw(url);
  raw.send({ type: "connection_init", payload: { token } });
  const { type } = await raw.receive();
  if (type !== "connection_ack") throw new Error(`no acknowledgement but ${type}`);
  return raw;
}
