// Writes translated pieces as Markdown: text is escaped, placeholders become the source they represent.
import type { Image, Link, Nodes, PhrasingContent, Root } from "mdast";
import remarkGfm from "remark-gfm";
import remarkStringify, { type Options } from "remark-stringify";
import { unified } from "unified";
import { withWritableEmphasis } from "#src/documents/syntax/emphasis.ts";
import { sourceSyntax } from "#src/documents/syntax/source.ts";
import type { Piece } from "#src/features/translations/model/placeholders.ts";
import type { Part, SegmentKind, Spot } from "#src/features/translations/model/spots.ts";

type Handlers = NonNullable<Options["handlers"]>;

/** The source behind the text of a link or image. */
const tailOf = (node: Nodes): string => (node.data as { tail: string }).tail;

const handlers = {
  source: ({ value }: { value: string }) => value,
  link(node: Link, _parent, state, info) {
    const exit = state.enter("label");
    const text = state.containerPhrasing(node, { ...info, before: "[", after: "]" });
    exit();
    return `[${text}${tailOf(node)}`;
  },
  image(node: Image, _parent, state, info) {
    const exit = state.enter("label");
    const text = state.safe(node.alt ?? "", { ...info, before: "[", after: "]" });
    exit();
    return `![${text}${tailOf(node)}`;
  },
} as Handlers;

/** Also escapes braces that would start an expression or a tag. */
const writer = unified()
  .use(remarkStringify, { handlers, unsafe: [{ character: "{", after: "[{%]", inConstruct: "phrasing" }] })
  .use(remarkGfm)
  .use(sourceSyntax)
  .freeze();

const sourceNode = (value: string): PhrasingContent => ({ type: "source", value });

/** A spot in Markdown. `sourceAt` returns the source of a range, which may be translated itself. */
export function writeSpot(
  { kind, parts, image }: Spot,
  pieces: readonly Piece[],
  sourceAt: (start: number, end: number) => string,
): string {
  if (!image) return writeFlow(kind, new NodeMaker(parts, sourceAt).nodes(pieces));
  const alt = writePlain({ parts }, pieces, sourceAt);
  const written = writeFlow(image.within, [{ type: "image", url: "", alt, data: { tail: image.tail } } as Image]);
  return written.slice("![".length);
}

function writeFlow(kind: SegmentKind, children: PhrasingContent[]): string {
  if (kind === "heading") return writeNode({ type: "heading", depth: 1, children }).slice("# ".length);
  return writeNode(kind === "table cell" ? { type: "tableCell", children } : { type: "paragraph", children });
}

/** Pieces as plain text. */
export function writePlain(
  { parts }: Pick<Spot, "parts">,
  pieces: readonly Piece[],
  sourceAt: (start: number, end: number) => string,
): string {
  const write = (piece: Piece): string => {
    if (typeof piece === "string") return piece;
    const part = parts.get(piece.id);
    if (part?.kind === "source") return sourceAt(part.start, part.end);
    return part?.kind === "text" ? part.text : "";
  };
  return pieces.map(write).join("");
}

const writeNode = (node: Root["children"][number]): string =>
  writer.stringify(withWritableEmphasis({ type: "root", children: [node] }, { mayMove: true })).replace(/\n$/, "");

class NodeMaker {
  readonly #parts: ReadonlyMap<number, Part>;
  readonly #sourceAt: (start: number, end: number) => string;

  constructor(parts: ReadonlyMap<number, Part>, sourceAt: (start: number, end: number) => string) {
    this.#parts = parts;
    this.#sourceAt = sourceAt;
  }

  nodes(pieces: readonly Piece[]): PhrasingContent[] {
    const nodes: PhrasingContent[] = [];
    for (const node of pieces.flatMap((piece) => this.#node(piece))) {
      const last = nodes.at(-1);
      // Adjacent texts are joined, since they are escaped separately.
      if (node.type === "text" && last?.type === "text")
        nodes[nodes.length - 1] = { ...last, value: last.value + node.value };
      else nodes.push(node);
    }
    return nodes;
  }

  #node(piece: Piece): PhrasingContent[] {
    if (typeof piece === "string") return [{ type: "text", value: piece }];
    const part = this.#parts.get(piece.id);
    switch (part?.kind) {
      case "source":
        return [sourceNode(this.#sourceAt(part.start, part.end))];
      case "text":
        return [{ type: "text", value: part.text }];
      case "mark":
        return [{ type: part.type, children: this.nodes(piece.inside ?? []) }];
      case "element":
        return [sourceNode(part.head), ...this.nodes(piece.inside ?? []), sourceNode(part.tail)];
      case "link": {
        const data = { tail: part.tail };
        return [{ type: "link", url: "", children: this.nodes(piece.inside ?? []), data } as Link];
      }
      case undefined:
        return [];
    }
  }
}
