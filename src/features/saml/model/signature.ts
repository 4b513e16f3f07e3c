// Accepted XML signatures: of the element that contains them, with a few algorithms.
import {
  childrenNamed,
  childrenOf,
  elementsIn,
  namespaces,
  onlyChild,
  SamlError,
} from "#src/features/saml/model/xml.ts";

const exclusive = "http://www.w3.org/2001/10/xml-exc-c14n#";
const transforms = ["http://www.w3.org/2000/09/xmldsig#enveloped-signature", exclusive];
const signatureMethods = [
  "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256",
  "http://www.w3.org/2001/04/xmldsig-more#rsa-sha512",
  "http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1",
];
const digestMethods = ["http://www.w3.org/2001/04/xmlenc#sha256", "http://www.w3.org/2001/04/xmlenc#sha512"];

/** The signature directly in an element; null without one. Throws a {@link SamlError} for several. */
export function signatureOf(element: Element): Element | null {
  const [signature, another] = childrenNamed(element, namespaces.signature, "Signature");
  if (another) throw new SamlError(`${element.localName} has several signatures`);
  return signature ?? null;
}

/** Throws a {@link SamlError} unless a signature has an accepted form, and covers the element around it. */
export function requirePlainSignature(signature: Element, of: Element): void {
  const parts = childrenOf(signature).map(({ localName }) => localName);
  if (parts.some((name) => !["SignedInfo", "SignatureValue", "KeyInfo"].includes(name)))
    throw new SamlError("a signature has unexpected parts");
  const info = onlyChild(signature, namespaces.signature, "SignedInfo");
  requireMethod(info, "CanonicalizationMethod", [exclusive]);
  requireMethod(info, "SignatureMethod", signatureMethods);
  const reference = onlyChild(info, namespaces.signature, "Reference");
  const id = of.getAttribute("ID") ?? "";
  if (id === "" || reference.getAttribute("URI") !== `#${id}`)
    throw new SamlError("a signature does not cover the element that contains it");
  requireMethod(reference, "DigestMethod", digestMethods);
  const list = onlyChild(reference, namespaces.signature, "Transforms");
  const used = childrenOf(list).map((transform) => transform.getAttribute("Algorithm") ?? "");
  if (used.length === 0 || used.length > 2 || used.some((one) => !transforms.includes(one)))
    throw new SamlError("a signature has an unsupported transform");
}

function requireMethod(parent: Element, name: string, taken: readonly string[]): void {
  const algorithm = onlyChild(parent, namespaces.signature, name).getAttribute("Algorithm") ?? "";
  if (!taken.includes(algorithm)) throw new SamlError(`a signature has an unsupported ${name}`);
}

/** Throws a {@link SamlError} if two elements have the same id; the attribute name is case-insensitive. */
export function requireUniqueIds(root: Element): void {
  const seen = new Set<string>();
  for (const element of elementsIn(root)) {
    for (const attribute of Array.from(element.attributes)) {
      if (attribute.name.toLowerCase() !== "id" && attribute.localName.toLowerCase() !== "id") continue;
      if (seen.has(attribute.value)) throw new SamlError("several elements have the same id");
      seen.add(attribute.value);
    }
  }
}
