// Hostile responses, by name, whose signature covers another element or is invalid.
import { makeKeyPair } from "#test/features/saml/certificate.ts";
import { type Answer, enveloped, exclusive, rsaSha256, type TestIdp } from "#test/features/saml/idp.ts";

/** Makes the XML that is posted. */
export type Attack = (idp: TestIdp, answer: Answer) => string;

const stranger = makeKeyPair("stranger");
const signature = /<Signature[\s\S]*<\/Signature>/;
export const signatureIn = (xml: string) => signature.exec(xml)?.[0] ?? "";
export const without = (xml: string) => xml.replace(signature, "");
const evilOf = (idp: TestIdp, answer: Answer) =>
  idp.assertion({ ...answer, nameId: "root", assertionId: "_evil", attributes: { email: "root@staff.example.com" } });
/** A response with other values and a valid signature for them. */
export const changed =
  (of: Partial<Answer>): Attack =>
  (idp, answer) =>
    idp.signed({ ...answer, ...of });
const signedBy =
  (by: Parameters<TestIdp["sign"]>[2]): Attack =>
  (idp, answer) =>
    idp.response(answer, idp.sign(idp.assertion(answer), "Assertion", by));
/** A response of which only the Response element is signed. */
export const signedWhole = (idp: TestIdp, answer: Answer) =>
  idp.sign(idp.response(answer, idp.assertion(answer)), "Response");
const evilWhole = (idp: TestIdp, answer: Answer) =>
  idp.response({ ...answer, responseId: "_evilResponse" }, evilOf(idp, answer));
const after = (xml: string, tag: string, put: string) => xml.replace(tag, () => tag + put);
const object = (content: string) => `<Object>${content}</Object>`;

/** Signature wrapping (XSW 1 to 8, the usual numbers since 2012), and variants. */
export const wrapping: Readonly<Record<string, readonly [Attack, RegExp]>> = {
  "XSW 1: the signed Response in the signature of another": [
    (idp, answer) => {
      const whole = signedWhole(idp, answer);
      const own = signatureIn(whole).replace("</Signature>", `${object(without(whole))}</Signature>`);
      return after(evilWhole(idp, answer), "</saml:Issuer>", own);
    },
    /Response within/,
  ],
  "XSW 2: the signed Response beside its signature in another": [
    (idp, answer) => {
      const whole = signedWhole(idp, answer);
      return after(evilWhole(idp, answer), "</saml:Issuer>", without(whole) + signatureIn(whole));
    },
    /Response within/,
  ],
  "XSW 3: another assertion before the signed one": [
    (idp, answer) => idp.response(answer, evilOf(idp, answer), idp.sign(idp.assertion(answer))),
    /several/,
  ],
  "XSW 4: the signed assertion within another": [
    (idp, answer) =>
      idp.response(
        answer,
        evilOf(idp, answer).replace("</saml:Assertion>", `${idp.sign(idp.assertion(answer))}</saml:Assertion>`),
      ),
    /several assertions/,
  ],
  "XSW 5: the signature in another assertion, its own behind it": [
    (idp, answer) => {
      const signed = idp.sign(idp.assertion(answer));
      return idp.response(answer, after(evilOf(idp, answer), "</saml:Issuer>", signatureIn(signed)), without(signed));
    },
    /several/,
  ],
  "XSW 6: the signature in another assertion, its own within it": [
    (idp, answer) => {
      const signed = idp.sign(idp.assertion(answer));
      const own = signatureIn(signed).replace("</Signature>", `${without(signed)}</Signature>`);
      return idp.response(answer, after(evilOf(idp, answer), "</saml:Issuer>", own));
    },
    /several assertions/,
  ],
  "XSW 7: another assertion in Extensions": [
    (idp, answer) =>
      idp.response(
        { ...answer, before: `<samlp:Extensions>${evilOf(idp, answer)}</samlp:Extensions>` },
        idp.sign(idp.assertion(answer)),
      ),
    /several assertions/,
  ],
  "XSW 8: the signed assertion in an Object of the signature": [
    (idp, answer) => {
      const signed = idp.sign(idp.assertion(answer));
      const own = signatureIn(signed).replace("</Signature>", `${object(without(signed))}</Signature>`);
      return idp.response(answer, after(evilOf(idp, answer), "</saml:Issuer>", own));
    },
    /several assertions/,
  ],
  "the signed assertion in Extensions, another in its place": [
    (idp, answer) =>
      idp.response(
        { ...answer, before: `<samlp:Extensions>${idp.sign(idp.assertion(answer))}</samlp:Extensions>` },
        evilOf(idp, answer),
      ),
    /several assertions/,
  ],
  "the signed assertion in the Advice of another": [
    (idp, answer) =>
      idp.response(
        { ...answer },
        idp.assertion({
          ...answer,
          nameId: "root",
          assertionId: "_evil",
          more: `<saml:Advice>${idp.sign(idp.assertion(answer))}</saml:Advice>`,
        }),
      ),
    /several assertions/,
  ],
  "the same id twice": [
    (idp, answer) =>
      idp.response(
        { ...answer, before: `<samlp:Extensions><a ID="${answer.assertionId}"/></samlp:Extensions>` },
        idp.sign(idp.assertion(answer)),
      ),
    /several elements/,
  ],
  "the same id in another letter case of its name": [
    (idp, answer) =>
      idp.response(
        { ...answer, before: `<samlp:Extensions><a Id="${answer.assertionId}"/></samlp:Extensions>` },
        idp.sign(idp.assertion(answer)),
      ),
    /several elements/,
  ],
  "two assertions, both signed": [
    (idp, answer) => {
      const other = { ...answer, assertionId: "_other" };
      return idp.response(answer, idp.sign(idp.assertion(answer)), idp.sign(idp.assertion(other)));
    },
    /several/,
  ],
  "an unsigned assertion in an unsigned Response, with an unsolicited signed one": [
    (idp, answer) => idp.response(answer, idp.sign(idp.assertion({ ...answer, confirmedRequest: "" }))),
    /another request/,
  ],
  "the assertion of a response to another user's request": [
    changed({ confirmedRequest: "_0123456789012345678901234567890123456789" }),
    /another request/,
  ],
};

