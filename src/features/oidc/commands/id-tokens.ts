// The signatures of tokens of OpenID providers. openid-client checks all other parts of ID tokens.
import type { JWTPayload, JWTVerifyGetKey, JWTVerifyOptions } from "jose";
import type { Configuration } from "openid-client";
import { standardFetch } from "#src/features/oidc/commands/client.ts";
import { rejectionOf } from "#src/features/oidc/commands/errors.ts";
import type { SafeFetch } from "#src/net/safe-fetch.ts";
import { BoundedMap } from "#src/runtime/bounded-map.ts";

/** Signatures that only the provider can make: no secrets that docgraph also knows, and no `none`. */
const algorithms = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519",
];

/** The tolerated difference of clocks, in seconds. */
const clockTolerance = 30;

/** Verifies tokens with the keys at the addresses of providers, which are read again when a new key is used. */
export class TokenSignatures {
  readonly #fetch: SafeFetch;
  readonly #keys = new BoundedMap<string, JWTVerifyGetKey>(1_000);

  constructor(fetch: SafeFetch) {
    this.#fetch = fetch;
  }

  /** The claims of a token for this client. Throws an `OidcError` if it is not signed or not valid. */
  async verify(configuration: Configuration, token: string, options: JWTVerifyOptions = {}): Promise<JWTPayload> {
    const { issuer, jwks_uri: address = "" } = configuration.serverMetadata();
    const { jwtVerify } = await import("jose");
    const audience = configuration.clientMetadata().client_id;
    try {
      const keys = await this.#keysAt(address);
      return (await jwtVerify(token, keys, { issuer, audience, algorithms, clockTolerance, ...options })).payload;
    } catch (error) {
      throw rejectionOf(error);
    }
  }

  async #keysAt(address: string): Promise<JWTVerifyGetKey> {
    const known = this.#keys.get(address);
    if (known) return known;
    const { createRemoteJWKSet, customFetch } = await import("jose");
    // After a rotation the first sign-in has a new key: the keys are read again at once.
    const options = { cooldownDuration: 1_000, cacheMaxAge: 600_000, [customFetch]: standardFetch(this.#fetch) };
    const keys = createRemoteJWKSet(new URL(address), options);
    this.#keys.keep(address, keys);
    return keys;
  }
}
