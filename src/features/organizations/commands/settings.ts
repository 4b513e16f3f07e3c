// Checks of the settings of an organization: host names, e-mail domains, the logo.
import { DomainError, invalidInput } from "#src/base/errors.ts";
import { checkText } from "#src/domain/input.ts";

const label = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";
const host = new RegExp(`^${label}(?:\\.${label})*$`);
const domain = new RegExp(`^(?:${label}\\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$`);
const maxHost = 253;
const maxDomains = 100;

/** Characters of a URI (RFC 3986), with whole percent escapes; no user and password before the host. */
const webAddress = /^https?:\/\/[^/?#@]+(?:[/?#]|$)/i;
const uri = /^(?:[\w\-.~:/?#[\]@!$&'()*+,;=]|%[\da-f]{2})+$/i;

/** The title, 1 to 255 characters. */
export function checkTitle(title: string): string {
  return checkText("title", title, { min: 1, max: 255 });
}

/**
 * The host name in lower case: one label or several. Throws INVALID_INPUT for anything else; names of other scripts
 * come in their ASCII form.
 */
export function checkHostname(hostname: string): string {
  const name = checkText("hostname", hostname, { min: 1, max: maxHost }).toLowerCase();
  if (!host.test(name)) throw invalidInput("hostname", "must be a host name such as docs.example.com.");
  return name;
}

/**
 * The e-mail domains in lower case. Throws INVALID_INPUT that names each that is not a domain or is given twice, and
 * for more than 100.
 */
export function checkEmailDomains(domains: readonly string[]): string[] {
  if (domains.length > maxDomains)
    throw invalidInput("emailDomains", `must have at most ${maxDomains} entries, and has ${domains.length}.`);
  const names = domains.map((name) => name.trim().toLowerCase());
  const details = names.flatMap((name, index) => {
    const path = `emailDomains.${index}`;
    if (name.length > maxHost || !domain.test(name))
      return [{ path, message: "must be an e-mail domain such as example.com." }];
    return names.indexOf(name) < index ? [{ path, message: "must not be given twice." }] : [];
  });
  const [first] = details;
  if (first) throw new DomainError("INVALID_INPUT", `${first.path}: ${first.message}`, details);
  return names;
}

/** The address of the logo, a URI of http or https with at most 2048 characters. Throws INVALID_INPUT otherwise. */
export function checkLogo(logo: string): string {
  const text = checkText("logo", logo, { min: 1, max: 2048 });
  if (!webAddress.test(text) || !uri.test(text) || !URL.canParse(text))
    throw invalidInput("logo", "must be an address that starts with https:// or http://.");
  return text;
}
