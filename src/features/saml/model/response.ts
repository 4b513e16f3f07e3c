// Responses of identity providers, which are checked completely before any value is used.
import { SAML, SamlStatusError } from "@node-saml/node-saml";
import { type Expected, readAssertion, type SignedIn } from "#src/features/saml/model/assertion.ts";
import { notAsked } from "#src/features/saml/model/response-text.ts";
import { requirePlainSignature, requireUniqueIds, signatureOf } from "#src/features/saml/model/signature.ts";
import {
  childrenNamed,
  elementsIn,
  namespaces,
  onlyChild,
  parseXml,
  SamlError,
  textOf,
} from "#src/features/saml/model/xml.ts";

const success = "urn:oasis:names:tc:SAML:2.0:status:Success";

type ReadResponse = { readonly person: SignedIn; readonly requestId: string };

/** Throws a {@link SamlError} unless it meets all expectations, and answers a request of this browser. */
export async function readResponse(
  xml: string,
  requestIds: readonly string[],
  expected: Expected,
): Promise<ReadResponse> {
  const root = parseXml(xml);
  const requestId = requestOf(root);
  if (!requestIds.includes(requestId)) throw notAsked();
  const { isSigned } = requireForm(root);
  requireEnvelope(root, expected);
  const signed = await signedAssertion(xml, isSigned, expected);
  return { person: readAssertion(parseXml(signed), requestId, expected), requestId };
}

/** The id of the request that an answer says it is to; of an answer that is not checked yet. */
function requestOf(root: Element): string {
  if (root.namespaceURI !== namespaces.protocol || root.localName !== "Response")
    throw new SamlError("it is not a Response");
  const id = root.getAttribute("InResponseTo") ?? "";
  if (id === "") throw new SamlError("it was not requested (InResponseTo is missing)");
  return id;
}

/** Accepts one form only: an Assertion directly in the Response, and signatures directly in these two. */
function requireForm(root: Element): { isSigned: boolean } {
  requireUniqueIds(root);
  const all = elementsIn(root);
  const named = (name: string) => all.filter(({ localName }) => localName === name);
  if (named("EncryptedAssertion").length > 0) throw new SamlError("its assertion is encrypted, which is not supported");
  if (named("Response").length > 1) throw new SamlError("it has a Response within it");
  const isSuccess = statusOf(root) === success;
  if (!isSuccess) throw new SamlError(`the provider returned ${statusOf(root).slice(0, 100)}`);
  const assertion = onlyChild(root, namespaces.assertion, "Assertion");
  if (named("Assertion").length > 1) throw new SamlError("it has several assertions");
  const signatures = [root, assertion].map((element) => signatureOf(element));
  if (named("Signature").length > signatures.filter((one) => one !== null).length)
    throw new SamlError("it has a signature in an unexpected position");
  const [ofResponse, ofAssertion] = signatures;
  if (!ofAssertion) throw new SamlError("its assertion is not signed");
  requirePlainSignature(ofAssertion, assertion);
  if (ofResponse) requirePlainSignature(ofResponse, root);
  return { isSigned: Boolean(ofResponse) };
}

function statusOf(root: Element): string {
  const status = onlyChild(root, namespaces.protocol, "Status");
  return onlyChild(status, namespaces.protocol, "StatusCode").getAttribute("Value") ?? "";
}

/** Checks the Response around the assertion: signed or not, its values must match, too. */
function requireEnvelope(root: Element, { issuer, acsURL }: Expected): void {
  if (root.getAttribute("Version") !== "2.0") throw new SamlError("it is not SAML 2.0");
  const destination = root.getAttribute("Destination");
  if (destination !== null && destination !== "" && destination !== acsURL)
    throw new SamlError("it was addressed to another destination (Destination)");
  for (const element of childrenNamed(root, namespaces.assertion, "Issuer"))
    if (textOf(element) !== issuer) throw new SamlError("it is from another provider (Issuer)");
}

/**
 * Checks only signatures. {@link readAssertion} checks the content, for which one of several SubjectConfirmations has
 * to match: the library rejects an assertion if it cannot read the first one.
 */
class SignatureCheck extends SAML {
  protected override async processValidlySignedAssertionAsync(xml: string) {
    const profile = { issuer: "", nameID: "", nameIDFormat: "", getAssertionXml: () => xml };
    return { profile, loggedOut: false };
  }
}

/** The assertion as it was signed. Only signatures with the certificates of the provider count. */
async function signedAssertion(xml: string, isResponseSigned: boolean, expected: Expected): Promise<string> {
  const { certificates, issuer, audience, acsURL } = expected;
  if (certificates.length === 0) throw new SamlError("the provider has no certificate that is valid now");
  const saml = new SignatureCheck({
    idpCert: certificates.map(({ pem }) => pem),
    issuer: audience,
    idpIssuer: issuer,
    audience,
    callbackUrl: acsURL,
    wantAssertionsSigned: true,
    wantAuthnResponseSigned: isResponseSigned,
    signatureAlgorithm: "sha256",
  });
  try {
    const SAMLResponse = Buffer.from(xml).toString("base64");
    const { profile } = await saml.validatePostResponseAsync({ SAMLResponse });
    const signed = profile?.getAssertionXml?.();
    if (signed === undefined) throw new SamlError("it has no signed assertion");
    return signed;
  } catch (error) {
    if (error instanceof SamlError) throw error;
    if (error instanceof SamlStatusError) throw new SamlError("the provider did not sign the person in");
    throw new SamlError(error instanceof Error ? error.message.slice(0, 200) : "it cannot be checked");
  }
}
