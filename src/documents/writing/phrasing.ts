// Converts inline nodes to phrasing content of a syntax tree; nodes unknown to Markdown become their text.
import type { PhrasingContent } from "mdast";
import type { InlineType, MarkType, PlainElement, PlainLeaf, PlainMark, PlainNode } from "#src/documents/document.ts";
import { labelOf, settingsOf, type Targets } from "#src/documents/writing/targets.ts";

type Emphasis = Exclude<MarkType, "code">;

const emphasisTypes = { bold: "strong", italic: "emphasis", strikethrough: "delete" } as const;

/** A piece of text or an inline node, and the emphasis around it from the outside to the inside. */
interface Piece {
  readonly content: PhrasingContent;
  readonly marks: readonly Emphasis[];
}

/** Writes the flowing text of one document. */
export class PhrasingWriter {
  readonly #targets: Targets;
  readonly #isWritable: (type: "html" | "source", source: string) => boolean;

  /** `isWritable` says whether a source may be written between texts as it is; otherwise it is written as text. */
  constructor(targets: Targets, isWritable: (type: "html" | "source", source: string) => boolean) {
    this.#targets = targets;
    this.#isWritable = isWritable;
  }

  write(nodes: readonly PlainNode[]): PhrasingContent[] {
    const pieces = nodes.flatMap((node) => this.#pieces(node, false));
    return withPlainEdges(emphasised(pieces, 0));
  }

  #pieces(node: PlainNode, isInLink: boolean): Piece[] {
    if (node.object === "text") return node.leaves.flatMap(pieceOfLeaf);
    const { marks } = knownMarks(settingsOf(node)["marks"]);
    const content = this.#void(node);
    if (content) return [{ content, marks }];
    const target = isInLink ? null : this.#targets.of(settingsOf(node));
    const pieces = (node.nodes ?? []).flatMap((child) => this.#pieces(child, target !== null || isInLink));
    if (!target) return pieces;
    const inside = pieces.map((piece) => ({ ...piece, marks: withoutFirst(piece.marks, marks) }));
    const children = emphasised(inside, 0);
    if (children.length === 0 && node.type !== "link" && "own" in target)
      children.push({ type: "text", value: target.own.url });
    const link: PhrasingContent =
      "own" in target
        ? { type: "link", ...target.own, children }
        : { type: "linkReference", ...target.byReference, children };
    return [{ content: link, marks }];
  }

  /** A node without text of its own; null for any other, and if Markdown needs a missing property. */
  #void(node: PlainElement): PhrasingContent | null {
    const data = settingsOf(node);
    const { source } = data;
    switch (node.object === "inline" ? (node.type as InlineType) : null) {
      case "image":
        return this.#image(node);
      case "break":
        return { type: "break" };
      case "html":
      case "markdown": {
        if (typeof source !== "string") return null;
        const as = node.type === "html" ? "html" : "source";
        return { type: this.#isWritable(as, source) ? as : "text", value: source };
      }
      case "footnote-reference": {
        const label = labelOf(data);
        return label && { type: "footnoteReference", ...label };
      }
      default:
        return null;
    }
  }

  #image(node: PlainElement): PhrasingContent | null {
    const data = settingsOf(node);
    const target = this.#targets.of(data);
    const alt = typeof data["alt"] === "string" ? data["alt"] : "";
    if (!target) return alt === "" ? null : { type: "text", value: alt };
    return "own" in target
      ? { type: "image", ...target.own, alt }
      : { type: "imageReference", ...target.byReference, alt };
  }
}

function pieceOfLeaf({ text: value, marks: given }: PlainLeaf): Piece[] {
  const { marks, isCode } = knownMarks(given);
  if (value === "") return [];
  if (!isCode) return [{ content: { type: "text", value }, marks }];
  return [{ content: { type: "inlineCode", value: value.replaceAll(/[\r\n]+/g, " ") }, marks }];
}

/** The marks in a list of any values that Markdown supports. */
function knownMarks(given: unknown): { marks: Emphasis[]; isCode: boolean } {
  const types = Array.isArray(given) ? given.map((mark: Partial<PlainMark> | null) => mark?.type) : [];
  const marks = types.filter((type): type is Emphasis => type !== undefined && Object.hasOwn(emphasisTypes, type));
  return { marks, isCode: types.includes("code") };
}

/** The marks without those around the whole link. */
function withoutFirst(marks: readonly Emphasis[], outer: readonly Emphasis[]): readonly Emphasis[] {
  const different = marks.findIndex((mark, index) => mark !== outer[index]);
  return marks.slice(different < 0 ? marks.length : different);
}

/** Adjacent pieces with the emphasis from `level` on: a mark that several begin with is put around them once. */
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

/** Line breaks at the edges of a block as blanks, which are written as references. */
const withPlainEdges = (content: readonly PhrasingContent[]): PhrasingContent[] =>
  content.map((node, index) => {
    if (node.type !== "text") return node;
    const { before, inside, after } = withoutBlanks([node]);
    const [whole] = inside;
    const value = whole?.type === "text" ? whole.value : "";
    const start = index === 0 ? before.replace(/^[\r\n]+/, " ") : before;
    const end = index === content.length - 1 ? after.replace(/[\r\n]+$/, " ") : after;
    return { ...node, value: start + value + end };
  });

/** Emphasis with blanks at its edges could not be parsed again. */
function withoutBlanks(content: readonly PhrasingContent[]) {
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

/** Merges adjacent texts and pieces of code: apart, they could be parsed differently. */
function append(content: PhrasingContent[], next: PhrasingContent): void {
  const last = content.at(-1);
  if (next.type === "text" && next.value === "") return;
  const isLiteral = next.type === "text" || next.type === "inlineCode";
  if (isLiteral && last?.type === next.type) content[content.length - 1] = { ...next, value: last.value + next.value };
  else content.push(next);
}
