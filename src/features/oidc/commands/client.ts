// The client of OpenID providers: openid-client, whose requests all go through the safe fetch.
import type { ClientAuth, Configuration, ServerMetadata } from "openid-client";
import type { OpenIdSettings } from "#src/base/open-id.ts";
import { OidcError, onlyHttps, rejectionOf } from "#src/features/oidc/commands/errors.ts";
import type { SafeFetch } from "#src/net/safe-fetch.ts";
import { BoundedMap } from "#src/runtime/bounded-map.ts";

/** The most bytes of a response of a provider, and how long it may take, in milliseconds. */
const limits = { maxBytes: 500_000, timeoutMs: 10_000, maxRedirects: 0 } as const;

/** How long a configuration is used until it is read again, in milliseconds. */
const configurationAge = 10 * 60_000;

interface Sent {
  readonly method: string;
  readonly headers: Headers | Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** The safe fetch in the form of the standard one. Redirects are not followed. */
export const standardFetch =
  (fetch: SafeFetch) =>
  async (url: string, { method, headers, body }: Sent): Promise<Response> => {
    const sent = {
      ...limits,
      method: method as "GET" | "POST",
      headers: Object.fromEntries(new Headers(headers)),
      ...(body != null && { body: String(body as string | URLSearchParams) }),
    };
    const { status, headers: received, body: bytes } = await fetch(url, sent);
    const hasBody = status !== 204 && status !== 304;
    return new Response(hasBody ? new Uint8Array(bytes) : null, {
      status,
      headers: { "content-type": received.get("content-type") ?? "" },
    });
  };

/** Providers without https are only taken on this machine, for development. */
const isLocal = (issuer: string): boolean =>
  /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?(?:\/|$)/.test(issuer);

/** Reads the configuration of a provider (discovery). Throws an `OidcError` if it cannot be read or used. */
export async function readConfiguration(
  fetch: SafeFetch,
  { issuer, clientId, clientSecret }: OpenIdSettings,
): Promise<Configuration> {
  // Loaded at the first sign-in: most gateways need it late or never.
  const client = await import("openid-client");
  try {
    const configuration = await client.discovery(
      new URL(issuer),
      clientId,
      undefined,
      clientSecret === null ? client.None() : bySecret(client, clientSecret),
      {
        [client.customFetch]: standardFetch(fetch),
        timeout: limits.timeoutMs / 1000,
        ...(isLocal(issuer) && { execute: [client.allowInsecureRequests] }),
      },
    );
    requireSafeKeys(configuration.serverMetadata(), isLocal(issuer));
    return configuration;
  } catch (error) {
    throw rejectionOf(error);
  }
}

/** The client does not check this address. Logout tokens come from anywhere: only the keys show who made them. */
function requireSafeKeys({ jwks_uri: address }: ServerMetadata, isLocalIssuer: boolean): void {
  if (address === undefined) throw new OidcError("the provider does not publish its keys (jwks_uri)");
  const protocol = URL.parse(address)?.protocol;
  if (protocol !== "https:" && !(isLocalIssuer && protocol === "http:")) throw new OidcError(onlyHttps);
}

/** Providers that do not say how clients authenticate take the secret in the header. */
function bySecret(client: typeof import("openid-client"), clientSecret: string): ClientAuth {
  const [post, basic] = [client.ClientSecretPost(clientSecret), client.ClientSecretBasic(clientSecret)];
  return (server, ...rest) =>
    (server.token_endpoint_auth_methods_supported?.includes("client_secret_post") ? post : basic)(server, ...rest);
}

/** The configurations of the providers that people sign in by. */
export class OidcClients {
  readonly #fetch: SafeFetch;
  readonly #known = new BoundedMap<string, { readonly since: number; readonly read: Promise<Configuration> }>(1_000);

  constructor(fetch: SafeFetch) {
    this.#fetch = fetch;
  }

  /** Throws as {@link readConfiguration}. */
  of(settings: OpenIdSettings): Promise<Configuration> {
    const key = JSON.stringify([settings.issuer, settings.clientId, settings.clientSecret]);
    const known = this.#known.get(key);
    if (known && performance.now() - known.since < configurationAge) return known.read;
    const read = readConfiguration(this.#fetch, settings);
    this.#known.keep(key, { since: performance.now(), read });
    read.catch(() => this.#known.delete(key));
    return read;
  }
}
