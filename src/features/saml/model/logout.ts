// Reads the requests of single logout that an identity provider sends.
import { lookup } from "#src/base/lookup.ts";
import { constants, verify } from "node:crypto";
import { inflateRawSync } from "node:zlib";
import { SignedXml } from "xml-crypto";
import { clockSkewMs } from "#src/features/saml/model/assertion.ts";
import type { Certificate } from "#src/features/saml/model/certificates.ts";
import { requirePlainSignature, requireUniqueIds, signatureOf } from "#src/features/saml/model/signature.ts";
import { childrenNamed, namespaces, onlyChild, parseXml, SamlError, textOf } from "#src/features/saml/model/xml.ts";

interface Expected {
  readonly issuer: string;
  readonly certificates: readonly Certificate[];
  readonly logoutURL: string;
  readonly now: Date;
}

interface LogoutRequest {
  readonly id: string;
  readonly nameId: string;
  /** The sessions of the provider that have ended; empty for all sessions of the person. */
  readonly sessionIndexes: readonly string[];
  /** The end of the validity of the message, including clock skew. */
  readonly expiresAt: Date;
}

const maxMessage = 50_000;
/** How long a message is valid, in milliseconds. */
const lifeMs = 5 * 60_000;

const algorithms: ReadonlyMap<string, string> = new Map([
  ["http://www.w3.org/2001/04/xmldsig-more#rsa-sha256", "sha256"],
  ["http://www.w3.org/2001/04/xmldsig-more#rsa-sha512", "sha512"],
]);

/** A request by redirect, signed in the query; `search` is the raw query. */
export function readRedirectedLogout(search: string, expected: Expected): LogoutRequest {
  const parts = new Map(search.split("&").map((part) => [part.replace(/=.*$/s, ""), part] as const));
  const query = new URLSearchParams(search);
  const signed = ["SAMLRequest", "RelayState", "SigAlg"].flatMap((name) => parts.get(name) ?? []).join("&");
  const algorithm = lookup(algorithms, query.get("SigAlg"));
  const signature = Buffer.from(query.get("Signature") ?? "", "base64");
  if (algorithm === undefined) throw new SamlError("it has no signature with a supported algorithm");
  if (query.getAll("SAMLRequest").length !== 1) throw new SamlError("it has several messages");
  const padding = constants.RSA_PKCS1_PADDING;
  const isGood = expected.certificates.some(({ pem }) =>
    verify(algorithm, Buffer.from(signed), { key: pem, padding }, signature),
  );
  if (!isGood) throw new SamlError("its signature is not valid");
  return readLogout(parseXml(inflated(query.get("SAMLRequest") ?? "")), expected);
}

function inflated(base64: string): string {
  try {
    return inflateRawSync(Buffer.from(base64, "base64"), { maxOutputLength: maxMessage }).toString("utf8");
  } catch {
    throw new SamlError("it is not compressed with DEFLATE, or too long");
  }
}

/** A request by form, with an XML signature. */
export function readPostedLogout(base64: string, expected: Expected): LogoutRequest {
  if (base64.length > maxMessage) throw new SamlError("it is too long");
  const xml = Buffer.from(base64, "base64").toString("utf8");
  const root = parseXml(xml);
  requireUniqueIds(root);
  const signature = signatureOf(root);
  if (!signature) throw new SamlError("it is not signed");
  requirePlainSignature(signature, root);
  for (const { pem } of expected.certificates) {
    const checked = new SignedXml({ publicCert: pem, getCertFromKeyInfo: () => null });
    checked.loadSignature(signature as unknown as Node); // the types of two copies of one parser
    try {
      const [signed] = checked.checkSignature(xml) ? checked.getSignedReferences() : [];
      if (signed !== undefined) return readLogout(parseXml(signed), expected);
    } catch (error) {
      if (error instanceof SamlError) throw error; // others: the next certificate may match
    }
  }
  throw new SamlError("its signature is not valid");
}

function readLogout(root: Element, { issuer, logoutURL, now }: Expected): LogoutRequest {
  if (root.namespaceURI !== namespaces.protocol || root.localName !== "LogoutRequest")
    throw new SamlError("it is not a LogoutRequest");
  if (textOf(onlyChild(root, namespaces.assertion, "Issuer")) !== issuer)
    throw new SamlError("it is from another provider (Issuer)");
  const destination = root.getAttribute("Destination") ?? "";
  if (destination !== logoutURL) throw new SamlError("it was addressed to another destination (Destination)");
  const issued = Date.parse(root.getAttribute("IssueInstant") ?? "");
  const until = Date.parse(root.getAttribute("NotOnOrAfter") ?? "");
  const end = Math.min(Number.isNaN(until) ? Infinity : until, issued + lifeMs);
  const isNow = issued - clockSkewMs <= now.getTime() && now.getTime() < end + clockSkewMs;
  if (!isNow) throw new SamlError("it is not valid now: it has expired, or a clock is wrong");
  const id = root.getAttribute("ID") ?? "";
  if (!/^[\w.-]{1,200}$/.test(id)) throw new SamlError("it has no id");
  return {
    id,
    expiresAt: new Date(end + clockSkewMs),
    nameId: textOf(onlyChild(root, namespaces.assertion, "NameID")),
    sessionIndexes: childrenNamed(root, namespaces.protocol, "SessionIndex").map(textOf),
  };
}
