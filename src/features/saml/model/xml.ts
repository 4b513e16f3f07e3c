// XML of SAML: strict parsing of documents that consist only of elements, attributes and texts, and writing.
import { DOMParser } from "@xmldom/xmldom";

/** The reason why a message is rejected, for the log and for admins; it quotes only short values. */
export class SamlError extends Error {
  override readonly name = "SamlError";
}

export const namespaces = {
  protocol: "urn:oasis:names:tc:SAML:2.0:protocol",
  assertion: "urn:oasis:names:tc:SAML:2.0:assertion",
  metadata: "urn:oasis:names:tc:SAML:2.0:metadata",
  signature: "http://www.w3.org/2000/09/xmldsig#",
} as const;

/** The limits per message; real ones have some tens. Parsers of XML take quadratic time. */
export const xmlLimits = { elements: 2_000, attributes: 5_000, depth: 50 } as const;

/**
 * Parses a text. Throws a {@link SamlError} for syntax that only attacks need: document types and entities,
 * comments, CDATA and processing instructions, so that signed content has only one reading. Texts beyond {@link
 * xmlLimits} are rejected before parsing.
 */
export function parseXml(text: string): Element {
  const body = text.replace(/^\uFEFF?\s*<\?xml\s[^?<>]*\?>/, "");
  if (/<!DOCTYPE|<!ENTITY/i.test(body)) throw new SamlError("it has a document type (DOCTYPE)");
  if (body.includes("<!")) throw new SamlError("it has a comment or CDATA");
  if (body.includes("<?")) throw new SamlError("it has a processing instruction");
  const fail = () => {
    throw new SamlError("it is not well-formed XML");
  };
  requireWithinLimits(body);
  const errorHandler = { warning: fail, error: fail, fatalError: fail };
  const root: Element | null | undefined = new DOMParser({ errorHandler }).parseFromString(body, "text/xml")
    .documentElement as Element | null | undefined; // the types omit empty documents
  if (!root) throw new SamlError("it is not well-formed XML");
  return root;
}

const tags = /<(?:[^<>"']|"[^"<]*"|'[^'<]*')*>/g;
const values = /=\s*(?:"[^"]*"|'[^']*')/g;

/**
 * Counts in the text, in one pass that stops at the first excess. Every `<` has to begin a tag, so that the parser
 * finds only the counted elements and attributes.
 */
function requireWithinLimits(text: string): void {
  let [elements, ends, attributes, depth] = [0, 0, 0, 0];
  for (const [tag] of text.matchAll(tags)) {
    if (tag.startsWith("</")) {
      ends += 1;
      depth -= 1;
      continue;
    }
    elements += 1;
    if (!tag.endsWith("/>")) depth += 1;
    for (const _value of tag.matchAll(values)) attributes += 1;
    if (elements > xmlLimits.elements) throw tooMany("elements");
    if (attributes > xmlLimits.attributes) throw tooMany("attributes");
    if (depth > xmlLimits.depth) throw new SamlError(`its elements are too deep: more than ${xmlLimits.depth} levels`);
  }
  if (text.split("<").length - 1 !== elements + ends) throw new SamlError("it is not well-formed XML");
}

const tooMany = (name: "elements" | "attributes"): SamlError =>
  new SamlError(`it has more than ${xmlLimits[name].toLocaleString("en")} ${name}`);

export function childrenOf(element: Element): Element[] {
  const children: Element[] = [];
  for (let node = element.firstChild; node; node = node.nextSibling)
    if (node.nodeType === 1) children.push(node as Element); // 1: an element
  return children;
}

/** The child elements with this name. */
export const childrenNamed = (element: Element, namespace: string, name: string): Element[] =>
  childrenOf(element).filter((child) => child.namespaceURI === namespace && child.localName === name);

export const elementsIn = (element: Element): Element[] => [element, ...childrenOf(element).flatMap(elementsIn)];

/** The only child of a name. Throws a {@link SamlError} without one, and for several. */
export function onlyChild(element: Element, namespace: string, name: string): Element {
  const [child, another] = childrenNamed(element, namespace, name);
  if (!child) throw new SamlError(`${element.localName} has no ${name}`);
  if (another) throw new SamlError(`${element.localName} has several elements ${name}`);
  return child;
}

export const textOf = (element: Element): string => (element.textContent ?? "").trim();

export const escapeXml = (text: string): string =>
  text.replaceAll(/[&<>"'\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`);
