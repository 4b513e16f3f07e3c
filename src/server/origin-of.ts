// From where a request came, as the audit log, the limits and the list of sessions tell it.
import type { IncomingMessage } from "node:http";
import type { Origin } from "#src/events/audit.ts";
import { BoundedMap } from "#src/base/bounded-map.ts";
import { type Address, addressOf, type Networks } from "#src/net/networks.ts";

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

/**
 * The address and the agent of a request. A proxy that is trusted says in `X-Forwarded-For` for whom it asks: of the
 * addresses there, from the last, the first is taken that is not of such a proxy. What callers write there themselves
 * is before it.
 */
export function originOf({ headers, socket }: IncomingMessage, trustedProxies: Networks): Origin {
  const { "x-forwarded-for": forwarded = "", "user-agent": agent } = headers;
  const peer = peerOf(socket.remoteAddress ?? "");
  const address = forwarded === "" ? peer.text : callerOf(peer, String(forwarded), trustedProxies);
  return { address, agent: agent?.slice(0, agentLimit) ?? null };
}

function callerOf(peer: Peer, forwarded: string, trustedProxies: Networks): string | null {
  const hops = forwarded.split(",").slice(-hopLimit);
  let { address } = peer;
  while (address && trustedProxies.has(address)) {
    const before = addressOf(hops.pop()?.trim() ?? "");
    if (!before) break;
    address = before;
  }
  return address?.toString() ?? null;
}
