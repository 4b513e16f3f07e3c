// An OpenID provider that says what a test wants, without a network: its configuration, keys, tokens and user info.
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";
import type { SafeFetch } from "#src/net/safe-fetch.ts";
import { FetchError } from "#src/net/fetch-error.ts";

const { publicKey, privateKey } = await generateKeyPair("RS256", { extractable: true });
const key = { ...(await exportJWK(publicKey)), kid: "k1", alg: "RS256", use: "sig" };
export const otherKey = (await generateKeyPair("RS256")).privateKey;

/** What the provider says about one sign-in. */
export interface Said {
  readonly claims?: Readonly<Record<string, unknown>>;
  /** The ID token in place of a signed one. */
  readonly idToken?: (claims: JWTPayload) => Promise<string> | string;
  readonly userInfo?: object;
  readonly tokenError?: string;
  /** Runs before the tokens are given out. */
  readonly meanwhile?: () => Promise<unknown>;
}

export class FakeIdp {
  readonly issuer: string;
  readonly clientId: string;
  metadata: Readonly<Record<string, unknown>> = {};
  readonly #codes = new Map<string, { readonly said: Said; readonly nonce: string }>();
  #count = 0;

  constructor(issuer: string, clientId: string) {
    this.issuer = issuer;
    this.clientId = clientId;
  }

  /** The query of the response to a sign-in that docgraph began. */
  answer(location: string, said: Said = {}, changed: Readonly<Record<string, string | null>> = {}): string {
    const asked = new URL(location).searchParams;
    const code = `code-${(this.#count += 1)}`;
    this.#codes.set(code, { said, nonce: asked.get("nonce") ?? "" });
    const fields = { code, state: asked.get("state") ?? "", iss: this.issuer, ...changed };
    return new URLSearchParams(
      Object.entries(fields).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
    ).toString();
  }

  /** Takes the place of the safe fetch. */
  readonly fetch: SafeFetch = async (address, { body } = {}) => {
    const url = new URL(address);
    if (url.origin !== new URL(this.issuer).origin) throw new FetchError("host");
    const json = (content: object, status = 200) => ({
      url: url.href,
      status,
      headers: new Headers({ "content-type": "application/json" }),
      body: Buffer.from(JSON.stringify(content)),
    });
    switch (url.pathname) {
      case "/.well-known/openid-configuration":
        return json(this.#configuration());
      case "/keys":
        return json({ keys: [key] });
      case "/token":
        return this.#tokens(new URLSearchParams(String(body)), json);
      case "/me":
        return json(this.#lastUserInfo);
      default:
        return json({}, 404);
    }
  };

  #lastUserInfo: object = {};

  #configuration() {
    const { issuer } = this;
    return {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      userinfo_endpoint: `${issuer}/me`,
      jwks_uri: `${issuer}/keys`,
      end_session_endpoint: `${issuer}/end`,
      authorization_response_iss_parameter_supported: true,
      id_token_signing_alg_values_supported: ["RS256"],
      ...this.metadata,
    };
  }

  async #tokens<Answer>(body: URLSearchParams, json: (content: object, status?: number) => Answer): Promise<Answer> {
    const code = body.get("code") ?? "";
    const found = this.#codes.get(code);
    this.#codes.delete(code);
    if (!found || body.get("code_verifier") === null) return json({ error: "invalid_grant" }, 400);
    const { said, nonce } = found;
    await said.meanwhile?.();
    if (said.tokenError !== undefined) return json({ error: said.tokenError }, 400);
    this.#lastUserInfo = said.userInfo ?? { sub: said.claims?.["sub"] ?? "ada" };
    const claims = this.claims({ nonce, ...said.claims });
    const idToken = await (said.idToken ?? ((given) => this.sign(given)))(claims);
    return json({ access_token: "a", token_type: "bearer", id_token: idToken });
  }

  /** Claims of a person; undefined ones are left out. */
  claims(given: Readonly<Record<string, unknown>>): JWTPayload {
    const now = Math.floor(Date.now() / 1000);
    const base = { iss: this.issuer, aud: this.clientId, sub: "ada", iat: now, exp: now + 300 };
    const person = { email: "ada@staff.example.com", email_verified: true, name: "Ada Example" };
    return JSON.parse(JSON.stringify({ ...base, ...person, ...given })) as JWTPayload;
  }

  sign(claims: JWTPayload, by = privateKey, header: object = {}): Promise<string> {
    return new SignJWT(claims).setProtectedHeader({ alg: "RS256", kid: "k1", ...header }).sign(by);
  }
}

/** A token without a signature. */
export const unsigned = (claims: JWTPayload, alg = "none"): string =>
  `${Buffer.from(JSON.stringify({ alg })).toString("base64url")}.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.`;
