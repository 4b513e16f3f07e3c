// Addresses of things for people: in an application, and where their content is published. Both are frontends that
// APP_URL and PUBLISHED_URL name; without them pages of docgraph itself. And addresses of endpoints of integrations.

/** Where the gateway and its frontends are. */
export interface Addresses {
  /** The address under which the gateway is reached, without a slash at the end. */
  readonly publicUrl: string;
  /** Template of addresses in an application; by default those of `/app` of the gateway. */
  readonly appUrl?: string | undefined;
  /** Template of addresses of published content; by default those of `/published` of the gateway. */
  readonly publishedUrl?: string | undefined;
  /** The origin of endpoints of integrations; by default that of the gateway. */
  readonly integrationsUrl?: string | undefined;
}

/** Makes links. `{id}` in a template is the id of the thing, `{path}` its path there. */
export class Links {
  readonly #of: Addresses;

  constructor(of: Addresses) {
    this.#of = of;
  }

  /** What links are made of. */
  get addresses(): Addresses {
    const { publicUrl, appUrl, publishedUrl } = this.#of;
    return { publicUrl, ...(appUrl !== undefined && { appUrl }), ...(publishedUrl !== undefined && { publishedUrl }) };
  }

  /** A thing in the application. `path` needs no escaping. */
  app(path: string, id: string): string {
    const { publicUrl, appUrl } = this.#of;
    return appUrl === undefined ? `${publicUrl}/app/${path}` : filled(appUrl, id, path);
  }

  /** The start of the addresses at which an installation of an integration answers requests of anybody. */
  endpoint(integrationName: string, installationId: string): string {
    const { publicUrl, integrationsUrl = publicUrl } = this.#of;
    return `${integrationsUrl}/integrations/${integrationName}/${installationId}`;
  }

  /** Whether an address is one of the application or of the gateway itself. */
  leadsIn(address: string): boolean {
    const { publicUrl, appUrl } = this.#of;
    return (
      address === publicUrl ||
      [`${publicUrl}/`, ...(appUrl === undefined ? [] : [startOf(appUrl)])].some((start) => address.startsWith(start))
    );
  }

  /**
   * A place in the published content of a space or site: the segments of the path there, of which the first is the
   * secret key where it is reached by a link.
   */
  published(id: string, segments: readonly string[] = []): string {
    const { publicUrl, publishedUrl = `${publicUrl}/published/{id}/{path}` } = this.#of;
    return filled(publishedUrl, id, segments.map(encodeURIComponent).join("/"));
  }
}

/** The query by which an address of /v1 carries the key of a link; nothing without one. */
export const keyQuery = (key: string | null): string =>
  key === null ? "" : `?${new URLSearchParams({ shareKey: key }).toString()}`;

/** An address up to the first place in a template. */
const startOf = (template: string): string => template.replace(/\{.*$/s, "");

/** Without a path the slash before it falls away, too. */
function filled(template: string, id: string, path: string): string {
  const withPath = path === "" ? template.replace(/\/?\{path\}/, "") : template.replace("{path}", () => path);
  return withPath.replace("{id}", id);
}

/**
 * A template from an address as it is configured: where it names no place, `ending` is added. Undefined for what is not
 * an address of http or https, has other places than `{id}` and `{path}` or one of them twice, or lacks one of `needs`.
 */
export function readTemplate(
  text: string,
  { ending, needs }: { ending: string; needs: readonly string[] },
): string | undefined {
  const template = /[{}]/.test(text) ? text : `${text.replace(/\/+$/, "")}/${ending}`;
  const places: readonly string[] = template.match(/\{[^{}]*\}/g) ?? [];
  const isKnown = places.every((place) => ["{id}", "{path}"].includes(place));
  const isWhole = !/[{}]/.test(template.replaceAll(/\{(?:id|path)\}/g, ""));
  const address = template.replaceAll(/\{(?:id|path)\}/g, "x");
  if (!isKnown || !isWhole || new Set(places).size < places.length || !URL.canParse(address)) return undefined;
  const { protocol } = new URL(address);
  // The host is fixed: a template says where a frontend is, and no id chooses another server.
  const isFixed = URL.canParse(text) && !/[{}]/.test(/^[^/]*\/\/[^/?#]*/.exec(template)?.[0] ?? "");
  const isWeb = protocol === "https:" || protocol === "http:";
  return isWeb && isFixed && needs.every((place) => places.includes(place)) ? template : undefined;
}
