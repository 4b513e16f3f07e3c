// Targets of links and images in a document from a client: own addresses, or ones that the document defines.
import type { Definition, LinkReference, Resource } from "mdast";
import type { NodeData, PlainElement, PlainNode } from "#src/documents/document.ts";
import { addressOf, readReference } from "#src/documents/references.ts";

const none: NodeData = {};

/** The settings of a node; an empty object without any. */
export const settingsOf = ({ data }: PlainElement): NodeData => data ?? none;

/** Labels that only differ in case and blanks are the same (CommonMark: matching of reference labels). */
const identifierOf = (label: string): string => label.replaceAll(/\s+/g, " ").trim().toLowerCase().toUpperCase();

/** The addresses that a document defines, by identifier. Of several with the same identifier the first one counts. */
export class Targets {
  readonly #addresses = new Map<string, string>();

  constructor(nodes: readonly PlainNode[]) {
    for (const node of nodes) this.#collect(node);
  }

  #collect(node: PlainNode): void {
    if (node.object === "text") return;
    const definition = node.type === "definition" ? definitionOf(settingsOf(node)) : null;
    if (definition && !this.#addresses.has(definition.identifier))
      this.#addresses.set(definition.identifier, definition.url);
    for (const child of node.nodes ?? []) this.#collect(child);
  }

  /** The target by a defined reference, else by its own address; null if missing. */
  of(data: NodeData): { own: Resource } | { byReference: Omit<LinkReference, "type" | "children"> } | null {
    const own = resourceOf(data);
    const reference: NodeData = typeof data["reference"] === "object" ? { ...data["reference"] } : none;
    const label = labelOf(reference);
    const address = label && this.#addresses.get(label.identifier);
    if (!label || address === undefined || (own && own.url !== address)) return own && { own };
    const forms = ["full", "collapsed", "shortcut"] as const;
    const referenceType = forms.find((form) => form === reference["form"]) ?? "full";
    return { byReference: { ...label, referenceType } };
  }
}

/** The label in some settings with its identifier; null if it is not a valid label in Markdown. */
export function labelOf({ label }: NodeData): { identifier: string; label: string } | null {
  if (typeof label !== "string" || label.trim() === "" || label.length > 900) return null;
  return { identifier: identifierOf(label), label };
}

/** The definition of an address, or null without a label or target. */
export function definitionOf(data: NodeData): Definition | null {
  const label = labelOf(data);
  const resource = resourceOf(data);
  return label && resource && { type: "definition", ...label, ...resource };
}

function resourceOf({ ref, title }: NodeData): Resource | null {
  const reference = readReference(ref);
  if ("message" in reference) return null;
  return { url: addressOf(reference), ...(typeof title === "string" && { title }) };
}
