// Checks a signed assertion: its audience, validity period, request and subject.
import type { Certificate } from "#src/features/saml/model/certificates.ts";
import { type Person, personOf } from "#src/features/saml/model/person.ts";
import { childrenNamed, namespaces, onlyChild, SamlError, textOf } from "#src/features/saml/model/xml.ts";

/** The expectations of a response. */
export interface Expected {
  /** The entity id of the provider. */
  readonly issuer: string;
  readonly certificates: readonly Certificate[];
  /** The entity id of docgraph, and the address for the response. */
  readonly audience: string;
  readonly acsURL: string;
  readonly now: Date;
}

export interface SignedIn extends Person {
  readonly assertionId: string;
  /** The provider's name for the person in its own session. */
  readonly nameId: string;
  /** The provider's name for its own session; null without one. */
  readonly sessionIndex: string | null;
  /** The end of the validity of the assertion, including clock skew. */
  readonly expiresAt: Date;
}

/** The allowed clock skew of providers, in milliseconds. */
export const clockSkewMs = 2 * 60_000;
/** The upper bound of validity from `IssueInstant`: an hour; providers usually set minutes. */
const longestMs = 60 * 60_000;
const bearer = "urn:oasis:names:tc:SAML:2.0:cm:bearer";

/** Reads an assertion whose signature was checked. Throws a {@link SamlError} unless it meets the expectations. */
export function readAssertion(root: Element, requestId: string, expected: Expected): SignedIn {
  const one = (parent: Element, name: string) => onlyChild(parent, namespaces.assertion, name);
  if (root.namespaceURI !== namespaces.assertion || root.localName !== "Assertion")
    throw new SamlError("the signed element is not an Assertion");
  if (textOf(one(root, "Issuer")) !== expected.issuer) throw new SamlError("it is from another provider (Issuer)");
  const subject = one(root, "Subject");
  const nameId = one(subject, "NameID");
  const name = textOf(nameId);
  if (name === "" || name.length > 1024) throw new SamlError("it does not name a person (NameID)");
  const confirmedUntil = requireConfirmation(subject, requestId, expected);
  const until = requireConditions(one(root, "Conditions"), expected);
  const issued = instantOf(root, "IssueInstant");
  if (issued === null) throw new SamlError("it has no issue time (IssueInstant)");
  if (!isWithin(issued, issued + longestMs, expected.now))
    throw new SamlError("it was issued over an hour ago, or a clock is wrong (IssueInstant)");
  return {
    assertionId: root.getAttribute("ID") ?? "",
    nameId: name,
    sessionIndex: sessionOf(root, expected.now),
    ...personOf(nameId, root),
    expiresAt: new Date(Math.min(confirmedUntil, until, issued + longestMs) + clockSkewMs),
  };
}

/** The end of the first valid confirmation. Otherwise throws the fault of the first bearer confirmation. */
function requireConfirmation(subject: Element, requestId: string, expected: Expected): number {
  const problems: SamlError[] = [];
  for (const confirmation of childrenNamed(subject, namespaces.assertion, "SubjectConfirmation")) {
    if (confirmation.getAttribute("Method") !== bearer) continue;
    const [data, another] = childrenNamed(confirmation, namespaces.assertion, "SubjectConfirmationData");
    if (!data || another) continue;
    try {
      return requireFit(data, requestId, expected);
    } catch (error) {
      if (!(error instanceof SamlError)) throw error;
      problems.push(error);
    }
  }
  throw problems[0] ?? new SamlError("it has no confirmation for the bearer (SubjectConfirmation)");
}

/** The end of a bearer confirmation for this recipient and this request. */
function requireFit(data: Element, requestId: string, { acsURL, now }: Expected): number {
  if (data.getAttribute("Recipient") !== acsURL) throw new SamlError("it is for another recipient (Recipient)");
  if (data.getAttribute("InResponseTo") !== requestId) throw new SamlError("it answers another request (InResponseTo)");
  const until = instantOf(data, "NotOnOrAfter");
  if (until === null) throw new SamlError("its confirmation has no end (NotOnOrAfter)");
  if (!isNow(data, now)) throw new SamlError("its confirmation is not valid now: it has expired, or a clock is wrong");
  return until;
}

function requireConditions(conditions: Element, { audience, now }: Expected): number {
  if (!isNow(conditions, now)) throw new SamlError("it is not valid now: it has expired, or a clock is wrong");
  const restrictions = childrenNamed(conditions, namespaces.assertion, "AudienceRestriction");
  const isFor = (restriction: Element) =>
    childrenNamed(restriction, namespaces.assertion, "Audience").some((one) => textOf(one) === audience);
  if (restrictions.length === 0 || !restrictions.every(isFor))
    throw new SamlError("it is for another audience (Audience)");
  return instantOf(conditions, "NotOnOrAfter") ?? Infinity;
}

function sessionOf(root: Element, now: Date): string | null {
  const [statement] = childrenNamed(root, namespaces.assertion, "AuthnStatement");
  if (!statement) throw new SamlError("it has no statement that the person signed in (AuthnStatement)");
  const until = instantOf(statement, "SessionNotOnOrAfter");
  if (until !== null && until + clockSkewMs <= now.getTime()) throw new SamlError("the provider's session has ended");
  const index = statement.getAttribute("SessionIndex") ?? "";
  return index === "" ? null : index.slice(0, 1024);
}

/** Whether an element is valid now, with clock skew. */
function isNow(element: Element, now: Date): boolean {
  const [from, until] = [instantOf(element, "NotBefore"), instantOf(element, "NotOnOrAfter")];
  return isWithin(from ?? -Infinity, until ?? Infinity, now);
}

const isWithin = (from: number, until: number, now: Date): boolean =>
  from - clockSkewMs <= now.getTime() && now.getTime() < until + clockSkewMs;

function instantOf(element: Element, name: string): number | null {
  if (!element.hasAttribute(name)) return null;
  const text = element.getAttribute(name) ?? "";
  const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(text) ? Date.parse(text) : NaN;
  if (Number.isNaN(instant)) throw new SamlError(`${name} is not a valid instant`);
  return instant;
}
