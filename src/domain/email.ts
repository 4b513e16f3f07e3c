// Addresses of e-mail, as people give them.
import { invalidInput } from "#src/base/errors.ts";
import { checkText } from "#src/domain/input.ts";

/** Longest address and local part that mail can be sent to (RFC 5321, section 4.5.3.1, and its erratum 1690). */
const longest = { address: 254, local: 64 } as const;

/** Something, an at sign, and a domain of two labels or more; only an e-mail to it shows whether the mailbox exists. */
const form =
  /^[^\s\p{C}@"(),:;<>[\\\]]+@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?$/u;

/** Addresses of this domain receive no e-mail (RFC 2606): docgraph gives them to the accounts that it makes itself. */
const unreachable = /[@.]invalid$/;

/**
 * The address in lower case, and its local part. INVALID_INPUT when it has not the form of one, and for one that can
 * receive no e-mail.
 */
export function checkEmail(path: string, text: string): { email: string; local: string } {
  const email = checkText(path, text, { min: 3, max: longest.address }).toLowerCase();
  const [local = ""] = email.split("@");
  if (!form.test(email) || local.length > longest.local)
    throw invalidInput(path, "must be an e-mail address such as ann@example.com.");
  if (unreachable.test(email)) throw invalidInput(path, "must not be of the reserved domain .invalid.");
  return { email, local };
}
