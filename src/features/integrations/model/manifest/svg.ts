// Checks SVG images of integrations: only drawings without scripts and external resources are allowed.
import { DOMParser } from "@xmldom/xmldom";

const namespace = "http://www.w3.org/2000/svg";

/** The allowed elements, without animations, which can change the target of a link. */
const elements: ReadonlySet<string> = new Set(
  (
    "svg g defs symbol use switch title desc style path rect circle ellipse line polyline polygon text tspan textPath " +
    "image marker linearGradient radialGradient stop pattern clipPath mask filter feBlend feColorMatrix " +
    "feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap feDistantLight feDropShadow " +
    "feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feMerge feMergeNode feMorphology feOffset fePointLight " +
    "feSpecularLighting feSpotLight feTile feTurbulence"
  ).split(" "),
);

/** References within the image, and embedded images. */
const inside = /^\s*(?:#|data:image\/(?:png|jpeg|webp);base64,)/i;

/** Why a text is refused, as the end of "must be a plain SVG: "; null if it is allowed. */
export function svgFault(text: string): string | null {
  if (/<!DOCTYPE|<!ENTITY/i.test(text)) return "it has a document type (DOCTYPE).";
  const body = text.replace(/^\uFEFF?\s*<\?xml\s[^?<>]*\?>/, "");
  if (body.includes("<?")) return "it has a processing instruction.";
  const root = rootOf(body);
  if (!root) return "it is not well-formed XML.";
  if (root.localName !== "svg") return "its first element is not svg.";
  const open: Element[] = [root];
  for (let element = open.pop(); element; element = open.pop()) {
    const fault = faultOf(element);
    if (fault !== null) return fault;
    for (let node = element.firstChild; node; node = node.nextSibling)
      if (node.nodeType === 1) open.push(node as Element); // 1: an element
  }
  return null;
}

function rootOf(text: string): Element | null {
  let isGood = true;
  const fail = () => {
    isGood = false;
  };
  const errorHandler = { warning: fail, error: fail, fatalError: fail };
  try {
    const parsed = new DOMParser({ errorHandler }).parseFromString(text, "image/svg+xml");
    return isGood ? ((parsed as Document | undefined)?.documentElement ?? null) : null; // null for an empty text
  } catch {
    return null;
  }
}

function faultOf(element: Element): string | null {
  const { localName: name, namespaceURI } = element;
  if (namespaceURI !== namespace) return `it has the element ${shown(element.nodeName)} of another namespace.`;
  if (!elements.has(name)) return `it has the element ${shown(name)}.`;
  if (name === "style" && loads(element.textContent ?? "")) return "its styles load an external resource.";
  for (const { localName, nodeName, value } of Array.from(element.attributes)) {
    if (/^on/i.test(localName)) return `it has the event handler ${shown(nodeName)}.`;
    if (localName === "base") return `it has the attribute ${shown(nodeName)}.`;
    if (localName === "href" && !inside.test(value)) return `it has an external reference (${shown(nodeName)}).`;
    if (loads(value) && localName !== "href") return `it loads an external resource (${shown(nodeName)}).`;
  }
  return null;
}

/** Whether styles load resources; escapes count, too, since they may hide that. */
const loads = (text: string): boolean =>
  /@import|\\|expression|\b(?:image|image-set|src)\s*\(|url\((?!\s*["']?\s*#)/i.test(text);

const shown = (name: string): string => `<${name.slice(0, 50)}>`.replaceAll(/[<>]/g, "`");
