// Which addresses a request may go to: public ones, and those of networks that the operator has named.
import { type Address, addressOf, isNetwork, Networks } from "#src/net/networks.ts";

/** Public by its range, but answered by the machine's own cloud: it hands out credentials. */
const cloudAddresses = new Set(["168.63.129.16"]);

const globalUnicast = new Networks(["2000::/3"]);

/** The hosts and networks that may be reached although they are not public, as `ALLOWED_FETCH_HOSTS` names them. */
export class AllowedAddresses {
  readonly #hosts = new Set<string>();
  readonly #networks: Networks;

  /** Of names (`docs.example.com`), addresses and networks (`10.1.0.0/16`). Throws an `Error` for anything else. */
  constructor(entries: readonly string[]) {
    for (const entry of entries) {
      if (isNetwork(entry)) continue;
      if (!isHostName(entry))
        throw new Error(`ALLOWED_FETCH_HOSTS: ${JSON.stringify(entry)} is no host, address or network`);
      this.#hosts.add(entry.toLowerCase());
    }
    this.#networks = new Networks(entries.filter(isNetwork));
  }

  /** Whether this host may have any address; it is compared as a whole, and one part more or less is another host. */
  hasHost(host: string): boolean {
    return this.#hosts.has(host.toLowerCase().replace(/\.$/, ""));
  }

  /** Whether a connection may be made to this IP address. False for what is none. */
  mayReach(text: string): boolean {
    const address = addressOf(text);
    return address !== null && (isPublic(address) || this.#networks.has(address));
  }
}

const isHostName = (text: string): boolean => /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/i.test(text) && !/(^|\.)\d+$/.test(text);

function isPublic(address: Address): boolean {
  if (address.range() !== "unicast" || cloudAddresses.has(address.toString())) return false;
  // What IPv6 has not given out, such as ::127.0.0.1, counts as unicast.
  return address.kind() === "ipv4" || globalUnicast.has(address);
}
