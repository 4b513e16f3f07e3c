// The addresses that requests may go to: public ones, and those of networks that the operator allows.
import { type Address, addressOf, isNetwork, Networks } from "#src/net/networks.ts";

/** In a public range, but a metadata service of the machine's own cloud: it hands out credentials. */
const cloudAddresses = new Set(["168.63.129.16"]);

const globalUnicast = new Networks(["2000::/3"]);

/** Hosts and networks that may be reached although they are not public, from `ALLOWED_FETCH_HOSTS`. */
export class AllowedAddresses {
  readonly #hosts = new Set<string>();
  readonly #networks: Networks;

  /** Takes names (`docs.example.com`), addresses and networks (`10.1.0.0/16`). Throws an `Error` for anything else. */
  constructor(entries: readonly string[]) {
    for (const entry of entries) {
      if (isNetwork(entry)) continue;
      if (!isHostName(entry))
        throw new Error(`ALLOWED_FETCH_HOSTS: ${JSON.stringify(entry)} is not a host, address or network`);
      this.#hosts.add(entry.toLowerCase());
    }
    this.#networks = new Networks(entries.filter(isNetwork));
  }

  /** Whether this host may have any address; compared as a whole, so subdomains are other hosts. */
  hasHost(host: string): boolean {
    return this.#hosts.has(host.toLowerCase().replace(/\.$/, ""));
  }

  /** Whether a connection may be made to this IP address. False if it is not one. */
  mayReach(text: string): boolean {
    const address = addressOf(text);
    return address !== null && (isPublic(address) || this.#networks.has(address));
  }
}

const isHostName = (text: string): boolean => /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/i.test(text) && !/(^|\.)\d+$/.test(text);

function isPublic(address: Address): boolean {
  if (address.range() !== "unicast" || cloudAddresses.has(address.toString())) return false;
  // Unassigned IPv6 addresses, such as ::127.0.0.1, count as unicast.
  return address.kind() === "ipv4" || globalUnicast.has(address);
}
