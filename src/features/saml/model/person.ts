// The person whom an assertion names: a key that is the same at every sign-in, an e-mail address and a name.
import { childrenNamed, namespaces, SamlError, textOf } from "#src/features/saml/model/xml.ts";

const formats = {
  persistent: "urn:oasis:names:tc:SAML:2.0:nameid-format:persistent",
  transient: "urn:oasis:names:tc:SAML:2.0:nameid-format:transient",
  entity: "urn:oasis:names:tc:SAML:2.0:nameid-format:entity",
  email: "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress",
  unspecified: "urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified",
  windows: "urn:oasis:names:tc:SAML:1.1:nameid-format:WindowsDomainQualifiedName",
} as const;

/** The format of names that docgraph requests: the same at every sign-in. */
export const requestedFormat = formats.persistent;

/** Why signed assertions are refused for the name in them: reasons that admins of the organization have to know. */
export const nameRefusals = {
  once:
    "the provider names the person for one sign-in only (a transient NameID). Its administrators can make it send a " +
    "persistent NameID or an e-mail address as NameID, or the attribute subject-id or pairwise-id",
  system: "it names a system, not a person (the Format of NameID is entity)",
} as const;

export const isNameRefusal = (reason: string): boolean => Object.values<string>(nameRefusals).includes(reason);

/** Texts of the attributes of an assertion, by the names of the attributes in lower case. */
type Attributes = ReadonlyMap<string, readonly string[]>;

export interface Person {
  /** The name by which the person is known at every sign-in; null if the provider sends none. */
  readonly key: string | null;
  /** Whether the key was written in lower case, since names of its kind are the same in all letters. */
  readonly ignoresCase: boolean;
  /** An e-mail address, in lower case, and a display name, if present. */
  readonly email: string | null;
  readonly displayName: string | null;
}

const claims = "http://schemas.xmlsoap.org/ws/2005/05/identity/claims";

/** Attributes in place of a NameID for one sign-in: subject-id, pairwise-id and eduPersonUniqueId. */
const permanentNames = [
  "urn:oasis:names:tc:saml:attribute:subject-id",
  "urn:oasis:names:tc:saml:attribute:pairwise-id",
  "urn:oid:1.3.6.1.4.1.5923.1.1.1.13",
];

const emailNames = [
  "email",
  "mail",
  "emailaddress",
  "email_address",
  "e-mail",
  "user.email",
  "urn:oid:0.9.2342.19200300.100.1.3",
  "urn:oid:1.2.840.113549.1.9.1",
  `${claims}/emailaddress`,
  "http://schemas.xmlsoap.org/claims/emailaddress",
];

/** Names of accounts, which are often e-mail addresses. */
const accountNames = [
  "upn",
  "userprincipalname",
  `${claims}/upn`,
  "http://schemas.xmlsoap.org/claims/upn",
  `${claims}/name`,
  "urn:oid:1.3.6.1.4.1.5923.1.1.1.6",
];

const displayNames = [
  "displayname",
  "urn:oid:2.16.840.1.113730.3.1.241",
  "http://schemas.microsoft.com/identity/claims/displayname",
  "cn",
  "urn:oid:2.5.4.3",
];
const givenNames = ["givenname", "firstname", "urn:oid:2.5.4.42", `${claims}/givenname`];
const familyNames = ["sn", "surname", "lastname", "urn:oid:2.5.4.4", `${claims}/surname`];

const maxName = 255;

/** Reads the person of a NameID and the attributes of its assertion. Throws a {@link SamlError} for other subjects. */
export function personOf(nameId: Element, root: Element): Person {
  const name = textOf(nameId);
  const format = nameId.getAttribute("Format") ?? "";
  if (format === formats.entity) throw new SamlError(nameRefusals.system);
  const attributes = attributesOf(root);
  const named = format === formats.email ? [name] : [];
  const ignoresCase = isInAllLetters(name, format);
  const key = ignoresCase ? name.toLowerCase() : name;
  return {
    key: format === formats.transient ? firstOf(attributes, permanentNames) : key,
    ignoresCase,
    email: emailIn([...textsOf(attributes, emailNames), ...named, ...textsOf(attributes, accountNames)]),
    displayName: displayNameIn(attributes),
  };
}

/** Whether a name is the same in all letters: addresses, also without a format, and accounts of Windows. */
function isInAllLetters(name: string, format: string): boolean {
  if (format === formats.email || format === formats.windows) return true;
  return (format === "" || format === formats.unspecified) && emailIn([name]) !== null;
}

/** The first that is an e-mail address. Azure writes the accounts of guests as addresses that receive nothing. */
function emailIn(texts: readonly string[]): string | null {
  const addresses = texts.map((text) => text.toLowerCase()).filter((text) => !text.includes("#ext#@"));
  return addresses.find((text) => text.length <= 254 && address.test(text)) ?? null;
}

const address = /^[^\s\p{C}@"(),:;<>[\\\]]{1,64}@[a-z0-9.-]+$/u;

/** The texts of each attribute. */
function attributesOf(root: Element): Attributes {
  const texts = new Map<string, string[]>();
  for (const statement of childrenNamed(root, namespaces.assertion, "AttributeStatement")) {
    for (const attribute of childrenNamed(statement, namespaces.assertion, "Attribute")) {
      const name = (attribute.getAttribute("Name") ?? "").toLowerCase();
      const values = childrenNamed(attribute, namespaces.assertion, "AttributeValue").map(textOf);
      texts.set(name, [...(texts.get(name) ?? []), ...values.filter((text) => text !== "")]);
    }
  }
  return texts;
}

const textsOf = (attributes: Attributes, names: readonly string[]): string[] =>
  names.flatMap((name) => attributes.get(name) ?? []);

const firstOf = (attributes: Attributes, names: readonly string[]): string | null =>
  textsOf(attributes, names).find((text) => text.length <= 1024) ?? null;

function displayNameIn(attributes: Attributes): string | null {
  const parts = [firstOf(attributes, givenNames), firstOf(attributes, familyNames)].filter((part) => part !== null);
  const other = textsOf(attributes, ["name", `${claims}/name`]).find((text) => !text.includes("@"));
  const given = firstOf(attributes, displayNames) ?? (parts.length > 0 ? parts.join(" ") : (other ?? ""));
  const name = given.replaceAll(/[\p{C}\s]+/gu, " ").trim();
  return name === "" ? null : Array.from(name).slice(0, maxName).join("");
}
