// Networks of IP addresses in the usual notation: `10.1.0.0/16`, or a single address.
import ipaddr from "ipaddr.js";

export type Address = ipaddr.IPv4 | ipaddr.IPv6;

type Network = readonly [base: Address, bits: number];

/** A list of networks. */
export class Networks {
  readonly #networks: readonly Network[];

  /** Takes networks or addresses, as {@link isNetwork} defines them. Throws an `Error` for others. */
  constructor(entries: readonly string[]) {
    this.#networks = entries.map(networkOf);
  }

  /** Whether an address is in one of them. An IPv4 address is never in an IPv6 network, nor the other way round. */
  has(address: Address): boolean {
    return this.#networks.some(([base, bits]) => address.kind() === base.kind() && address.match(base, bits));
  }
}

/** Whether the text is a network or an address. */
export const isNetwork = (text: string): boolean => ipaddr.isValidCIDR(text) || ipaddr.isValid(text);

/** The IP address of a text; null if it is not one. An IPv4-mapped IPv6 address becomes the IPv4 address. */
export const addressOf = (text: string): Address | null => (ipaddr.isValid(text) ? ipaddr.process(text) : null);

/** The network that limits count: an IPv4 address, or the /64 of an IPv6 one (RFC 6177); `unknown` without one. */
export function clientNetwork(address: string | null): string {
  if (address === null) return "unknown";
  if (!address.includes(":")) return address;
  const parsed = addressOf(address);
  if (!parsed || !("parts" in parsed)) return parsed?.toString() ?? "unknown";
  return `${new ipaddr.IPv6([...parsed.parts.slice(0, 4), 0, 0, 0, 0]).toString()}/64`;
}

function networkOf(text: string): Network {
  if (ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text);
  const address = ipaddr.process(text);
  return [address, address.kind() === "ipv4" ? 32 : 128];
}
