// The check of the header Host, which must name this gateway, and the security headers of every response.
import type { IncomingMessage, ServerResponse } from "node:http";
import { DomainError } from "#src/base/errors.ts";
import { isLoopbackName } from "#src/http/client-address.ts";
import { addEarlyHeader } from "#src/http/early-headers.ts";
import { pathOf } from "#src/http/exchange.ts";
import { namesHostOf } from "#src/http/route.ts";
import { BoundedMap } from "#src/runtime/bounded-map.ts";

interface Rule {
  /** Allowed hosts, with or without a port, besides those of this machine and of the public address; undefined: any. */
  readonly allowedHosts?: readonly string[] | undefined;
  /** The public address, once the gateway listens. */
  readonly address: { readonly publicUrl: string };
  /** The isolated origin, with a host of its own, and the only paths that it serves. */
  readonly isolated?: { readonly url: string; readonly answersAt: (path: string) => boolean } | undefined;
}

type HostKind = "public" | "isolated";

/** The allowed hosts of a listener on `host`: those listed, else any (undefined) if other machines reach it. */
export function allowedHostsOf(listed: readonly string[] | undefined, host: string): readonly string[] | undefined {
  const names = listed ?? (isLoopbackName(host) ? [] : ["*"]);
  return names.includes("*") ? undefined : names;
}

/** A year, in seconds. */
const secureForSeconds = 31_536_000;

export class HostAndHeaders {
  readonly #rule: Rule;
  readonly #accepted = new BoundedMap<string, HostKind>(100);

  constructor(rule: Rule) {
    this.#rule = rule;
  }

  /**
   * Why a request is rejected: INVALID_INPUT with two headers Host, of which a proxy may have used the other one,
   * MISDIRECTED for the name of another host, which a foreign page may have bound to this address (DNS rebinding), and
   * at the isolated host for all other paths. Browsers always send the header; the health check of a load balancer may
   * not (HTTP/1.0).
   */
  refusal(request: IncomingMessage): DomainError | null {
    let hosts = 0;
    const { rawHeaders } = request;
    for (let at = 0; at < rawHeaders.length; at += 2)
      if (rawHeaders[at]?.length === 4 && rawHeaders[at]?.toLowerCase() === "host") hosts += 1;
    if (hosts > 1) return new DomainError("INVALID_INPUT", "The request has more than one Host header.");
    const { host } = request.headers;
    if (host === undefined) return null;
    const known = this.#accepted.get(host);
    if (known === "public") return null;
    const kind = known ?? this.#kindOf(host);
    if (kind === null) return new DomainError("MISDIRECTED");
    if (known === undefined) this.#accepted.keep(host, kind);
    if (kind === "public" || this.#rule.isolated?.answersAt(pathOf(request))) return null;
    return new DomainError("MISDIRECTED", "No route of this host matches this path.");
  }

  /** Sets the headers of every response: no media type sniffing, and https only. */
  secure(response: ServerResponse): void {
    addEarlyHeader(response, "x-content-type-options", "nosniff");
    if (this.#rule.address.publicUrl.startsWith("https:"))
      addEarlyHeader(response, "strict-transport-security", `max-age=${secureForSeconds}`);
  }

  #kindOf(host: string): HostKind | null {
    if (namesHostOf(host, this.#rule.isolated?.url)) return "isolated";
    return this.#isPublic(host) ? "public" : null;
  }

  #isPublic(host: string): boolean {
    const { allowedHosts, address } = this.#rule;
    if (allowedHosts === undefined) return true;
    const hostname = URL.parse(`http://${host}`)?.hostname;
    if (hostname === undefined) return false;
    if (isLoopbackName(hostname) || allowedHosts.includes(host) || allowedHosts.includes(hostname)) return true;
    return URL.parse(address.publicUrl)?.hostname === hostname;
  }
}
