// Finds the translatable spots of a text: runs of inline text, each as pieces with placeholders.
import type { Image, ImageReference, Link, LinkReference, Nodes, PhrasingContent, RootContent, Text } from "mdast";
import { DomainError } from "#src/base/errors.ts";
import { parseMarkdown } from "#src/documents/markdown.ts";
import { checkTree } from "#src/documents/document.ts";
import { mask, type Masked, type MaskedRange, unmask, withBlanks } from "#src/features/translations/model/masks.ts";
import { elementsIn, isUntranslated, tagOf } from "#src/features/translations/model/elements.ts";
import { hasWords, type Piece, trimmed } from "#src/features/translations/model/placeholders.ts";

export type SegmentKind =
  | "title"
  | "description"
  | "paragraph"
  | "heading"
  | "list item"
  | "table cell"
  | "quote"
  | "alternative text";

export type Part =
  | { readonly kind: "source"; readonly start: number; readonly end: number; readonly isTag?: boolean }
  /** Characters that engines would misinterpret. */
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "mark"; readonly type: "strong" | "emphasis" | "delete" }
  /** An element of HTML, by its tags. */
  | { readonly kind: "element"; readonly head: string; readonly tail: string }
  /** `tail` is the source after the linked text. */
  | { readonly kind: "link"; readonly tail: string };

export interface Spot {
  readonly kind: SegmentKind;
  readonly start: number;
  readonly end: number;
  readonly pieces: readonly Piece[];
  readonly parts: ReadonlyMap<number, Part>;
  /** For an alternative text: the kind of text around the image, and the source behind it. */
  readonly image?: { readonly within: SegmentKind; readonly tail: string };
}

type Range = { readonly start: number; readonly end: number };

const rangeOf = ({ position }: Nodes): Range => ({
  start: position?.start.offset ?? 0,
  end: position?.end.offset ?? 0,
});

