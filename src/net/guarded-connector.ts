// Connects to allowed addresses only: to the very address that was checked, so that a later DNS answer has no effect.
import { lookup as lookUp } from "node:dns/promises";
import { isIP, type LookupFunction } from "node:net";
import { callbackify } from "node:util";
import type { buildConnector } from "undici";
import type { AllowedAddresses } from "#src/net/allowed-addresses.ts";
import { FetchError } from "#src/net/fetch-error.ts";

/** The addresses of a host, at least one. Rejects without any. */
export type Resolve = (host: string) => Promise<readonly string[]>;

const connectTimeoutMs = 10_000;

/** Asks the system, which reads its hosts file, too. */
export const resolveBySystem: Resolve = async (host) => {
  const found = await lookUp(host, { all: true });
  return found.map(({ address }) => address);
};

/** A connector of undici that throws a {@link FetchError} for a host with any forbidden address. */
export function guardedConnector(
  build: typeof buildConnector,
  allowed: AllowedAddresses,
  resolve: Resolve,
): buildConnector.connector {
  const lookup = guardedLookup(allowed, resolve);
  // The type only has the connection options of paths, which lack `lookup`.
  type Options = buildConnector.BuildOptions & { lookup: LookupFunction };
  const connect = build({ lookup, allowH2: false, timeout: connectTimeoutMs } as Options);
  return (target, callback) => {
    const host = target.hostname.replace(/^\[|\]$/g, "");
    // Names are checked in the lookup; literal addresses are not looked up, so they are checked here.
    if (isIP(host) !== 0 && !allowed.mayReach(host)) callback(new FetchError("host"), null);
    else connect(target, callback);
  };
}

function guardedLookup(allowed: AllowedAddresses, resolve: Resolve): LookupFunction {
  const answersFor = callbackify(async (host: string) => {
    const addresses = await resolve(host);
    const isAllowed = addresses.every((address) => allowed.hasHost(host) || allowed.mayReach(address));
    if (!isAllowed || addresses.length === 0) throw new FetchError("host");
    return addresses.map((address) => ({ address, family: isIP(address) }));
  });
  return (host, options, callback) =>
    answersFor(host, (error, answers) => {
      const [first] = error ? [] : answers;
      if (!first) callback(error, "");
      else if (options.all) callback(null, answers);
      else callback(null, first.address, first.family);
    });
}
