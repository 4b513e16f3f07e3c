// The cookies in which a browser keeps what opens one site: the key of its link, and the token of its visitor.
// Scripts cannot read them, and browsers send them to that site alone.

export type VisitorCookie = "key" | "token";

/** Lifetimes in seconds. A key works until it is replaced, a token for at most a day. */
const lifetimes: Readonly<Record<VisitorCookie, number>> = { key: 30 * 24 * 60 * 60, token: 24 * 60 * 60 };

/** The longest value in characters: browsers drop cookies of more than 4096 with their name and attributes. */
const longest = 3_800;

/** Characters of keys and of JSON Web Tokens, which need no quoting in cookies. */
const plain = /^[\w.~-]+$/;

/** The value of a token that cannot be in a cookie: it is not a token either, so it is answered as an invalid one. */
const unusable = "unusable";

interface CookieOf {
  readonly siteId: string;
  /** The path of the site, as in `SiteRoot`. */
  readonly path: string;
  readonly isSecure: boolean;
}

/** Names contain the site: the path of one site may begin with that of another. */
const nameOf = (kind: VisitorCookie, siteId: string): string => `docgraph-${kind}-${siteId}`;

/** The value of `Set-Cookie` that keeps a secret; null removes it. */
export function visitorCookie(
  kind: VisitorCookie,
  secret: string | null,
  { siteId, path, isSecure }: CookieOf,
): string {
  const value = secret === null ? "" : secret.length <= longest && plain.test(secret) ? secret : unusable;
  const attributes = [
    `${nameOf(kind, siteId)}=${value}`,
    `Path=${path === "" ? "/" : path}`,
    `Max-Age=${secret === null ? 0 : lifetimes[kind]}`,
    "HttpOnly",
    "SameSite=Lax",
    ...(isSecure ? ["Secure"] : []),
  ];
  return attributes.join("; ");
}

/** The secret in a header `Cookie`; null without one. */
export function visitorSecretIn(header: string | undefined, kind: VisitorCookie, siteId: string): string | null {
  const name = `${nameOf(kind, siteId)}=`;
  const found = header
    ?.split(";")
    .map((part) => part.trim())
    .find((part) => part.startsWith(name));
  return found === undefined || found === name ? null : found.slice(name.length);
}
