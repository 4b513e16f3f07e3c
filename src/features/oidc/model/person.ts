// The person whom the claims of an OpenID provider name.

export interface OidcPerson {
  /** The same at every sign-in. */
  readonly subject: string;
  /** In lower case, if the provider says that it is verified; null otherwise. */
  readonly email: string | null;
  readonly displayName: string | null;
}

/** Whether a claim is an id as docgraph stores them, of a person, a session or a token. */
export const isProviderId = (claim: unknown): claim is string =>
  typeof claim === "string" && /^\P{C}{1,255}$/u.test(claim);

type Claims = Readonly<Record<string, unknown>>;

const address = /^[^\s\p{C}@"(),:;<>[\\\]]{1,64}@[a-z0-9.-]{1,189}$/u;

/** Reads the claims of an ID token, and those of the user info behind it. */
export function personOf(subject: string, ...sources: readonly Claims[]): OidcPerson {
  const verified = sources.find((claims) => typeof claims["email"] === "string" && isVerified(claims));
  const given = typeof verified?.["email"] === "string" ? verified["email"] : "";
  // In lower case, a compatibility character such as the Kelvin sign is the letter of somebody else's address.
  const email = given.normalize("NFKC") === given ? given.toLowerCase() : "";
  return {
    subject,
    email: address.test(email) && !email.endsWith(".invalid") ? email : null,
    displayName: sources.map(nameIn).find((name) => name !== null) ?? null,
  };
}

/** Some providers send the value as a text. */
const isVerified = ({ email_verified: verified }: Claims): boolean => verified === true || verified === "true";

function nameIn(claims: Claims): string | null {
  const parts = ["given_name", "family_name"].map((name) => claims[name]).filter((one) => typeof one === "string");
  for (const given of [claims["name"], parts.join(" "), claims["preferred_username"]]) {
    const name = typeof given === "string" ? given.replaceAll(/[\p{C}\s]+/gu, " ").trim() : "";
    if (name !== "" && !name.includes("@")) return Array.from(name).slice(0, 255).join("");
  }
  return null;
}
