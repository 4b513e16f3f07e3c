// XML of SAML: parsed strictly, as a document of elements, attributes and texts and nothing else; and written.
import { DOMParser } from "@xmldom/xmldom";

/** Why something that came is not taken: for the log and for admins; it never repeats more than short values. */
export class SamlError extends Error {
  override readonly name = "SamlError";
}

export const namespaces = {
  protocol: "urn:oasis:names:tc:SAML:2.0:protocol",
  assertion: "urn:oasis:names:tc:SAML:2.0:assertion",
  metadata: "urn:oasis:names:tc:SAML:2.0:metadata",
  signature: "http://www.w3.org/2000/09/xmldsig#",
} as const;

/** How deep elements may be in each other. */
const maxDepth = 50;

/**
 * Parses a text. Throws a {@link SamlError} for what is no XML, and for what SAML does not need and attacks do:
 * document types and entities, comments, CDATA and processing instructions. What is signed reads in one way only so.
 */
export function parseXml(text: string): Element {
  const body = text.replace(/^\uFEFF?\s*<\?xml\s[^?<>]*\?>/, "");
  if (/<!DOCTYPE|<!ENTITY/i.test(body)) throw new SamlError("it has a document type (DOCTYPE)");
  if (body.includes("<!")) throw new SamlError("it has a comment or CDATA");
  if (body.includes("<?")) throw new SamlError("it has a processing instruction");
  const fail = () => {
    throw new SamlError("it is no well-formed XML");
  };
  requireDepth(body);
  const errorHandler = { warning: fail, error: fail, fatalError: fail };
  const root: Element | null | undefined = new DOMParser({ errorHandler }).parseFromString(body, "text/xml")
    .documentElement as Element | null | undefined; // the types know nothing of an empty document
  if (!root) throw new SamlError("it is no well-formed XML");
  return root;
}

/** Before it is parsed: a parser that recurses would not come back from a very deep one. */
function requireDepth(text: string): void {
  let depth = 0;
  for (const [tag] of text.matchAll(/<(?:[^<>"']|"[^"<]*"|'[^'<]*')*>/g)) {
    if (tag.startsWith("</")) depth -= 1;
    else if (!tag.endsWith("/>")) depth += 1;
    if (depth > maxDepth) throw new SamlError("its elements are too deep");
  }
}

/** The elements directly in an element. */
export function childrenOf(element: Element): Element[] {
  const children: Element[] = [];
  for (let node = element.firstChild; node; node = node.nextSibling)
    if (node.nodeType === 1) children.push(node as Element); // 1: an element
  return children;
}

/** Those of them that have this name. */
export const childrenNamed = (element: Element, namespace: string, name: string): Element[] =>
  childrenOf(element).filter((child) => child.namespaceURI === namespace && child.localName === name);

/** An element and all that are in it. */
export const elementsIn = (element: Element): Element[] => [element, ...childrenOf(element).flatMap(elementsIn)];

/** The only child of a name. Throws a {@link SamlError} when there is none, or several. */
export function onlyChild(element: Element, namespace: string, name: string): Element {
  const [child, another] = childrenNamed(element, namespace, name);
  if (!child) throw new SamlError(`${element.localName} has no ${name}`);
  if (another) throw new SamlError(`${element.localName} has several elements ${name}`);
  return child;
}

/** The text in an element without blanks around it. */
export const textOf = (element: Element): string => (element.textContent ?? "").trim();

/** A text as it stands in XML, in attributes too. */
export const escapeXml = (text: string): string =>
  text.replaceAll(/[&<>"'\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`);
