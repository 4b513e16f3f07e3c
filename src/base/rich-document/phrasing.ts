// From texts, leaves and inline nodes, as they were given, back to the flowing text of a syntax tree: marks become
// emphasis.
import type { PhrasingContent } from "mdast";
import type { InlineType, MarkType } from "#src/base/rich-document/document.ts";
import type { Given } from "#src/base/rich-document/given.ts";
import { labelOf, type Targets } from "#src/base/rich-document/targets.ts";

type Emphasis = Exclude<MarkType, "code">;

const emphasisTypes = { bold: "strong", italic: "emphasis", strikethrough: "delete" } as const;
const markTypes = ["bold", "italic", "strikethrough", "code"] as const satisfies MarkType[];
const inlineTypes = ["link", "image", "break", "html", "footnote-reference"] as const satisfies InlineType[];

/** A piece of text or an inline node, and the emphasis around it from the outside to the inside. */
interface Piece {
  readonly content: PhrasingContent;
  readonly marks: readonly Emphasis[];
}

/** Writes the flowing text of one document. */
export class PhrasingWriter {
  readonly #targets: Targets;

  constructor(targets: Targets) {
    this.#targets = targets;
  }

  /** Flowing text. Throws INVALID_INPUT for nodes of other kinds, for links in links, and for invalid nodes. */
  write(nodes: readonly Given[]): PhrasingContent[] {
    const pieces = nodes.flatMap((node) => this.#pieces(node, false));
    return withoutBlanks(emphasised(pieces, 0)).inside;
  }

  #pieces(node: Given, isInLink: boolean): Piece[] {
    if (node.oneOf("object", ["text", "inline"]) === "text") return node.list("leaves").flatMap(pieceOfLeaf);
    const type = node.oneOf("type", inlineTypes);
    const data = node.object("data");
    const { marks } = marksOf(data);
    if (type !== "link") return [{ content: this.#void(type, data), marks }];
    if (isInLink) throw node.refusal("must not be a link: a link cannot be inside another link.", "type");
    const pieces = node.list("nodes").flatMap((child) => this.#pieces(child, true));
    const inside = pieces.map((piece) => ({ ...piece, marks: withoutFirst(piece.marks, marks) }));
    return [{ content: this.#link(data, emphasised(inside, 0)), marks }];
  }

  #link(data: Given, children: PhrasingContent[]): PhrasingContent {
    const target = this.#targets.of(data);
    return "own" in target
      ? { type: "link", ...target.own, children }
      : { type: "linkReference", ...target.byReference, children };
  }

  #image(data: Given): PhrasingContent {
    const alt = data.text("alt") ?? "";
    const target = this.#targets.of(data);
    return "own" in target
      ? { type: "image", ...target.own, alt }
      : { type: "imageReference", ...target.byReference, alt };
  }

  #void(type: Exclude<InlineType, "link">, data: Given): PhrasingContent {
    switch (type) {
      case "image":
        return this.#image(data);
      case "break":
        return { type: "break" };
      case "html":
        return { type: "html", value: data.requiredText("source") };
      case "footnote-reference":
        return { type: "footnoteReference", ...labelOf(data) };
    }
  }
}

function pieceOfLeaf(leaf: Given): Piece[] {
  const value = leaf.requiredText("text");
  const { marks, isCode } = marksOf(leaf);
  if (value === "") return [];
  return [
    {
      content: isCode ? { type: "inlineCode", value: value.replaceAll(/[\r\n]+/g, " ") } : { type: "text", value },
      marks,
    },
  ];
}

function marksOf(of: Given): { marks: Emphasis[]; isCode: boolean } {
  const types = of.list("marks").map((mark) => mark.oneOf("type", markTypes));
  const marks = types.filter((type) => type !== "code");
  return { marks, isCode: marks.length < types.length };
}

/** The marks without those around the whole link. */
function withoutFirst(marks: readonly Emphasis[], outer: readonly Emphasis[]): readonly Emphasis[] {
  const different = marks.findIndex((mark, index) => mark !== outer[index]);
  return marks.slice(different < 0 ? marks.length : different);
}

/** Pieces side by side with the emphasis from `level` on: a mark that several begin with is put around them once. */
function emphasised(pieces: readonly Piece[], level: number): PhrasingContent[] {
  const content: PhrasingContent[] = [];
  for (let start = 0, end = 0; start < pieces.length; start = end) {
    const mark = pieces[start]?.marks[level];
    for (end = start + 1; end < pieces.length && pieces[end]?.marks[level] === mark;) end++;
    const alike = pieces.slice(start, end);
    if (!mark) {
      for (const piece of alike) append(content, piece.content);
      continue;
    }
    const { before, inside, after } = withoutBlanks(emphasised(alike, level + 1));
    append(content, { type: "text", value: before });
    if (inside.length > 0) content.push({ type: emphasisTypes[mark], children: inside });
    append(content, { type: "text", value: after });
  }
  return content;
}

/** Blanks at the edges mean nothing, and emphasis with blanks at its edges would be written in an unreadable way. */
function withoutBlanks(content: readonly PhrasingContent[]): {
  before: string;
  inside: PhrasingContent[];
  after: string;
} {
  const inside = [...content];
  const first = inside[0];
  let before = "";
  if (first?.type === "text") {
    const [blanks, rest] = cutAfterBlanks(first.value);
    before = blanks;
    inside.splice(0, 1, ...(rest === "" ? [] : [{ ...first, value: rest }]));
  }
  const last = inside.at(-1);
  if (last?.type !== "text") return { before, inside, after: "" };
  const [rest, after] = cutBeforeBlanks(last.value);
  inside.splice(-1, 1, { ...last, value: rest });
  return { before, inside, after };
}

const isBlank = (character: string | undefined): boolean =>
  character === " " || character === "\n" || character === "\t" || character === "\r";

function cutAfterBlanks(text: string): [blanks: string, rest: string] {
  let at = 0;
  while (isBlank(text[at])) at++;
  return [text.slice(0, at), text.slice(at)];
}

function cutBeforeBlanks(text: string): [rest: string, blanks: string] {
  let at = text.length;
  while (isBlank(text[at - 1])) at--;
  return [text.slice(0, at), text.slice(at)];
}

/** Texts side by side, and pieces of code, become one: apart, they could be read as something else. */
function append(content: PhrasingContent[], next: PhrasingContent): void {
  const last = content.at(-1);
  if (next.type === "text" && next.value === "") return;
  const isLiteral = next.type === "text" || next.type === "inlineCode";
  if (isLiteral && last?.type === next.type) content[content.length - 1] = { ...next, value: last.value + next.value };
  else content.push(next);
}
