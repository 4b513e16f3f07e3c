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

/**
 * The client of an address, for limits that count clients: an IPv4 address itself, and the /64 of an IPv6 address, all
 * of which one client has. Empty for null and for what is not an address.
 */
export function clientOf(text: string | null): string {
  const address = addressOf(text ?? "");
  if (address instanceof ipaddr.IPv6)
    return `${address.parts
      .slice(0, 4)
      .map((part) => part.toString(16))
      .join(":")}::/64`;
  return address?.toString() ?? "";
}

function networkOf(text: string): Network {
  if (ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text);
  const address = ipaddr.process(text);
  return [address, address.kind() === "ipv4" ? 32 : 128];
}
