// Networks of IP addresses, as people write them: `10.1.0.0/16`, or one address alone.
import ipaddr from "ipaddr.js";

export type Address = ipaddr.IPv4 | ipaddr.IPv6;

type Network = readonly [base: Address, bits: number];

/** Some networks. */
export class Networks {
  readonly #networks: readonly Network[];

  /** Of those that are networks or addresses; {@link isNetwork} says which are. Throws an `Error` for others. */
  constructor(entries: readonly string[]) {
    this.#networks = entries.map(networkOf);
  }

  /** Whether an address is in one of them. An IPv4 address is never in a network of IPv6, nor the other way round. */
  has(address: Address): boolean {
    return this.#networks.some(([base, bits]) => address.kind() === base.kind() && address.match(base, bits));
  }
}

/** Whether the text is a network or an address. */
export const isNetwork = (text: string): boolean => ipaddr.isValidCIDR(text) || ipaddr.isValid(text);

/** The IP address of a text; null for what is none. An IPv4 address written as an IPv6 one is that IPv4 address. */
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