/** Invalid signatures. */
export const signatures: Readonly<Record<string, readonly [Attack, RegExp]>> = {
  "no signature": [(idp, answer) => idp.response(answer, idp.assertion(answer)), /not signed/],
  "a signed Response with an unsigned assertion": [signedWhole, /assertion is not signed/],
  "a name changed after it was signed": [(idp, answer) => idp.signed(answer).replace(">ann<", ">root<"), /signature/i],
  "an attribute changed after it was signed": [
    (idp, answer) => idp.signed(answer).replace("ann@staff", "root@staff"),
    /signature/i,
  ],
  "another certificate": [signedBy({ pair: stranger }), /signature/i],
  "another certificate that is included in KeyInfo": [signedBy({ pair: stranger, withOwnKey: true }), /signature/i],
  "a signed assertion in a Response signed with another key": [
    (idp, answer) => idp.sign(idp.signed(answer), "Response", { pair: stranger }),
    /signature/i,
  ],
  "a signature with SHA-1": [signedBy({ algorithm: "http://www.w3.org/2000/09/xmldsig#rsa-sha1" }), /SignatureMethod/],
  "a digest with SHA-1": [signedBy({ digest: "http://www.w3.org/2000/09/xmldsig#sha1" }), /DigestMethod/],
  "HMAC, with the certificate as its key": [
    (idp, answer) => idp.signed(answer).replace(rsaSha256, "http://www.w3.org/2000/09/xmldsig#hmac-sha1"),
    /SignatureMethod/,
  ],
  "a signature without an algorithm": [
    (idp, answer) => idp.signed(answer).replace(`<SignatureMethod Algorithm="${rsaSha256}"/>`, "<SignatureMethod/>"),
    /SignatureMethod/,
  ],
  "an inclusive canonicalization": [
    signedBy({ canonicalization: "http://www.w3.org/TR/2001/REC-xml-c14n-20010315" }),
    /CanonicalizationMethod/,
  ],
  "a canonicalization that keeps comments": [
    signedBy({ canonicalization: `${exclusive}WithComments` }),
    /CanonicalizationMethod/,
  ],
  "a transform by XSLT": [
    (idp, answer) => idp.signed(answer).replace(enveloped, "http://www.w3.org/TR/1999/REC-xslt-19991116"),
    /transform/,
  ],
  "a transform by XPath": [
    (idp, answer) => idp.signed(answer).replace(enveloped, "http://www.w3.org/TR/1999/REC-xpath-19991116"),
    /transform/,
  ],
  "a hundred transforms": [
    (idp, answer) =>
      idp.signed(answer).replace("<Transforms>", `<Transforms>${`<Transform Algorithm="${exclusive}"/>`.repeat(100)}`),
    /transform/,
  ],
  "no transforms": [
    (idp, answer) => idp.signed(answer).replace(/<Transform .*<\/Transforms>/s, "</Transforms>"),
    /transform/,
  ],
  "a reference to nothing": [
    (idp, answer) => idp.signed(answer).replace(/URI="[^"]*"/, 'URI=""'),
    /not cover the element/,
  ],
  "a reference to a file": [
    (idp, answer) => idp.signed(answer).replace(/URI="[^"]*"/, 'URI="file:///etc/passwd"'),
    /not cover the element/,
  ],
  "two references": [
    (idp, answer) => idp.signed(answer).replace(/<Reference[\s\S]*<\/Reference>/, (one) => one + one),
    /several elements Reference/,
  ],
  "two signatures in an assertion": [
    (idp, answer) => idp.signed(answer).replace(signature, (one) => one + one),
    /several signatures/,
  ],
  "two digests, one of them the attacker's": [
    (idp, answer) => idp.signed(answer).replace("<DigestValue>", "<DigestValue>AAAA</DigestValue><DigestValue>"),
    /digest|signature/i,
  ],
  "a comment in the digest": [
    (idp, answer) => idp.signed(answer).replace("<DigestValue>", "<DigestValue><!--x-->"),
    /comment/,
  ],
  "an empty signature value": [
    (idp, answer) => idp.signed(answer).replace(/<SignatureValue>[^<]*/, "<SignatureValue>"),
    /signature/i,
  ],
  "an Object in the signature": [
    (idp, answer) => idp.signed(answer).replace("</Signature>", `${object("")}</Signature>`),
    /unexpected parts/,
  ],
};
