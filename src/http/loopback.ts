// What is of this machine alone: names and addresses that lead nowhere else.
import type { IncomingMessage } from "node:http";
import { addressOf } from "#src/net/networks.ts";

/** Whether an address, or the host name of a URL, is one of this machine: `localhost`, 127.0.0.0/8 or `[::1]`. */
export function isLoopbackName(hostname: string): boolean {
  return hostname === "localhost" || addressOf(hostname.replace(/^\[(.*)\]$/, "$1"))?.range() === "loopback";
}

/**
 * Whether a request was made on this machine, to this machine, by no page of another place: the connection is, the
 * `Host` says so, which no rebound name of a web site does (DNS rebinding), and no proxy or page asks for others.
 */
export function isOfThisMachine({ socket, headers }: IncomingMessage): boolean {
  const { host = "", origin, forwarded, via, "x-forwarded-for": forwardedFor } = headers;
  const isLocalPeer = isLoopbackName(socket.remoteAddress ?? "");
  const url = `http://${host}`;
  const isLocalHost = URL.canParse(url) && isLoopbackName(new URL(url).hostname);
  const isPassedOn = [forwarded, via, forwardedFor].some((header) => header !== undefined);
  return isLocalPeer && isLocalHost && !isPassedOn && (origin === undefined || origin === url);
}
