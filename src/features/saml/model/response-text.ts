// The text of an identity provider's answer, as a form posts it. Apart from response.ts, which loads the SAML library:
// that runs in a thread of its own.
import { SamlError } from "#src/features/saml/model/xml.ts";

/** The limits of characters of a response, as XML and in base64; real ones have up to about 10,000. */
const maxXml = 60_000;
export const maxResponse = Math.ceil((4 * maxXml) / 3);

/** The XML of a base64-encoded response from a form. Throws a {@link SamlError}. */
export function decodeResponse(text: string): string {
  const base64 = text.replaceAll(/\s+/g, "");
  if (base64 === "") throw new SamlError("it is empty");
  if (base64.length > maxResponse) throw new SamlError(`it has more than ${maxXml.toLocaleString("en")} characters`);
  if (base64.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) throw new SamlError("it is not valid base64");
  const xml = Buffer.from(base64, "base64").toString("utf8");
  if (xml.includes("\uFFFD") || xml.includes("\0")) throw new SamlError("it is not UTF-8 text");
  return xml;
}

/** The error for a response to a request that this browser did not make. */
export const notAsked = (): SamlError =>
  new SamlError("this browser did not request it, or did so too long ago (InResponseTo)");
