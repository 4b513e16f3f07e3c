// The text of an identity provider's answer, as a form posts it. Apart from response.ts, which loads the SAML library:
// that runs in a thread of its own.
import { SamlError } from "#src/features/saml/model/xml.ts";

/** The most characters of an answer, as XML and in base64; real ones have up to some 10,000. */
const maxXml = 60_000;
export const maxResponse = Math.ceil((4 * maxXml) / 3);

/** The XML of an answer in base64, as a form posts it. Throws a {@link SamlError}. */
export function decodeResponse(text: string): string {
  const base64 = text.replaceAll(/\s+/g, "");
  if (base64 === "") throw new SamlError("it is empty");
  if (base64.length > maxResponse) throw new SamlError(`it has more than ${maxXml.toLocaleString("en")} characters`);
  if (base64.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) throw new SamlError("it is no base64");
  const xml = Buffer.from(base64, "base64").toString("utf8");
  if (xml.includes("\uFFFD") || xml.includes("\0")) throw new SamlError("it is no text in UTF-8");
  return xml;
}

/** Why an answer to a request that the browser has not made is not taken. */
export const notAsked = (): SamlError =>
  new SamlError("this browser has not asked for it, or too long ago (InResponseTo)");
