// Why a response of an OpenID provider is rejected, in sentences for people and admins.
import { FetchError } from "#src/net/fetch-error.ts";

/** A rejected response; the message completes "The sign-in was not accepted: ...". */
export class OidcError extends Error {
  override readonly name = "OidcError";
}

export const onlyHttps = "all addresses of the provider must start with https://";

/** What the claims of an ID token have to say, by their names. */
const claims: Readonly<Record<string, string>> = {
  nonce: "the ID token belongs to another sign-in (nonce)",
  iss: "the ID token is from another issuer (iss)",
  aud: "the ID token is for another client (aud)",
  azp: "the ID token is for another client (azp)",
  exp: "the ID token has expired (exp): compare the clocks of docgraph and the provider",
  iat: "the ID token was made in the future (iat): compare the clocks of docgraph and the provider",
  nbf: "the ID token is not valid yet (nbf): compare the clocks of docgraph and the provider",
};

const refusals: Readonly<Record<string, string>> = {
  access_denied: "the provider did not let you sign in (access_denied)",
  invalid_client: "the provider does not accept the client id and secret of docgraph (invalid_client)",
  invalid_grant: "the provider does not accept the code (invalid_grant): it may have been used, or be too old",
  redirect_uri_mismatch: "the redirect address of docgraph is not registered at the provider (redirect_uri_mismatch)",
};

/** The rejection for an error of the client or of a check; other errors unchanged. */
export function rejectionOf(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof OidcError) return error;
  const reason = reasonOf(error);
  return reason === null ? error : new OidcError(reason, { cause: error });
}

function reasonOf(error: Error): string | null {
  const chain = causesOf(error);
  const fetchError = chain.find((one) => one instanceof FetchError);
  if (fetchError) return `docgraph could not read from the provider: ${fetchError.message}`;
  const refusal = textIn(chain, "error");
  if (refusal !== null) return refusals[refusal] ?? `the provider refused it (${shortened(refusal)})`;
  const claim = textIn(chain, "claim");
  if (claim !== null && Object.hasOwn(claims, claim)) return claims[claim] ?? null;
  const codes = chain.map((one) => textIn([one], "code") ?? "").join(" ");
  const messages = chain.map(({ message }) => message).join("; ");
  if (/SIGNATURE_VERIFICATION|JWKS_NO_MATCHING_KEY|JWKS_MULTIPLE/.test(codes))
    return "the ID token is not signed with a key of the provider";
  if (/ALG_NOT_ALLOWED/.test(codes) || /"alg"/.test(messages))
    return "the ID token is not signed with an accepted algorithm";
  if (/HTTP_REQUEST_FORBIDDEN/.test(codes)) return onlyHttps;
  if (!/OAUTH_|ERR_J/.test(codes)) return null;
  if (/"iss"/.test(messages)) return "the response is from another issuer (iss)";
  return `the response of the provider is not valid (${shortened(chain.at(-1)?.message ?? "")})`;
}

function causesOf(error: Error): Error[] {
  const chain: Error[] = [];
  for (let cause: unknown = error; cause instanceof Error && chain.length < 8; cause = cause.cause) chain.push(cause);
  return chain;
}

/** A property of the first error that has it, itself or in the value of its cause. */
function textIn(chain: readonly Error[], name: string): string | null {
  for (const one of chain)
    for (const holder of [one, one.cause]) {
      const value = (holder as Readonly<Record<string, unknown>> | undefined)?.[name];
      if (typeof value === "string") return value;
    }
  return null;
}

/** A text of the provider in a page and in the log. */
const shortened = (text: string): string => text.replaceAll(/[\p{C}\s]+/gu, " ").slice(0, 200);
