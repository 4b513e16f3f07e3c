// References: what a link leads to. In texts and in link pages a link is an address: `page:` with the id of a page of
// the same content, or with `<id of a space>/` before it of another one, and perhaps an anchor; `file:` with the id of
// a file of the content; `space:`, `user:` and `collection:` with an id, `openapi:` with a slug or id; or any other.
import { referenceOfAddress } from "#src/documents/references.ts";

type ReferenceKind = "file" | "page" | "url" | "anchor" | "space" | "user" | "collection" | "openapi";

/** A reference to any kind of content, with the ids that its kind needs. */
export interface ContentReference {
  readonly kind: ReferenceKind;
  readonly file?: string;
  readonly page?: string;
  readonly url?: string;
  readonly anchor?: string;
  readonly space?: string;
  readonly user?: string;
  readonly collection?: string;
  readonly spec?: string;
}

/** What a link leads to, by its form; whether it is there is another question. Null for what has none of the forms. */
export function referenceOf(link: string): ContentReference | null {
  const reference = referenceOfAddress(link);
  if (reference.kind === "url") return /^(https?|mailto):/i.test(link) && URL.canParse(link) ? reference : null;
  return reference.kind === "anchor" && reference.page === undefined ? null : reference;
}
