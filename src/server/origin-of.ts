// From where a request came, as the audit log, the limits and the list of sessions tell it.
import type { IncomingMessage } from "node:http";
import type { Origin } from "#src/events/audit.ts";
import { addressOf, type Networks } from "#src/net/networks.ts";

/** How much of the header User-Agent is kept, in characters. */
const agentLimit = 200;

/** Of the header X-Forwarded-For the last hops count, at most so many: behind more proxies nobody is. */
const hopLimit = 20;

/**
 * The address and the agent of a request. A proxy that is trusted says in `X-Forwarded-For` for whom it asks: of the
 * addresses there, from the last, the first is taken that is not of such a proxy. What callers write there themselves
 * is before it.
 */
export function originOf({ headers, socket }: IncomingMessage, trustedProxies: Networks): Origin {
  const { "x-forwarded-for": forwarded = "", "user-agent": agent } = headers;
  const hops = String(forwarded).split(",").slice(-hopLimit);
  let address = addressOf(socket.remoteAddress ?? "");
  while (address && trustedProxies.has(address)) {
    const before = addressOf(hops.pop()?.trim() ?? "");
    if (!before) break;
    address = before;
  }
  return { address: address?.toString() ?? null, agent: agent?.slice(0, agentLimit) ?? null };
}
