// Checks of input that many commands share. Lengths count Unicode characters (code points), as the spec's limits do.
import { invalidInput } from "#src/base/errors.ts";
import { isStorable, mustBeStorable } from "#src/base/text/forms.ts";

/** Fields of an input that may be omitted or null. */
export type Optional<Fields> = { readonly [Name in keyof Fields]?: Fields[Name] | null | undefined };

/** The limits of a text in Unicode characters; `min` is 0 by default. */
export interface Length {
  readonly min?: number;
  readonly max: number;
}

/** The length of a text in code points, not in UTF-16 units. */
const codePoints = (text: string): number => Array.from(text).length;

/** The trimmed text. Throws INVALID_INPUT outside the limits, and if PostgreSQL cannot store it. */
export function checkText(path: string, text: string, { min = 0, max }: Length): string {
  const trimmed = text.trim();
  if (!isStorable(trimmed)) throw invalidInput(path, mustBeStorable);
  const given = codePoints(text); // blanks at both ends count against the upper limit, as in clients
  const length = given > max ? given : codePoints(trimmed);
  if (length < min || length > max) {
    throw invalidInput(
      path,
      min > 0
        ? `must have ${min} to ${max} characters, and has ${length}.`
        : `must have at most ${max} characters, and has ${length}.`,
    );
  }
  return trimmed;
}

/** The same for a single line. Throws INVALID_INPUT for line ends and other control characters as well. */
export function checkLine(path: string, text: string, length: Length): string {
  const line = checkText(path, text, length);
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(line)) throw invalidInput(path, "must be a single line without control characters.");
  return line;
}

/** Characters of a URI (RFC 3986), with whole percent escapes; without user and password before the host. */
const webAddress = /^https?:\/\/[^/?#@]+(?:[/?#]|$)/i;
const uri = /^(?:[\w\-.~:/?#[\]@!$&'()*+,;=]|%[\da-f]{2})+$/i;

/** The address, a URI of http or https with at most 2048 characters. Throws INVALID_INPUT otherwise. */
export function checkWebAddress(path: string, address: string): string {
  const text = checkText(path, address, { min: 1, max: 2048 });
  if (!webAddress.test(text) || !uri.test(text) || !URL.canParse(text))
    throw invalidInput(path, "must be an address that starts with https:// or http://.");
  return text;
}

/** The instant, if it is in the future. Throws INVALID_INPUT otherwise. */
export function checkFuture(path: string, instant: Date, now: Date): Date {
  if (instant <= now) throw invalidInput(path, "must be in the future.");
  return instant;
}

type OneOf<Choices> = {
  [Name in keyof Choices]: readonly [name: Name, value: NonNullable<Choices[Name]>];
}[keyof Choices];

/** The one value that is not null, with its name. Throws INVALID_INPUT unless there is exactly one. */
export function oneOf<Choices extends Readonly<Record<string, unknown>>>(
  path: string,
  choices: Choices,
): OneOf<Choices> {
  const given = Object.entries(choices).filter(([, value]) => value != null);
  if (given.length !== 1) {
    const names = new Intl.ListFormat("en-GB").format(Object.keys(choices));
    throw invalidInput(path, `must set exactly one of ${names}.`);
  }
  return given[0] as unknown as OneOf<Choices>; // Object.entries loses the names
}

/** A field of an update: undefined means unchanged; null is rejected, since the field cannot be empty. */
export function ifGiven<Value, Checked>(
  path: string,
  value: Value | null | undefined,
  check: (value: Value) => Checked,
): Checked | undefined {
  if (value === undefined) return undefined;
  if (value === null) throw invalidInput(path, "must not be null.");
  return check(value);
}

/** The given entries of an update, without undefined ones, which mean unchanged. */
export function given<Fields extends object>(
  fields: Fields,
): { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> } {
  // Object.entries loses the names; only entries of `fields` are kept.
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Fields]?: Exclude<Fields[Name], undefined>;
  };
}

/** Longest address and local part that mail can be sent to (RFC 5321, section 4.5.3.1, and its erratum 1690). */
const longest = { address: 254, local: 64 } as const;

/** Text, an at sign, and a domain of at least two labels; only an e-mail to it shows whether the mailbox exists. */
const form =
  /^[^\s\p{C}@"(),:;<>[\\\]]+@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?$/u;

/** Addresses of this domain receive no e-mail (RFC 2606): docgraph assigns them to accounts that it creates itself. */
const unreachable = /[@.]invalid$/;

/** The address in lower case, and its local part. INVALID_INPUT unless it is a deliverable e-mail address. */
export function checkEmail(path: string, text: string): { email: string; local: string } {
  const email = checkText(path, text, { min: 3, max: longest.address }).toLowerCase();
  const [local = ""] = email.split("@");
  if (!form.test(email) || local.length > longest.local)
    throw invalidInput(path, "must be an e-mail address such as ann@example.com.");
  if (unreachable.test(email)) throw invalidInput(path, "must not have a domain below the reserved .invalid.");
  return { email, local };
}
