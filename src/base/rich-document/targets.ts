// The targets of links and images in a document from outside: an address of their own, or one that the document
// defines.
import type { Definition, LinkReference, Resource } from "mdast";
import type { Given } from "#src/base/rich-document/given.ts";
import { addressOf } from "#src/base/rich-document/references.ts";

type ByReference = Pick<LinkReference, "identifier" | "label" | "referenceType">;

/** Labels that differ only in case and blanks are the same (CommonMark: matching of reference labels). */
const identifierOf = (label: string): string => label.replaceAll(/\s+/g, " ").trim().toLowerCase().toUpperCase();

/** The addresses that a document defines, by identifier. Of several with the same identifier the first one counts. */
export class Targets {
  readonly #addresses = new Map<string, string>();

  constructor(nodes: readonly Given[]) {
    for (const node of nodes) this.#collect(node);
  }

  #collect(node: Given): void {
    if (node.is("definition")) {
      const { identifier, url } = definitionOf(node.object("data"));
      if (!this.#addresses.has(identifier)) this.#addresses.set(identifier, url);
    }
    for (const child of node.list("nodes")) this.#collect(child);
  }

  /** By reference if the document defines it with the target that `ref` says; else by an address of its own. */
  of(data: Given): { own: Resource } | { byReference: ByReference } {
    const reference = data.object("reference");
    const label = reference.text("label");
    if (label === undefined) return { own: resourceOf(data) };
    const address = this.#addresses.get(identifierOf(label));
    const own = data.has("ref") ? resourceOf(data) : undefined;
    if (address === undefined || (own && own.url !== address)) return { own: own ?? resourceOf(data) };
    const referenceType = reference.oneOf("form", ["full", "collapsed", "shortcut"], "full");
    return { byReference: { ...labelOf(reference), referenceType } };
  }
}

/** A label with its identifier. */
export function labelOf(of: Given): { identifier: string; label: string } {
  const label = of.requiredText("label");
  if (label.trim() === "" || label.length > 900)
    throw of.refusal("must have 1 to 900 characters, not only blanks.", "label");
  return { identifier: identifierOf(label), label };
}

/** A definition of an address. */
export function definitionOf(data: Given): Definition {
  return { type: "definition", ...labelOf(data), ...resourceOf(data) };
}

function resourceOf(data: Given): Resource {
  const title = data.text("title");
  return { url: addressIn(data.object("ref")), ...(title !== undefined && { title }) };
}

function addressIn(ref: Given): string {
  const kind = ref.oneOf("kind", ["page", "anchor", "file", "url"]);
  const page = ref.text("page");
  switch (kind) {
    case "page":
      return addressOf({ kind, page: ref.requiredText("page") });
    case "anchor":
      return addressOf({ kind, anchor: ref.requiredText("anchor"), ...(page !== undefined && { page }) });
    case "file":
      return addressOf({ kind, file: ref.requiredText("file") });
    case "url":
      return addressOf({ kind, url: ref.requiredText("url") });
  }
}
