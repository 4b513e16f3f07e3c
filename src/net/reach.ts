// Whether requests may go to an address, to refuse it when it is given instead of when it is used.
import { isIP } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { AllowedAddresses } from "#src/net/allowed-addresses.ts";
import { type Resolve, resolveBySystem } from "#src/net/guarded-connector.ts";
import type { SafeFetch } from "#src/net/safe-fetch.ts";

/** The requests to the machines of developers. */
export interface Tunnels {
  readonly fetch: SafeFetch;
  /** False for an address that `fetch` would refuse. Names that do not resolve in two seconds may do so later. */
  readonly mayReach: (url: string) => Promise<boolean>;
}

const lookupMs = 2_000;

/** The machine of the gateway itself. */
export const loopback = ["127.0.0.0/8", "::1/128"] as const;

/** See {@link Tunnels}; the options are those of the safe fetch. */
export function createReach(of: { allowedHosts?: readonly string[]; resolve?: Resolve }): Tunnels["mayReach"] {
  const { allowedHosts = [], resolve = resolveBySystem } = of;
  const allowed = new AllowedAddresses(allowedHosts);
  return async (url) => {
    const host = new URL(url).hostname.replaceAll(/^\[|\]$/g, "");
    if (isIP(host) !== 0) return allowed.mayReach(host);
    if (allowed.hasHost(host)) return true;
    const addresses = await Promise.race([resolve(host).catch(() => []), wait(lookupMs, [], { ref: false })]);
    return addresses.every((address) => allowed.mayReach(address));
  };
}
