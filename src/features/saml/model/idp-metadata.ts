// Metadata of identity providers: the description of a provider, read from XML.
import { SignedXml } from "xml-crypto";
import type { Instant } from "#src/base/time.ts";
import { type Certificate, CertificateError, readCertificates } from "#src/features/saml/model/certificates.ts";
import { requirePlainSignature, requireUniqueIds, signatureOf } from "#src/features/saml/model/signature.ts";
import { childrenNamed, elementsIn, namespaces, parseXml, SamlError, textOf } from "#src/features/saml/model/xml.ts";

const bindings = "urn:oasis:names:tc:SAML:2.0:bindings";

export interface IdpMetadata {
  readonly entityID: string;
  readonly ssoURL: string;
  readonly logoutURL: string | null;
  readonly certificate: string;
  readonly certificates: readonly Certificate[];
  /** Whether it is signed with a certificate that it contains: this proves its integrity, not its origin. */
  readonly isSigned: boolean;
  readonly validUntil: Instant | null;
}

/** Throws a {@link SamlError} unless it describes one provider with sign-in by redirect, and its signature is valid. */
export function readIdpMetadata(text: string): IdpMetadata {
  const root = parseXml(text);
  requireUniqueIds(root);
  const entity = entityIn(root);
  const descriptor = childrenNamed(entity, namespaces.metadata, "IDPSSODescriptor")[0];
  if (!descriptor) throw new SamlError("it does not describe an identity provider (IDPSSODescriptor)");
  const ssoURL = locationOf(descriptor, "SingleSignOnService");
  if (ssoURL === null) throw new SamlError("it has no address for sign-ins by HTTP-Redirect over http or https");
  const certificates = certificatesOf(descriptor);
  const signed = [root, entity].filter((element) => signatureOf(element) !== null);
  for (const element of new Set(signed)) requireSignature(text, element, certificates);
  const until = Date.parse(entity.getAttribute("validUntil") ?? root.getAttribute("validUntil") ?? "");
  return {
    entityID: entity.getAttribute("entityID") ?? "",
    ssoURL,
    logoutURL: locationOf(descriptor, "SingleLogoutService"),
    certificate: certificates.map(({ pem }) => pem).join(""),
    certificates,
    isSigned: signed.length > 0,
    validUntil: Number.isNaN(until) ? null : new Date(until).toISOString(),
  };
}

/** The entity of the identity provider: the root, or the only one in a list. */
function entityIn(root: Element): Element {
  const isEntity = (element: Element) =>
    element.namespaceURI === namespaces.metadata && element.localName === "EntityDescriptor";
  const entities = elementsIn(root).filter(
    (element) => isEntity(element) && childrenNamed(element, namespaces.metadata, "IDPSSODescriptor").length > 0,
  );
  const [entity, another] = entities;
  if (!entity) throw new SamlError("it does not describe an identity provider (IDPSSODescriptor)");
  if (another) throw new SamlError("it describes several identity providers, but only one is allowed");
  if (!entity.getAttribute("entityID")) throw new SamlError("it does not name the provider (entityID)");
  return entity;
}

function locationOf(descriptor: Element, name: string): string | null {
  const service = childrenNamed(descriptor, namespaces.metadata, name).find(
    (one) => one.getAttribute("Binding") === `${bindings}:HTTP-Redirect`,
  );
  const location = service?.getAttribute("Location") ?? "";
  return /^https?:\/\//i.test(location) && URL.canParse(location) ? location : null;
}

/** The certificates for signing: keys without a use are for signing and encryption. */
function certificatesOf(descriptor: Element): Certificate[] {
  const keys = childrenNamed(descriptor, namespaces.metadata, "KeyDescriptor").filter(
    (key) => key.getAttribute("use") !== "encryption",
  );
  const texts = keys
    .flatMap(elementsIn)
    .filter(({ localName, namespaceURI }) => localName === "X509Certificate" && namespaceURI === namespaces.signature)
    .map(textOf);
  if (texts.length === 0) throw new SamlError("it has no certificate for signatures");
  try {
    const all = texts.flatMap((text) => readCertificates(text));
    return [...new Map(all.map((one) => [one.fingerprint, one])).values()];
  } catch (error) {
    throw error instanceof CertificateError ? new SamlError(error.message) : error;
  }
}

/** Throws a {@link SamlError} unless an element is signed with the key of one of the certificates. */
function requireSignature(text: string, element: Element, certificates: readonly Certificate[]): void {
  const signature = signatureOf(element);
  if (!signature) throw new SamlError("it is not signed");
  requirePlainSignature(signature, element);
  const fits = certificates.some(({ pem }) => {
    const signed = new SignedXml({ publicCert: pem, getCertFromKeyInfo: () => null });
    signed.loadSignature(signature as unknown as Node); // the types of two copies of one parser
    try {
      return signed.checkSignature(text);
    } catch {
      return false;
    }
  });
  if (!fits) throw new SamlError("its signature is not valid: it was changed, or signed with another key");
}
