// What is looked at before any handler: whether a request means this gateway at all, by its Host, and the headers that
// every answer has.
import type { IncomingMessage, ServerResponse } from "node:http";
import { BoundedMap } from "#src/runtime/bounded-map.ts";
import { DomainError } from "#src/base/errors.ts";
import { pathOf } from "#src/http/exchange.ts";
import { endpointAddress } from "#src/server/integration-requests.ts";
import { isIntegrationsHost } from "#src/server/integrations-host.ts";
import { isLoopbackName } from "#src/http/loopback.ts";

interface Rule {
  /**
   * Names of hosts, with a port or for any, beside those of this machine and of the public address; all if undefined.
   */
  readonly allowedHosts?: readonly string[] | undefined;
  readonly publicUrl: () => string;
  /** The address of endpoints of integrations, where they have a host of their own: nothing else is answered there. */
  readonly integrationsUrl?: string | undefined;
}

/** What a host is for. */
type HostOf = "docgraph" | "integrations";

/**
 * The names that a listener on `host` answers to: those that the settings list, or else any where it is reached from
 * other machines; undefined for all.
 */
export function allowedHostsOf(listed: readonly string[] | undefined, host: string): readonly string[] | undefined {
  const names = listed ?? (isLoopbackName(host) ? [] : ["*"]);
  return names.includes("*") ? undefined : names;
}

/** A year, in seconds. */
const secureForSeconds = 31_536_000;

/** The doors of a gateway. */
export class Doors {
  readonly #rule: Rule;
  /** Values of the header Host that mean this gateway. */
  readonly #meant = new BoundedMap<string, HostOf>(100);

  constructor(rule: Rule) {
    this.#rule = rule;
  }

  /**
   * Why a request is refused: INVALID_INPUT with two headers Host, of which a proxy may have read the other one,
   * MISDIRECTED for the name of another host, which a page of others may have bound to this address (DNS rebinding),
   * and at the host of integrations for all but their endpoints.
   * Browsers always name one: without it asks a balancer that looks whether the gateway is there (HTTP/1.0).
   */
  refusal(request: IncomingMessage): DomainError | null {
    let hosts = 0;
    const { rawHeaders } = request;
    for (let at = 0; at < rawHeaders.length; at += 2)
      if (rawHeaders[at]?.length === 4 && rawHeaders[at]?.toLowerCase() === "host") hosts += 1;
    if (hosts > 1) return new DomainError("INVALID_INPUT", "A request has one header Host.");
    const { host } = request.headers;
    if (host === undefined) return null;
    const known = this.#meant.get(host);
    if (known === "docgraph") return null;
    const of = known ?? this.#hostOf(host);
    if (of === null) return new DomainError("MISDIRECTED");
    if (known === undefined) this.#meant.keep(host, of);
    if (of === "docgraph" || endpointAddress.test(pathOf(request))) return null;
    return new DomainError("MISDIRECTED", "This host answers only at the endpoints of integrations.");
  }

  /** Sets the headers that every answer has: nothing is taken for what it is not, and https is kept to. */
  furnish(response: ServerResponse): void {
    response.setHeader("x-content-type-options", "nosniff");
    if (this.#rule.publicUrl().startsWith("https:"))
      response.setHeader("strict-transport-security", `max-age=${secureForSeconds}`);
  }

  #hostOf(host: string): HostOf | null {
    if (isIntegrationsHost(host, this.#rule.integrationsUrl)) return "integrations";
    return this.#isMeant(host) ? "docgraph" : null;
  }

  #isMeant(host: string): boolean {
    const { allowedHosts, publicUrl } = this.#rule;
    if (allowedHosts === undefined) return true;
    const url = `http://${host}`;
    if (!URL.canParse(url)) return false;
    const { hostname } = new URL(url);
    if (isLoopbackName(hostname) || allowedHosts.includes(host) || allowedHosts.includes(hostname)) return true;
    return URL.canParse(publicUrl()) && new URL(publicUrl()).hostname === hostname;
  }
}
