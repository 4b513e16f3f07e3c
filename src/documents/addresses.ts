// The addresses that links and images of a document may have: frontends set `href` and `src` to them.
import type { Definition, Nodes, Parents, Root } from "mdast";

/** Schemes that open a page, a mail or a call; and those of references to content, which browsers do not open. */
const schemes = /^(?:https?|mailto|tel|page|space|user|collection|openapi):/i;
const anyScheme = /^[a-z][a-z\d+.-]*:/i;
const fileId = /^file:[a-z]+_\w+$/;
/** Schemes that a frontend may read as running or showing the content of the address itself. */
const active = /^(?:javascript|vbscript|data):/i;
const entityInScheme = /^[^/?#]*&(?:#\w+|\w+);/;

export const mustBeAllowedAddress = "must be a relative address, or one with http, https, mailto or tel.";

/**
 * Whether a link or image may have an address: a relative one, one of http, https, mailto or tel, or a reference. It is
 * parsed as browsers do, and again without whitespace, so that no frontend that cleans it turns it into a script.
 */
export function isAllowedAddress(address: string): boolean {
  const read = address.replaceAll(/^[\p{Cc}\s]+|[\t\n\r]/gu, "");
  if (anyScheme.test(read) && !schemes.test(read) && !fileId.test(read)) return false;
  return !active.test(address.replaceAll(/[\p{Cc}\p{Cf}\p{Z}\\]/gu, "")) && !entityInScheme.test(read);
}

type Definitions = ReadonlyMap<string, Definition>;

/** Replaces links and images with addresses that are not allowed by their texts, and removes such definitions. */
export function unlinkRefused(root: Root, definitions: Definitions): void {
  const isRefused = (node: Nodes): boolean => {
    const address = targetIn(node, definitions);
    return address !== undefined && !isAllowedAddress(address);
  };
  const clean = (parent: Parents): void => {
    for (const child of parent.children) if ("children" in child) clean(child);
    const children: Nodes[] = parent.children;
    // The replacement may be text or phrasing content, which every parent of a link accepts.
    if (children.some(isRefused))
      parent.children = children.flatMap((child) => (isRefused(child) ? textIn(child) : child)) as never;
  };
  clean(root);
}

function targetIn(node: Nodes, definitions: Definitions): string | undefined {
  if (node.type === "link" || node.type === "image" || node.type === "definition") return node.url;
  if (node.type === "linkReference" || node.type === "imageReference") return definitions.get(node.identifier)?.url;
  return undefined;
}

function textIn(node: Nodes): Nodes[] {
  if ("children" in node) return node.children;
  return "alt" in node && node.alt ? [{ type: "text", value: node.alt }] : [];
}
