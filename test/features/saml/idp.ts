// An identity provider for tests: it signs responses as real ones do, and as attackers would.
import { randomBytes } from "node:crypto";
import { inflateRawSync } from "node:zlib";
import { SignedXml } from "xml-crypto";
import { type KeyPair, makeKeyPair } from "#test/features/saml/certificate.ts";

const sha256 = "http://www.w3.org/2001/04/xmlenc#sha256";
export const rsaSha256 = "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256";
export const exclusive = "http://www.w3.org/2001/10/xml-exc-c14n#";
export const enveloped = "http://www.w3.org/2000/09/xmldsig#enveloped-signature";
export const namespaceOf = {
  saml: "urn:oasis:names:tc:SAML:2.0:assertion",
  samlp: "urn:oasis:names:tc:SAML:2.0:protocol",
};

const newId = () => `_${randomBytes(16).toString("hex")}`;
/** A time some minutes from now, in SAML format. */
export const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();

/** The content of a response. */
export interface Answer {
  readonly requestId: string;
  readonly acsURL: string;
  readonly audience: string;
  readonly issuer: string;
  readonly nameId: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly recipient: string;
  readonly destination: string;
  readonly confirmedRequest: string;
  readonly notBefore: string;
  readonly notOnOrAfter: string;
  readonly confirmedUntil: string;
  readonly status: string;
  readonly sessionIndex: string;
  readonly assertionId: string;
  readonly issuedAt: string;
  /** XML after the attributes. */
  readonly more: string;
  /** XML in the Response before the assertion. */
  readonly before: string;
  readonly responseId: string;
}

export const success = "urn:oasis:names:tc:SAML:2.0:status:Success";

/** The options of a signature. */
export interface Signing {
  readonly pair?: KeyPair;
  readonly algorithm?: string;
  readonly digest?: string;
  readonly transforms?: readonly string[];
  readonly canonicalization?: string;
  readonly withOwnKey?: boolean;
}

export class TestIdp {
  readonly entityID = "https://idp.example.com/metadata";
  readonly ssoURL = "https://idp.example.com/sso";
  readonly logoutURL = "https://idp.example.com/slo";
  readonly pair = makeKeyPair("idp.example.com");

  /** The response to a request, from the URL to which docgraph redirected the browser. */
  answerTo(location: string, given: Partial<Answer> = {}): Answer {
    const xml = inflateRawSync(
      Buffer.from(new URL(location).searchParams.get("SAMLRequest") ?? "", "base64"),
    ).toString();
    const attribute = (name: string) => new RegExp(`${name}="([^"]*)"`).exec(xml)?.[1]?.replaceAll("&#38;", "&") ?? "";
    const requestId = attribute("ID");
    const acsURL = attribute("AssertionConsumerServiceURL");
    return {
      requestId,
      acsURL,
      audience: /Issuer>([^<]*)</.exec(xml)?.[1] ?? "",
      issuer: this.entityID,
      nameId: "ann",
      attributes: { email: "ann@staff.example.com", displayName: "Ann Example" },
      recipient: acsURL,
      destination: acsURL,
      confirmedRequest: requestId,
      notBefore: inMinutes(-1),
      notOnOrAfter: inMinutes(5),
      confirmedUntil: inMinutes(5),
      status: success,
      sessionIndex: newId(),
      assertionId: newId(),
      issuedAt: inMinutes(0),
      more: "",
      before: "",
      responseId: newId(),
      ...given,
    };
  }

  /** The assertion of a response, without a signature. */
  assertion(of: Answer): string {
    const attributes = Object.entries(of.attributes).map(
      ([name, value]) =>
        `<saml:Attribute Name="${name}"><saml:AttributeValue>${value}</saml:AttributeValue></saml:Attribute>`,
    );
    return `<saml:Assertion xmlns:saml="${namespaceOf.saml}" ID="${of.assertionId}" Version="2.0" IssueInstant="${of.issuedAt}"><saml:Issuer>${of.issuer}</saml:Issuer><saml:Subject><saml:NameID>${of.nameId}</saml:NameID><saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData InResponseTo="${of.confirmedRequest}" Recipient="${of.recipient}" NotOnOrAfter="${of.confirmedUntil}"/></saml:SubjectConfirmation></saml:Subject><saml:Conditions NotBefore="${of.notBefore}" NotOnOrAfter="${of.notOnOrAfter}"><saml:AudienceRestriction><saml:Audience>${of.audience}</saml:Audience></saml:AudienceRestriction></saml:Conditions><saml:AuthnStatement AuthnInstant="${inMinutes(0)}" SessionIndex="${of.sessionIndex}"/><saml:AttributeStatement>${attributes.join("")}</saml:AttributeStatement>${of.more}</saml:Assertion>`;
  }

  /** A Response around one or more assertions. */
  response(of: Answer, ...assertions: readonly string[]): string {
    return `<samlp:Response xmlns:samlp="${namespaceOf.samlp}" ID="${of.responseId}" Version="2.0" IssueInstant="${inMinutes(0)}" Destination="${of.destination}" InResponseTo="${of.requestId}"><saml:Issuer xmlns:saml="${namespaceOf.saml}">${of.issuer}</saml:Issuer><samlp:Status><samlp:StatusCode Value="${of.status}"/></samlp:Status>${of.before}${assertions.join("")}</samlp:Response>`;
  }

  /** Signs the element with this name in a text; the signature follows its Issuer. */
  sign(xml: string, name: "Assertion" | "Response" | "LogoutRequest" = "Assertion", by: Signing = {}): string {
    const { pair = this.pair, algorithm = rsaSha256, digest = sha256, canonicalization = exclusive } = by;
    const path = `//*[local-name(.)='${name}']`;
    const signed = new SignedXml({
      privateKey: pair.privatePem,
      signatureAlgorithm: algorithm,
      canonicalizationAlgorithm: canonicalization,
      ...(by.withOwnKey && { publicCert: pair.certificate }),
    });
    if (by.withOwnKey) signed.getKeyInfoContent = (args) => SignedXml.getKeyInfoContent(args);
    signed.addReference({ xpath: path, digestAlgorithm: digest, transforms: by.transforms ?? [enveloped, exclusive] });
    signed.computeSignature(xml, { location: { reference: `${path}/*[local-name(.)='Issuer']`, action: "after" } });
    return signed.getSignedXml();
  }

  /** The whole response as real providers send it, with a signed assertion. */
  signed(of: Answer): string {
    return this.response(of, this.sign(this.assertion(of)));
  }
}
