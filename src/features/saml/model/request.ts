// Sign-in requests, which a browser carries to an identity provider, and the cookies that bind them to the browser.
// Why not node-saml: it drops the query of the sign-in address, and requires a certificate that is not used.
import { createHash, randomBytes } from "node:crypto";
import { deflateRawSync } from "node:zlib";
import { samlAddresses } from "#src/features/saml/model/addresses.ts";
import { requestedFormat } from "#src/features/saml/model/person.ts";
import { escapeXml, namespaces } from "#src/features/saml/model/xml.ts";

/** How long a sign-in may take, in milliseconds. */
const requestLifeMs = 10 * 60_000;

/** A pending request in the form of the browser's cookie. */
interface SamlRequest {
  /** The public id in the request and the response, derived from the secret. */
  readonly id: string;
  /** 160 random bits, which only the browser has; a response does not reveal them. */
  readonly secret: string;
  readonly returnTo: string;
  readonly at: Date;
}

const idOf = (secret: string): string => `_${createHash("sha256").update(secret).digest("hex").slice(0, 40)}`;

export function newRequest(returnTo: string, at: Date): SamlRequest {
  const secret = randomBytes(20).toString("hex");
  return { id: idOf(secret), secret, returnTo, at };
}

/** A new, unguessable id of a message. */
export const newMessageId = (): string => `_${randomBytes(20).toString("hex")}`;

/** The redirect address with a message, compressed in the query. */
export function redirectTo(address: string, name: "SAMLRequest" | "SAMLResponse", xml: string, relay?: string): string {
  const url = new URL(address);
  url.searchParams.set(name, deflateRawSync(xml).toString("base64"));
  if (relay !== undefined) url.searchParams.set("RelayState", relay);
  return url.href;
}

export function authnRequest(of: {
  id: string;
  at: Date;
  publicUrl: string;
  provider: { id: string; ssoURL: string };
}) {
  const { entityID, acsURL } = samlAddresses(of.publicUrl, of.provider.id);
  return (
    `<samlp:AuthnRequest xmlns:samlp="${namespaces.protocol}" xmlns:saml="${namespaces.assertion}" ID="${of.id}" Version="2.0" ` +
    `IssueInstant="${of.at.toISOString()}" Destination="${escapeXml(of.provider.ssoURL)}" ` +
    `AssertionConsumerServiceURL="${escapeXml(acsURL)}" ProtocolBinding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST">` +
    `<saml:Issuer>${escapeXml(entityID)}</saml:Issuer><samlp:NameIDPolicy Format="${requestedFormat}" AllowCreate="true"/></samlp:AuthnRequest>`
  );
}

/** Each request has its own cookie, so that several may be pending. */
const cookiePrefix = (publicUrl: string) =>
  publicUrl.startsWith("https:") ? "__Secure-docgraph-saml" : "docgraph-saml";

/** The path of a cookie: only the address for responses of its provider. */
type CookiePlace = { readonly publicUrl: string; readonly providerId: string };

/** A page of the provider posts the response, so browsers must send the cookie from other sites, too. */
export function requestCookie({ id, secret, returnTo, at }: SamlRequest, place: CookiePlace): string {
  const value = `${secret}.${at.getTime()}.${Buffer.from(returnTo).toString("base64url")}`;
  return cookieText(id, value, place, requestLifeMs / 1000);
}

export const endedRequestCookie = (id: string, place: CookiePlace): string => cookieText(id, "", place, 0);

function cookieText(id: string, value: string, { publicUrl, providerId }: CookiePlace, maxAge: number): string {
  const { protocol, hostname } = new URL(publicUrl);
  const isSafe = protocol === "https:" || ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
  const { pathname } = new URL(samlAddresses(publicUrl, providerId).acsURL);
  const where = `Path=${pathname}; Max-Age=${maxAge}; HttpOnly${isSafe ? "; SameSite=None; Secure" : ""}`;
  return `${cookiePrefix(publicUrl)}${id}=${value}; ${where}`;
}

/** The pending requests of the browser by its header `Cookie`, without expired ones. */
export function requestsIn(
  header: string | undefined,
  { publicUrl, now }: { publicUrl: string; now: Date },
): SamlRequest[] {
  const prefix = cookiePrefix(publicUrl);
  const parts = (header ?? "").split(";").map((part) => part.trim().split("="));
  return parts.flatMap(([name = "", value = ""]) => {
    const [, secret = "", time = "", returnTo = ""] = /^([\da-f]{40})\.(\d{1,15})\.([\w-]*)$/.exec(value) ?? [];
    if (secret === "" || name !== prefix + idOf(secret)) return [];
    const at = new Date(Number(time));
    if (!(at <= now && now.getTime() - at.getTime() <= requestLifeMs)) return [];
    return [{ id: idOf(secret), secret, at, returnTo: Buffer.from(returnTo, "base64url").toString("utf8") }];
  });
}
