// The targets of links and images: the address in the Markdown, and the reference in the document (ContentReference of
// the contract).
import { isIdOf } from "#src/base/ids.ts";

/** The target of a link or image. Pages and files are those of the same content. */
export type Reference =
  | { readonly kind: "page"; readonly page: string }
  | { readonly kind: "anchor"; readonly page?: string; readonly anchor: string }
  | { readonly kind: "file"; readonly file: string }
  | { readonly kind: "url"; readonly url: string };

/**
 * The reference of an address: `page:<id>`, `page:<id>#anchor`, `#anchor`, `file:<id>`, or any other. {@link addressOf}
 * is the inverse.
 */
export function referenceOfAddress(address: string): Reference {
  const [, page, , anchor] = /^page:([^#]+)(#(.+))?$/s.exec(address) ?? [];
  if (page !== undefined && isIdOf("Page", page))
    return anchor === undefined ? { kind: "page", page } : { kind: "anchor", page, anchor };
  const file = address.startsWith("file:") ? address.slice("file:".length) : "";
  if (isIdOf("File", file)) return { kind: "file", file };
  if (address.startsWith("#") && address.length > 1) return { kind: "anchor", anchor: address.slice(1) };
  return { kind: "url", url: address };
}

/** The address that a reference has in Markdown. */
export function addressOf(reference: Reference): string {
  switch (reference.kind) {
    case "page":
      return `page:${reference.page}`;
    case "anchor":
      return `${reference.page === undefined ? "" : `page:${reference.page}`}#${reference.anchor}`;
    case "file":
      return `file:${reference.file}`;
    case "url":
      return reference.url;
  }
}
