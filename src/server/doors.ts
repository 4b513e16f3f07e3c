// What is looked at before any handler: whether a request means this gateway at all, by its Host, and the headers that
// every answer has.
import type { IncomingMessage, ServerResponse } from "node:http";
import { BoundedMap } from "#src/base/bounded-map.ts";
import { DomainError } from "#src/base/errors.ts";
import { isLoopbackName } from "#src/server/loopback.ts";

interface Rule {
  /**
   * Names of hosts, with a port or for any, beside those of this machine and of the public address; all if undefined.
   */
  readonly allowedHosts?: readonly string[] | undefined;
  readonly publicUrl: () => string;
}

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
  readonly #meant = new BoundedMap<string, true>(100);

  constructor(rule: Rule) {
    this.#rule = rule;
  }

  /**
   * Why a request is refused: INVALID_INPUT with two headers Host, of which a proxy may have read the other one,
   * MISDIRECTED for the name of another host, which a page of others may have bound to this address (DNS rebinding).
   * Browsers always name one: without it asks a balancer that looks whether the gateway is there (HTTP/1.0).
   */
  refusal(request: IncomingMessage): DomainError | null {
    let hosts = 0;
    const { rawHeaders } = request;
    for (let at = 0; at < rawHeaders.length; at += 2)
      if (rawHeaders[at]?.length === 4 && rawHeaders[at]?.toLowerCase() === "host") hosts += 1;
    if (hosts > 1) return new DomainError("INVALID_INPUT", "A request has one header Host.");
    const { host } = request.headers;
    if (host === undefined || this.#meant.get(host)) return null;
    if (!this.#isMeant(host)) return new DomainError("MISDIRECTED");
    this.#meant.keep(host, true);
    return null;
  }

  /** Sets the headers that every answer has: nothing is taken for what it is not, and https is kept to. */
  furnish(response: ServerResponse): void {
    response.setHeader("x-content-type-options", "nosniff");
    if (this.#rule.publicUrl().startsWith("https:"))
      response.setHeader("strict-transport-security", `max-age=${secureForSeconds}`);
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
