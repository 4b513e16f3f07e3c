// Public addresses: in the application, of published content and sites, of endpoints of integrations.

export interface Addresses {
  /** The gateway's address, without a slash at the end. */
  readonly publicUrl: string;
  /** Template of application addresses; `/app` of the gateway by default. */
  readonly appUrl?: string | undefined;
  /** Template of published addresses; `/published` of the gateway by default. */
  readonly publishedUrl?: string | undefined;
  /** The origin of integration endpoints; the gateway's by default. */
  readonly integrationsUrl?: string | undefined;
}

/** Makes addresses from templates; `{id}` is the id of the thing, `{path}` its path. */
export class Links {
  readonly #of: Addresses;

  constructor(of: Addresses) {
    this.#of = of;
  }

  get addresses(): Addresses {
    const { publicUrl, appUrl, publishedUrl } = this.#of;
    return { publicUrl, ...(appUrl !== undefined && { appUrl }), ...(publishedUrl !== undefined && { publishedUrl }) };
  }

  /** The address of a thing in the application. `path` needs no escaping. */
  app(path: string, id: string): string {
    const { publicUrl, appUrl } = this.#of;
    return appUrl === undefined ? `${publicUrl}/app/${path}` : filled(appUrl, id, path);
  }

  /** The base address of an installation's public endpoint. */
  endpoint(integrationName: string, installationId: string): string {
    const { publicUrl, integrationsUrl = publicUrl } = this.#of;
    return `${integrationsUrl}/integrations/${integrationName}/${installationId}`;
  }

  leadsIn(address: string): boolean {
    const { publicUrl, appUrl } = this.#of;
    if (address === publicUrl || address.startsWith(`${publicUrl}/`)) return true;
    return appUrl !== undefined && address.startsWith(startOfTemplate(appUrl));
  }

  /** The address of published content of a space or site. With a share link the first segment is its key. */
  published(id: string, segments: readonly string[] = []): string {
    const { publicUrl, publishedUrl = `${publicUrl}/published/{id}/{path}` } = this.#of;
    return filled(publishedUrl, id, segments.map(encodeURIComponent).join("/"));
  }

  /** The id or path behind an address of {@link app}, or null. */
  readApp(address: URL): Filling | null {
    const { publicUrl, appUrl = `${publicUrl}/app/{path}` } = this.#of;
    return fillingOf(appUrl, address);
  }

  /** The id and path behind an address of {@link published}, or null. The path is still percent-encoded. */
  readPublished(address: URL): Filling | null {
    const { publicUrl, publishedUrl = `${publicUrl}/published/{id}/{path}` } = this.#of;
    return fillingOf(publishedUrl, address);
  }
}

/** The values of the placeholders of a template in an address; a missing one is null. */
export interface Filling {
  readonly id: string | null;
  readonly path: string | null;
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);

/** Inverse of {@link filled}: the address may have more parameters, and a fragment. */
function fillingOf(template: string, address: URL): Filling | null {
  const [id, path] = ["PLACEHOLDER-ID", "PLACEHOLDER-PATH"];
  const whole = URL.parse(template.replace("{id}", id).replace("{path}", path));
  if (whole?.origin !== address.origin) return null;
  const own = whole.search === "" ? whole.pathname : whole.pathname + whole.search;
  const given = whole.search === "" ? address.pathname : address.pathname + address.search;
  const pattern = escaped(own)
    .replace(escaped(`/${path}`), "(?:/(?<path>[^?#&]*))?")
    .replace(escaped(path), "(?<path>[^?#&]*)")
    .replace(escaped(id), "(?<id>[^/?#&]+)");
  const groups = new RegExp(`^${pattern}$`).exec(given)?.groups;
  return groups ? { id: groups["id"] ?? null, path: groups["path"] ?? null } : null;
}

/** The part of a template before its first placeholder. */
export const startOfTemplate = (template: string): string => template.replace(/\{.*$/s, "");

/** The address of the application itself. */
export const homeAddress = ({ publicUrl, appUrl }: Pick<Addresses, "publicUrl" | "appUrl">): string =>
  appUrl === undefined ? `${publicUrl}/app` : startOfTemplate(appUrl);

/** The query of a /v1 address for the key of a share link; empty without one. */
export const keyQuery = (key: string | null): string =>
  key === null ? "" : `?${new URLSearchParams({ shareKey: key }).toString()}`;

/** Without a path its leading slash is dropped. */
function filled(template: string, id: string, path: string): string {
  const withPath = path === "" ? template.replace(/\/?\{path\}/, "") : template.replace("{path}", () => path);
  return withPath.replace("{id}", id);
}

/**
 * Reads a configured address as a template, with `ending` if it has no placeholder. Null unless it is http(s) and
 * has `{id}` and `{path}` at most once each, and all of `needs`.
 */
export function readTemplate(text: string, { ending, needs }: { ending: string; needs: string[] }): string | null {
  const template = /[{}]/.test(text) ? text : `${text.replace(/\/+$/, "")}/${ending}`;
  const places: readonly string[] = template.match(/\{[^{}]*\}/g) ?? [];
  const isKnown = places.every((place) => ["{id}", "{path}"].includes(place));
  const isWhole = !/[{}]/.test(template.replaceAll(/\{(?:id|path)\}/g, ""));
  const address = template.replaceAll(/\{(?:id|path)\}/g, "x");
  if (!isKnown || !isWhole || new Set(places).size < places.length || !URL.canParse(address)) return null;
  const { protocol } = new URL(address);
  // No placeholder is in the host: an id must not choose another server.
  const isFixed = URL.canParse(text) && !/[{}]/.test(/^[^/]*\/\/[^/?#]*/.exec(template)?.[0] ?? "");
  const isWeb = protocol === "https:" || protocol === "http:";
  return isWeb && isFixed && needs.every((place) => places.includes(place)) ? template : null;
}

/** The columns of a site that its address depends on. */
export interface AddressedSite {
  readonly id: string;
  /** The verified hostname. */
  readonly hostname: string | null;
  readonly proxyOrigin: string | null;
  readonly proxyTarget: string | null;
}

/** The public address of a part of a site: at its proxy, its hostname, or else where published content is. */
export function siteAddress(site: AddressedSite, links: Links, segments: readonly string[] = []): string {
  const host = proxyAddress(site) ?? (site.hostname === null ? null : `https://${site.hostname}`);
  if (host === null) return links.published(site.id, segments);
  return [host, ...segments.map(encodeURIComponent)].join("/");
}

/** The address of the proxy that serves a site, or null. */
export const proxyAddress = ({ proxyOrigin: origin, proxyTarget: target }: AddressedSite): string | null =>
  origin === null || target === null ? null : `https://${origin}${target}`;