/** Emoji, which engines drop, and characters that they parse as HTML. */
const odd = /(\p{RGI_Emoji}|[<>]+|&#?\w{1,40};)/v;

/** Whether a node has words; otherwise a placeholder replaces it. */
const isWorded = (node: Nodes): boolean =>
  node.type === "text"
    ? /\p{L}/u.test(node.value)
    : "children" in node && node.children.some((child) => isWorded(child));

class PieceReader {
  readonly parts = new Map<number, Part>();
  readonly #source: string;
  readonly #masked: Masked;

  constructor(source: string, masked: Masked) {
    this.#source = source;
    this.#masked = masked;
  }

  text(value: string): Piece[] {
    return unmask(value, this.#masked).flatMap((cut) =>
      typeof cut === "string"
        ? cut
            .split(odd)
            .map((text, index) =>
              index % 2 === 1 ? this.#placeholder({ kind: "text", text }) : text.replaceAll(/[ \t\r]*\n[ \t]*/g, " "),
            )
            .filter((piece) => piece !== "")
        : [this.#placeholder({ kind: "source", start: cut.start, end: cut.end })],
    );
  }

  flow(nodes: readonly PhrasingContent[]): Piece[] {
    const pieces: Piece[] = [];
    const ends = elementsIn(nodes);
    for (let index = 0; index < nodes.length; index++) {
      const node = nodes[index] as PhrasingContent; // within its length
      const end = ends.get(index);
      pieces.push(
        ...(end === undefined ? this.#node(node, nodes[index + 1]) : [this.#element(nodes.slice(index, end + 1))]),
      );
      index = end ?? index;
    }
    return pieces;
  }

  #node(node: PhrasingContent, next: PhrasingContent | undefined): Piece[] {
    if (!isWorded(node)) return node.type === "text" ? this.text(node.value) : [this.#whole(node, next)];
    switch (node.type) {
      case "text":
        return this.text(node.value);
      case "strong":
      case "emphasis":
      case "delete":
        return [this.#placeholder({ kind: "mark", type: node.type }, node.children)];
      case "link":
      case "linkReference": {
        const tail = this.#tailOf(node);
        return [tail === null ? this.#whole(node) : this.#placeholder({ kind: "link", tail }, node.children)];
      }
      default:
        return [this.#whole(node)];
    }
  }

  /** One placeholder for both tags of an element, so that engines cannot exchange them. */
  #element(nodes: readonly PhrasingContent[]): Piece {
    const [first, ...inside] = nodes as [PhrasingContent, ...PhrasingContent[]];
    const last = inside.pop() ?? first;
    const [head, tail] = [rangeOf(first), rangeOf(last)];
    if (isUntranslated(first) || !inside.some((node) => isWorded(node)))
      return this.#placeholder({ kind: "source", start: head.start, end: tail.end });
    const sourceOf = ({ start, end }: Range) => this.#source.slice(start, end);
    return this.#placeholder({ kind: "element", head: sourceOf(head), tail: sourceOf(tail) }, inside);
  }

  /** A placeholder for a node; for a break it includes the indentation and quote marks of the next line. */
  #whole(node: Nodes, next?: Nodes): Piece {
    const { start, end } = rangeOf(node);
    const nextLine = node.type === "break" && next?.position ? rangeOf(next).start : end;
    const isTag = node.type === "html" && tagOf(node) !== null;
    return this.#placeholder({ kind: "source", start, end: Math.max(end, nextLine), isTag });
  }

  #placeholder(part: Part, inside?: readonly PhrasingContent[]): Piece {
    const id = this.parts.size + 1;
    this.parts.set(id, part);
    return { id, inside: inside ? this.flow(inside) : null };
  }

  /** The source behind the text of a link; null for autolinks and mentions of people. */
  #tailOf(node: Link | LinkReference): string | null {
    const { start, end } = rangeOf(node);
    const [first, last] = [node.children[0], node.children.at(-1)];
    if (!first || !last || this.#source[start] !== "[") return null;
    if (node.type === "link" && node.url.startsWith("user:")) return null;
    return tailOf(node, this.#source.slice(rangeOf(first).start, end), rangeOf(last).end - rangeOf(first).start);
  }
}

/** The source behind the text of a link or image; a text that is its own label is repeated as a label. */
function tailOf(node: Link | LinkReference | Image | ImageReference, source: string, textEnd: number): string {
  const isOwnLabel = "referenceType" in node && node.referenceType !== "full";
  return isOwnLabel ? `][${source.slice(0, textEnd)}]` : source.slice(textEnd);
}

/** The position of the bracket that ends the alternative text, in the source of an image. */
function endOfAlt(source: string): number {
  for (let at = 2, depth = 1; at < source.length; at++) {
    if (source[at] === "\\") at++;
    else if (source[at] === "[") depth++;
    else if (source[at] === "]" && --depth === 0) return at;
  }
  return source.length;
}

class SpotFinder {
  readonly spots: Spot[] = [];
  readonly #source: string;
  readonly #masked: Masked;

  constructor(source: string, masked: Masked) {
    this.#source = source;
    this.#masked = masked;
  }

  blocks(nodes: readonly RootContent[], kind: SegmentKind): void {
    for (const node of nodes) {
      if (node.type === "paragraph") this.#flow(node.children, kind);
      else if (node.type === "heading") this.#flow(node.children, "heading");
      else if (node.type === "tableCell") this.#flow(node.children, "table cell");
      else if (node.type === "listItem") this.blocks(node.children, "list item");
      else if (node.type === "blockquote") this.blocks(node.children, "quote");
      else if (["list", "footnoteDefinition", "table", "tableRow"].includes(node.type))
        this.blocks((node as { children: RootContent[] }).children, kind);
    }
  }

  /** Inline text is split at tags, since translations must not move across them. */
  #flow(nodes: readonly PhrasingContent[], kind: SegmentKind): void {
    const [first, last] = [nodes[0], nodes.at(-1)];
    if (!first || !last) return;
    let start = rangeOf(first).start;
    let run: PhrasingContent[] = [];
    const endRun = (end: number): void => {
      this.#run(run, kind, { start, end });
      run = [];
    };
    for (const node of nodes)
      for (const piece of node.type === "text" ? this.#cutAtTags(node) : [node]) {
        if ("type" in piece) run.push(piece);
        else {
          const tag = withBlanks(this.#source, piece);
          endRun(tag.start);
          start = tag.end;
        }
      }
    endRun(rangeOf(last).end);
  }

  #cutAtTags(node: Text): (PhrasingContent | MaskedRange)[] {
    const { value } = node;
    let at = 0;
    const cut: (PhrasingContent | MaskedRange)[] = [];
    const addText = (end: number): void => {
      if (end > at) cut.push({ type: "text", value: value.slice(at, end) });
    };
    let end = 0;
    for (const piece of unmask(value, this.#masked)) {
      end += typeof piece === "string" ? piece.length : piece.end - piece.start;
      if (typeof piece === "string" || !piece.isTag) continue;
      addText(end - (piece.end - piece.start));
      cut.push(piece);
      at = end;
    }
    if (at === 0) return [node];
    addText(value.length);
    return cut;
  }

  #run(nodes: readonly PhrasingContent[], kind: SegmentKind, { start, end }: Range): void {
    this.#alts(nodes, kind);
    const reader = new PieceReader(this.#source, this.#masked);
    const pieces = trimmed(reader.flow(nodes));
    if (hasWords(pieces)) this.spots.push({ kind, start, end, pieces, parts: reader.parts });
  }

  #alts(nodes: readonly PhrasingContent[], within: SegmentKind): void {
    for (const node of nodes) {
      if ("children" in node) this.#alts(node.children, within);
      if (node.type !== "image" && node.type !== "imageReference") continue;
      const { start, end } = rangeOf(node);
      const source = this.#source.slice(start, end);
      const reader = new PieceReader(this.#source, this.#masked);
      const pieces = trimmed(reader.text(node.alt ?? ""));
      const image = { within, tail: tailOf(node, source.slice(2), endOfAlt(source) - 2) };
      if (hasWords(pieces))
        this.spots.push({ kind: "alternative text", start: start + 2, end, pieces, parts: reader.parts, image });
    }
  }
}

/** The spots of a text in Markdown; empty if it has noncharacters of Unicode, or is nested too deeply. */
export function spotsOf(markdown: string): readonly Spot[] {
  const masked = mask(markdown);
  if (!masked) return [];
  const finder = new SpotFinder(markdown, masked);
  try {
    const root = parseMarkdown(masked.text);
    checkTree(root);
    finder.blocks(root.children, "paragraph");
  } catch (error) {
    if (error instanceof RangeError || error instanceof DomainError) return [];
    throw error;
  }
  return finder.spots;
}

/** The spot of a whole plain text; null if it has no words. */
export function plainSpot(text: string, kind: SegmentKind): Spot | null {
  const masked = mask(text);
  if (!masked) return null;
  const reader = new PieceReader(text, masked);
  const pieces = trimmed(reader.text(masked.text));
  return hasWords(pieces) ? { kind, start: 0, end: text.length, pieces, parts: reader.parts } : null;
}
