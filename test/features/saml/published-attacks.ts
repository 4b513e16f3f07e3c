// Hostile responses as published in the tests of node-saml (test/static/signatures/invalid), by their file names there.
// They are regenerated with accepted algorithms and times, so that only their structure is wrong.
import { makeKeyPair } from "#test/features/saml/certificate.ts";
import { type Attack, signatureIn, signedWhole, without } from "#test/features/saml/signature-attacks.ts";
import type { Answer, TestIdp } from "#test/features/saml/idp.ts";

const stranger = makeKeyPair("another stranger");

const twice = (xml: string, part: RegExp) => xml.replace(part, (one) => one + one);

/** A response with the assertion twice: with another id, and without a signature. */
const withUnsigned = (idp: TestIdp, answer: Answer, signed: string) =>
  idp.response(answer, signed, idp.assertion({ ...answer, nameId: "root", assertionId: "_other" }));

export const published: Readonly<Record<string, readonly [Attack, RegExp]>> = {
  "response.root-carries-assertion-signature.assertion-unsigned": [
    (idp, answer) => {
      const signed = idp.sign(idp.assertion(answer));
      const response = idp.response(answer, without(signed));
      return response.replace("</saml:Issuer>", (issuer) => issuer + signatureIn(signed));
    },
    /not cover the element|not signed/,
  ],
  "response.root-resigned-by-attacker-assertion-unsigned-attackers-cert-at-keyinfo": [
    (idp, answer) =>
      idp.sign(idp.response(answer, idp.assertion(answer)), "Response", { pair: stranger, withOwnKey: true }),
    /signature|not signed/i,
  ],
  "response.root-signed-2references.assertion-unsigned": [
    (idp, answer) => twice(signedWhole(idp, answer), /<Reference[\s\S]*<\/Reference>/),
    /several elements Reference|not signed/,
  ],
  "response.root-signed-twice.assertion-unsigned": [
    (idp, answer) => twice(signedWhole(idp, answer), /<Signature[\s\S]*<\/Signature>/),
    /several signatures/,
  ],
  "response.root-signed-uri-with-quote.assertion-unsigned": [
    (idp, answer) => idp.signed(answer).replace(/URI="#([^"]*)"/, 'URI="#x&quot; or @ID=&quot;$1"'),
    /not cover the element/,
  ],
  "response.root-signed-uri-without-hash.assertion-unsigned": [
    (idp, answer) => idp.signed(answer).replace('URI="#', 'URI="'),
    /not cover the element/,
  ],
  "response.root-signed.multiple-root-elements": [
    (idp, answer) => idp.response(answer, idp.assertion({ ...answer, nameId: "root" })) + idp.signed(answer),
    /well-formed/,
  ],
  "response.root-unsigned.assertion-signed.assertion-unsigned": [
    (idp, answer) => withUnsigned(idp, answer, idp.sign(idp.assertion(answer))),
    /several/,
  ],
};
