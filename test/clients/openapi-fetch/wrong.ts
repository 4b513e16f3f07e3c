// Documents that violate the description: each must have exactly the expected compile error.
import type { components } from "../v1.ts";

type RichDocument = components["schemas"]["RichDocument"];
type Node = components["schemas"]["RichDocumentNode"];
type Reference = components["schemas"]["RichDocumentReference"];

const at = (...nodes: Node[]): Node => ({ object: "block", type: "paragraph", nodes });

// @ts-expect-error A document has nodes.
export const empty: RichDocument = { object: "document" };

// @ts-expect-error A document contains blocks, not texts.
export const flat: RichDocument = { object: "document", nodes: [{ object: "text", leaves: [] }] };

export const inParagraph: Node[] = [
  // @ts-expect-error A text has leaves.
  at({ object: "text" }),
  // @ts-expect-error Unknown kind of node.
  at({ object: "table", type: "table" }),
  // @ts-expect-error A block has a type.
  at({ object: "block" }),
  // @ts-expect-error A leaf has a text.
  at({ object: "text", leaves: [{ marks: [] }] }),
  // @ts-expect-error A mark is an object with its type.
  at({ object: "text", leaves: [{ text: "x", marks: ["bold"] }] }),
  // @ts-expect-error Alignments are start, center and end.
  at({ object: "block", type: "paragraph", data: { align: "left" } }),
  // @ts-expect-error A number must be a number, also five levels down.
  at(at(at(at({ object: "block", type: "list-ordered", data: { start: "1" } })))),
  // @ts-expect-error Links have a known kind of target.
  at({ object: "inline", type: "link", data: { ref: { kind: "pages", page: "pag_x" } } }),
];

export const targets: Reference[] = [
  // @ts-expect-error A page is referenced by its id.
  { kind: "page", url: "https://docs.example.com/" },
  // @ts-expect-error A URL is a string.
  { kind: "url", url: 1 },
];
