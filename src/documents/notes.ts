// Notes: HTML comments in Markdown for properties that Markdown cannot express. In the text of a page they are separate
// lines, each before the block that it concerns:
//
//     <!-- docgraph:next paragraph {"data":{"align":"center"}} -->
//         settings of the next block, which is a paragraph in Markdown: they stay when its text is edited
//     <!-- docgraph:next paragraph #8Jk2d9fZxQpa {"type":"hint","nodes":[…]} -->
//         the next block as it was written, as long as its Markdown has this hash; its settings are kept after that
//     <!-- docgraph:node {"type":"embed","data":{"url":"https://example.com/"}} -->
//         a block that is not visible in Markdown
//     <!-- docgraph:document {"data":{"schemaVersion":2}} -->
//         settings of the document; with a hash, and with its nodes, the document as long as all of it has this hash
import { hash } from "node:crypto";
import type { RootContent } from "mdast";
import { DomainError } from "#src/base/errors.ts";
import type { PlainDocument, PlainElement } from "#src/documents/document.ts";
import { checkDocument } from "#src/documents/check-document.ts";

export type Note =
  | { readonly on: "document"; readonly digest: string | undefined; readonly document: PlainDocument }
  | { readonly on: "node"; readonly block: PlainElement }
  /** `as` is the type of the next block in the syntax tree. */
  | {
      readonly on: "next";
      readonly as: string;
      readonly digest: string | undefined;
      /** Whether the note has a type: if not, that of `block` has no meaning. */
      readonly hasType: boolean;
      readonly block: PlainElement;
    };

const form = /^<!-- docgraph:(document|node|next)(?: ([A-Za-z]+))?(?: #([\w-]{12}))? (\{.*\}) -->$/s;

/** The note in a node of the syntax tree; null if it is not one, or could not have been written by us. */
export function noteIn(node: RootContent | undefined): Note | null {
  if (node?.type !== "html" || !node.value.startsWith("<!-- docgraph:")) return null;
  const [, on, as, digest, json = ""] = form.exec(node.value) ?? [];
  try {
    const value: unknown = JSON.parse(json);
    if (typeof value !== "object" || value === null) return null;
    if (on === "document") return { on, digest, document: checkDocument(value, "") };
    const [block] = checkDocument({ nodes: [{ type: "paragraph", ...value, object: "block" }] }, "").nodes;
    if (on === "node" && block) return { on, block };
    return on === "next" && block && as !== undefined ? { on, as, digest, hasType: "type" in value, block } : null;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof DomainError) return null;
    throw error;
  }
}

/** The content of a note about a block: without `object`, which is always "block". */
type Said = Partial<Omit<PlainElement, "object">>;

/** The note of a block that is not visible in Markdown. */
export const noteOfNode = (said: Said): string => written("node", said);

/** The note of a block that the next one shows, of this type in the syntax tree; with a hash it contains all of it. */
export const noteOfNext = (as: string, said: Said, digest?: string): string =>
  written(`next ${as}${digest === undefined ? "" : ` #${digest}`}`, said);

/** The note of a document; with a hash it contains all of it. */
export const noteOfDocument = (said: Partial<PlainDocument>, digest?: string): string =>
  written(`document${digest === undefined ? "" : ` #${digest}`}`, said);

/** On one line, without sequences that end an HTML comment or are expressions. */
function written(start: string, said: object): string {
  const json = JSON.stringify(said)
    .replaceAll("<", "\\u003c")
    .replaceAll(">", "\\u003e")
    .replaceAll(/\{(?=\{)/g, "\\u007b");
  return `<!-- docgraph:${start} ${json} -->`;
}

/** Whether a text is a note with settings of the document, and nothing else. */
export const isSettingsOnly = (markdown: string): boolean =>
  markdown.startsWith("<!-- docgraph:document {") && !markdown.trimEnd().includes("\n");

/** The hash by which a note detects whether a piece of Markdown was changed. */
export const digestOf = (markdown: string): string =>
  hash("sha256", markdown.replaceAll(/\r\n?/g, "\n").trim(), "base64url").slice(0, 12);
