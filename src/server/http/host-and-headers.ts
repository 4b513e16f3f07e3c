// The check of the header Host, which must name this gateway, and the security headers of every response.
import type { IncomingMessage, ServerResponse } from "node:http";
import { DomainError } from "#src/base/errors.ts";
import { isLoopbackName } from "#src/http/client-address.ts";
import { setEarlyHeader } from "#src/http/early-headers.ts";
import { pathOf } from "#src/http/exchange.ts";
import { namesHostOf } from "#src/http/route.ts";
import type { PathOfHost } from "#src/features/feature.ts";
import { BoundedMap } from "#src/runtime/bounded-map.ts";

interface Rule {
  /** Allowed hosts, with or without a port, besides those of this machine and of the public address; undefined: any. */
  readonly allowedHosts?: readonly string[] | undefined;
  /** The public address, once the gateway listens. */
  readonly address: { readonly publicUrl: string };
  /** The isolated origin, with a host of its own, and the only paths that it serves. */
  readonly isolated?: { readonly url: string; readonly answersAt: (path: string) => boolean } | undefined;
  /** Finds the path that another host serves, such as the hostname of a site. */
  readonly pathOfHost?: PathOfHost | undefined;
}

/** `own` hosts are this machine and the public address: they never belong to a site. */
type HostKind = "own" | "public" | "isolated";

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
   * not (HTTP/1.0). `base` is not empty for the hostname of a site ({@link baseOf}).
   */
  refusal(request: IncomingMessage, base = ""): DomainError | null {
    let hosts = 0;
    const { rawHeaders } = request;
    for (let at = 0; at < rawHeaders.length; at += 2)
      if (rawHeaders[at]?.length === 4 && rawHeaders[at]?.toLowerCase() === "host") hosts += 1;
    if (hosts > 1) return new DomainError("INVALID_INPUT", "The request has more than one Host header.");
    const { host } = request.headers;
    if (host === undefined || base !== "") return null;
    const kind = this.#kindOf(host);
    if (kind === null) return new DomainError("MISDIRECTED");
    if (kind !== "isolated" || this.#rule.isolated?.answersAt(pathOf(request))) return null;
    return new DomainError("MISDIRECTED", "No route of this host matches this path.");
  }

  /** The path that the host of a request serves; empty if it is not the hostname of a site. */
  baseOf({ headers: { host } }: IncomingMessage): "" | Promise<string> {
    const { pathOfHost } = this.#rule;
    if (host === undefined || !pathOfHost) return "";
    const kind = this.#kindOf(host);
    if (kind === "own" || kind === "isolated") return "";
    const hostname = URL.parse(`http://${host}`)?.hostname.replace(/\.$/, "");
    return hostname === undefined ? "" : pathOfHost(hostname).then((path) => path ?? "");
  }

  /** Sets the headers of every response: no media type sniffing, and https only. */
  secure(response: ServerResponse): void {
    setEarlyHeader(response, "x-content-type-options", "nosniff");
    if (this.#rule.address.publicUrl.startsWith("https:"))
      setEarlyHeader(response, "strict-transport-security", `max-age=${secureForSeconds}`);
  }

  #kindOf(host: string): HostKind | null {
    const known = this.#accepted.get(host);
    if (known !== undefined) return known;
    const kind = this.#newKindOf(host);
    if (kind !== null) this.#accepted.keep(host, kind);
    return kind;
  }

  #newKindOf(host: string): HostKind | null {
    const { allowedHosts, address, isolated } = this.#rule;
    if (namesHostOf(host, isolated?.url)) return "isolated";
    const hostname = URL.parse(`http://${host}`)?.hostname;
    if (hostname !== undefined && (isLoopbackName(hostname) || URL.parse(address.publicUrl)?.hostname === hostname))
      return "own";
    if (allowedHosts === undefined) return "public";
    return hostname !== undefined && (allowedHosts.includes(host) || allowedHosts.includes(hostname)) ? "public" : null;
  }
}
