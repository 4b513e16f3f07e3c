// From where a request came, as the audit log, the limits and the list of sessions tell it.
import type { IncomingMessage } from "node:http";
import type { Logger } from "pino";
import type { Origin } from "#src/events/audit.ts";
import { BoundedMap } from "#src/runtime/bounded-map.ts";
import { type Address, addressOf, Networks } from "#src/net/networks.ts";

/** How much of the header User-Agent is kept, in characters. */
const agentLimit = 200;

/** Of the header X-Forwarded-For the last hops count, at most so many: behind more proxies nobody is. */
const hopLimit = 20;

interface Peer {
  readonly address: Address | null;
  /** The address in its usual form. */
  readonly text: string | null;
}

/** Those who are connected, or were of late, by how the system writes their addresses: each sends many requests. */
const peers = new BoundedMap<string, Peer>(10_000);

function peerOf(written: string): Peer {
  const known = peers.get(written);
  if (known) return known;
  const address = addressOf(written);
  const peer = { address, text: address?.toString() ?? null };
  peers.keep(written, peer);
  return peer;
}

interface Given {
  readonly trustedProxies: readonly string[];
  /** Is warned once of a proxy that is not named. */
  readonly log: Pick<Logger, "warn">;
}

/** Finds out the origins of requests, by the proxies that the configuration names. */
export class RequestOrigins {
  readonly #trusted: Networks;
  readonly #log: Given["log"];
  #hasWarned = false;

  constructor({ trustedProxies, log }: Given) {
    this.#trusted = new Networks(trustedProxies);
    this.#log = log;
  }

  /**
   * The address and the agent of a request. A proxy that is trusted says in `X-Forwarded-For` for whom it asks: of the
   * addresses there, from the last, the first is taken that is not of such a proxy. What callers write there themselves
   * is before it.
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

  /** Behind a proxy that is not named, all clients are one: each of them can use up what is limited for all others. */
  #warnOf({ text }: Peer): void {
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    this.#log.warn(
      { address: text },
      `A request from ${text} names another client in X-Forwarded-For or Forwarded, which is ignored: TRUSTED_PROXIES does not name ${text}. If it is your proxy, add it there; until then limits count all of its clients as one.`,
    );
  }
}
