// The address of the client of a request, for the audit log, the limits and the list of sessions, and whether the
// client is on this machine.
import type { IncomingMessage } from "node:http";
import type { Logger } from "pino";
import type { Origin } from "#src/events/audit.ts";
import { BoundedMap } from "#src/runtime/bounded-map.ts";
import { type Address, addressOf, Networks } from "#src/net/networks.ts";

/** The longest stored part of the header User-Agent, in characters. */
const agentLimit = 200;

/** How many hops of the header X-Forwarded-For are read, from the last. */
const hopLimit = 20;

interface Peer {
  readonly address: Address | null;
  readonly text: string | null;
}

/** Current and former clients, by their addresses as the system writes them: each sends many requests. */
const peers = new BoundedMap<string, Peer>(10_000);

function peerOf(written: string): Peer {
  const known = peers.get(written);
  if (known) return known;
  const address = addressOf(written);
  const peer = { address, text: address?.toString() ?? null };
  peers.keep(written, peer);
  return peer;
}

interface Options {
  readonly trustedProxies: readonly string[];
  readonly log: Pick<Logger, "warn">;
}

/** Finds the origins of requests, by the trusted proxies of the configuration. */
export class RequestOrigins {
  readonly #trusted: Networks;
  readonly #log: Options["log"];
  #hasWarned = false;

  constructor({ trustedProxies, log }: Options) {
    this.#trusted = new Networks(trustedProxies);
    this.#log = log;
  }

  /**
   * The address and the agent of a request. A trusted proxy names its client in `X-Forwarded-For`: of the addresses
   * there, the last one that is not of such a proxy counts. Addresses written there by clients come before it.
   */
  of({ headers, socket }: Pick<IncomingMessage, "headers" | "socket">): Origin {
    const { "x-forwarded-for": hops = "", forwarded, "user-agent": agent } = headers;
    const peer = peerOf(socket.remoteAddress ?? "");
    const address = hops === "" ? peer.text : this.#callerOf(peer, String(hops));
    if (hops === "" && forwarded !== undefined && !(peer.address && this.#trusted.has(peer.address)))
      this.#warnOf(peer);
    return { address, agent: agent?.slice(0, agentLimit) ?? null };
  }

  #callerOf(peer: Peer, forwarded: string): string | null {
    const hops = forwarded.split(",").slice(-hopLimit);
    let { address } = peer;
    while (address && this.#trusted.has(address)) {
      const before = addressOf(hops.pop()?.trim() ?? "");
      if (!before) return address.toString();
      address = before;
    }
    if (address !== null && address === peer.address) this.#warnOf(peer);
    return address?.toString() ?? null;
  }

  /** Behind a proxy that is not trusted, all clients count as one: each can use up the quota of all others. */
  #warnOf({ text }: Peer): void {
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    this.#log.warn(
      { address: text },
      `A request from ${text} names another client in X-Forwarded-For or Forwarded, which is ignored: TRUSTED_PROXIES does not name ${text}. If it is your proxy, add it there; until then limits count all of its clients as one.`,
    );
  }
}

/** Whether an address, or the host name of a URL, is one of this machine: `localhost`, 127.0.0.0/8 or `[::1]`. */
export const isLoopbackName = (hostname: string): boolean =>
  hostname === "localhost" || addressOf(hostname.replace(/^\[(.*)\]$/, "$1"))?.range() === "loopback";

/** Whether a request came from and to this machine, without a proxy, foreign page or rebound name (DNS rebinding). */
export function isOfThisMachine({ socket, headers }: IncomingMessage): boolean {
  const { host = "", origin, forwarded, via, "x-forwarded-for": forwardedFor } = headers;
  const isLocalPeer = isLoopbackName(socket.remoteAddress ?? "");
  const url = `http://${host}`;
  const isLocalHost = URL.canParse(url) && isLoopbackName(new URL(url).hostname);
  const isPassedOn = [forwarded, via, forwardedFor].some((header) => header !== undefined);
  return isLocalPeer && isLocalHost && !isPassedOn && (origin === undefined || origin === url);
}
