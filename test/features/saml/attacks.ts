// Hostile responses, by name, with an invalid structure or invalid values.
import { deflateRawSync } from "node:zlib";
import { type Attack, changed, signatures, wrapping } from "#test/features/saml/signature-attacks.ts";
import { published } from "#test/features/saml/published-attacks.ts";
import { inMinutes, success } from "#test/features/saml/idp.ts";

/** Responses with a valid signature and invalid values. */
const contents: Readonly<Record<string, readonly [Attack, RegExp]>> = {
  "wrong audience": [changed({ audience: "https://other.example.com" }), /audience/i],
  "wrong recipient": [changed({ recipient: "https://other.example.com/acs" }), /Recipient/],
  "no recipient": [
    (idp, answer) => idp.response(answer, idp.sign(idp.assertion(answer).replace(/ Recipient="[^"]*"/, ""))),
    /Recipient/,
  ],
  "wrong destination": [changed({ destination: "https://other.example.com/acs" }), /Destination/],
  "wrong issuer": [changed({ issuer: "https://other.example.com/metadata" }), /Issuer/],
  "wrong issuer of the Response only": [
    (idp, answer) => idp.response({ ...answer, issuer: "https://other.example.com" }, idp.sign(idp.assertion(answer))),
    /Issuer/,
  ],
  "InResponseTo of an unknown request": [
    changed({ requestId: "_0123456789012345678901234567890123456789" }),
    /InResponseTo/,
  ],
  "no InResponseTo": [(idp, answer) => idp.signed(answer).replace(/ InResponseTo="[^"]*"/, ""), /InResponseTo/],
  expired: [changed({ notOnOrAfter: inMinutes(-3) }), /expired/],
  "confirmation expired": [changed({ confirmedUntil: inMinutes(-3) }), /expired|confirmation/],
  "confirmation without NotOnOrAfter": [
    (idp, answer) => idp.response(answer, idp.sign(idp.assertion(answer).replace(/ NotOnOrAfter="[^"]*"\/>/, "/>"))),
    /NotOnOrAfter/,
  ],
  "not yet valid": [changed({ notBefore: inMinutes(60), notOnOrAfter: inMinutes(120) }), /not (yet )?valid/],
  "an invalid instant": [changed({ notOnOrAfter: "tomorrow" }), /instant|pars/],
  "no conditions": [
    (idp, answer) =>
      idp.response(answer, idp.sign(idp.assertion(answer).replace(/<saml:Conditions.*<\/saml:Conditions>/, ""))),
    /Conditions/,
  ],
  "no audience": [
    (idp, answer) =>
      idp.response(
        answer,
        idp.sign(idp.assertion(answer).replace(/<saml:AudienceRestriction>.*<\/saml:AudienceRestriction>/, "")),
      ),
    /audience/i,
  ],
  "no subject": [
    (idp, answer) =>
      idp.response(answer, idp.sign(idp.assertion(answer).replace(/<saml:Subject>.*<\/saml:Subject>/, ""))),
    /Subject/,
  ],
  "an empty NameID": [changed({ nameId: "" }), /NameID/],
  "two NameIDs": [changed({ nameId: "ann</saml:NameID><saml:NameID>root" }), /NameID/],
  "a confirmation by a key": [
    (idp, answer) => idp.response(answer, idp.sign(idp.assertion(answer).replace("cm:bearer", "cm:holder-of-key"))),
    /bearer/,
  ],
  "no AuthnStatement": [
    (idp, answer) => idp.response(answer, idp.sign(idp.assertion(answer).replace(/<saml:AuthnStatement[^>]*>/, ""))),
    /AuthnStatement/,
  ],
  "an expired session at the provider": [
    (idp, answer) =>
      idp.response(
        answer,
        idp.sign(
          idp
            .assertion(answer)
            .replace("<saml:AuthnStatement", `<saml:AuthnStatement SessionNotOnOrAfter="${inMinutes(-5)}"`),
        ),
      ),
    /session has ended/,
  ],
  "wrong status": [changed({ status: "urn:oasis:names:tc:SAML:2.0:status:Responder" }), /Responder/],
  "two statuses": [
    (idp, answer) =>
      idp
        .signed(answer)
        .replace("<samlp:Status>", `<samlp:Status><samlp:StatusCode Value="${success}"/></samlp:Status><samlp:Status>`),
    /several elements Status/,
  ],
  "SAML 1.1": [(idp, answer) => idp.signed(answer).replace('Version="2.0"', 'Version="1.1"'), /2\.0/],
};

/** Malformed responses. */
const forms: Readonly<Record<string, readonly [Attack, RegExp]>> = {
  "a comment in NameID": [
    (idp, answer) => idp.signed({ ...answer, nameId: "root" }).replace(">root<", ">ro<!-- -->ot<"),
    /comment/,
  ],
  "a comment in NameID before signing": [changed({ nameId: "root<!---->.evil" }), /comment/],
  "CDATA in NameID": [(idp, answer) => idp.signed(answer).replace(">ann<", "><![CDATA[ann]]><"), /CDATA/],
  "a processing instruction in NameID": [
    (idp, answer) => idp.signed(answer).replace(">ann<", ">an<?x?>n<"),
    /processing/,
  ],
  DOCTYPE: [(idp, answer) => `<!DOCTYPE Response>${idp.signed(answer)}`, /DOCTYPE/],
  "an external entity of a file": [
    (idp, answer) =>
      `<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]>${idp.signed(answer).replace(">ann<", ">&x;<")}`,
    /DOCTYPE/,
  ],
  "a billion laughs": [
    (idp, answer) =>
      `<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>${idp.signed(answer)}`,
    /DOCTYPE/,
  ],
  "an undefined entity": [(idp, answer) => idp.signed(answer).replace(">ann<", ">&root;<"), /well-formed/],
  "an encrypted assertion": [
    (idp, answer) =>
      idp.response(
        answer,
        `<saml:EncryptedAssertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"><a>AAAA</a></saml:EncryptedAssertion>`,
      ),
    /encrypted/,
  ],
  "an encrypted assertion beside a signed one": [
    (idp, answer) => idp.response(answer, idp.sign(idp.assertion(answer)), "<EncryptedAssertion/>"),
    /encrypted/,
  ],
  "an assertion without a Response": [(idp, answer) => idp.sign(idp.assertion(answer)), /not a Response/],
  "a Response of another namespace": [
    (idp, answer) => idp.signed(answer).replace(/xmlns:samlp="[^"]*"/, 'xmlns:samlp="urn:example"'),
    /not a Response/,
  ],
  "an assertion of another namespace": [
    (idp, answer) =>
      idp.signed(answer).replaceAll('xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"', 'xmlns:saml="urn:example"'),
    /Assertion/,
  ],
  "text that is not XML": [() => "Response", /well-formed/],
  "truncated XML": [(idp, answer) => idp.signed(answer).slice(0, -200), /well-formed/],
  "two roots": [(idp, answer) => idp.signed(answer) + idp.signed(answer), /well-formed/],
  "elements nested a hundred deep": [
    (idp, answer) =>
      idp.response({ ...answer, before: "<a>".repeat(100) + "</a>".repeat(100) }, idp.sign(idp.assertion(answer))),
    /too deep/,
  ],
  "a NUL character": [(idp, answer) => idp.signed(answer).replace(">ann<", ">a\0nn<"), /UTF-8/],
};

/** Attacks that are XML, each with the reason that is logged. */
export const attacks = Object.entries({ ...wrapping, ...signatures, ...published, ...contents, ...forms });

/** Posted values that are not a response in base64. */
export const posts: Readonly<Record<string, readonly [(xml: string) => string, RegExp]>> = {
  "an empty value": [() => "", /empty/],
  "invalid base64": [() => "<samlp:Response/>", /base64/],
  "truncated base64": [(xml) => Buffer.from(xml).toString("base64").slice(0, 1001), /base64/],
  "base64 of invalid UTF-8": [() => Buffer.from([0xff, 0xfe, 0, 1, 2, 0xc3]).toString("base64"), /UTF-8/],
  "compressed, as in a redirect": [(xml) => deflateRawSync(xml).toString("base64"), /UTF-8|XML/],
  "a compression bomb": [() => deflateRawSync("A".repeat(50_000_000)).toString("base64"), /UTF-8|XML/],
  "an oversized response": [
    (xml) => Buffer.from(xml + " ".repeat(100_000)).toString("base64"),
    /more than 60,000 characters/,
  ],
};
