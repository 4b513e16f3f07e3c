// Converts the blocks of a document to the content of pdfmake.
import type { Content } from "pdfmake";
import { type Block, type RichNode, textOfNode } from "#src/documents/document.ts";
import { fontRuns } from "#src/features/pdfs/model/fonts.ts";
import {
  framed,
  indentOf,
  isLow,
  itemOf,
  keptWithNext,
  type Marker,
  widthInside,
} from "#src/features/pdfs/model/layout.ts";
import {
  bodySize,
  codeSize,
  colours,
  headingSizes,
  hintLooks,
  keptWithHeading,
  room,
  tableSize,
} from "#src/features/pdfs/model/look.ts";
import { type Hint, hintOf, withHints } from "#src/features/pdfs/model/hints.ts";
import { imageOf, type Pictures } from "#src/features/pdfs/model/images.ts";
import {
  type Look,
  type Phrase,
  PhraseWriter,
  type ReferenceResolver,
  textOf,
} from "#src/features/pdfs/model/phrases.ts";
import { tablesOf } from "#src/features/pdfs/model/tables.ts";

/** The surroundings of blocks; lengths are in points. */
interface Place {
  readonly width: number;
  /** The number of lists, quotes and hints around. */
  readonly level: number;
  /** Between paragraphs. */
  readonly gap: number;
  readonly size: number;
}

const top: Place = { width: room.width, level: 0, gap: 8, size: bodySize };

const lookAt = ({ size }: Place): Look => ({ font: "Sans", size });

/** Deeper levels get no further frames and indents, which would leave no room for text. */
const deepest = 8;

const deepestOutlined = 3;

const isBlock = (node: RichNode): node is Block => node.object === "block";

export class BlockWriter {
  readonly #resolver: ReferenceResolver;
  readonly #pictures: Pictures;
  readonly #phrases: PhraseWriter;

  constructor(resolver: ReferenceResolver, pictures: Pictures) {
    this.#resolver = resolver;
    this.#pictures = pictures;
    this.#phrases = new PhraseWriter(resolver);
  }

  write(nodes: readonly RichNode[], place: Place = top): Content[] {
    const written: Content[] = [];
    let flowing: RichNode[] = [];
    const endFlow = (): void => {
      written.push(...this.#shown(this.#phrases.write(flowing, lookAt(place)), place));
      flowing = [];
    };
    for (const node of withHints(nodes)) {
      if (!("kind" in node) && !isBlock(node)) {
        flowing.push(node);
        continue;
      }
      endFlow();
      written.push(...("kind" in node ? this.#hint(node, place) : this.#block(node, place)));
    }
    endFlow();
    if (place.level > 0) return written;
    return written.flatMap((content, index) => {
      const next = written[index + 1];
      return next && isIntroduction(content) ? keptWithNext(content, heightNeeded(next)) : [content];
    });
  }

  #block(block: Block, place: Place): Content[] {
    const { type, data, nodes } = block;
    const hint = hintOf(block);
    if (hint) return this.#hint(hint, place);
    if (/^heading-[1-6]$/.test(type)) return this.#heading(block, place);
    switch (type) {
      case "blockquote":
        return this.#framed(nodes, place, quoteFrame);
      case "list-ordered":
      case "list-unordered":
      case "list-tasks":
        return this.#list(block, place);
      case "code":
        return [
          codeOf(
            nodes.map((line) => textOfNode(line)),
            place,
          ),
        ];
      case "markdown":
        return sourceOf(textOf(data["source"]), place);
      case "table":
        return tablesOf(block, place.width, (cell, width) => {
          const inside = { ...place, width, gap: 0, size: tableSize };
          return this.#shown(this.#phrases.write(cell.nodes, lookAt(inside)), inside);
        });
      case "divider":
        return [rule(place.width)];
      case "html":
        return this.#shown(this.#phrases.writeHtml(textOf(data["source"]), lookAt(place)), place);
      case "definition":
      case "footnote": // at the end of the page
        return [];
      default:
        return this.write(nodes, place);
    }
  }

  #heading(block: Block, place: Place): Content[] {
    const own = this.#resolver.headingOf(block);
    const depth = Number(block.type.at(-1));
    const size = headingSizes[depth - 1] ?? bodySize;
    const phrases = this.#phrases.write(block.nodes, lookAt({ ...place, size }));
    const runs = phrases.flatMap((phrase) => ("runs" in phrase ? phrase.runs : []));
    const images = phrases.filter((phrase) => "image" in phrase);
    if (runs.length === 0) return this.#shown(images, place);
    const outline = { outline: true, outlineText: textOfNode(block), outlineParentId: own?.parentId ?? "" } as const;
    const heading: Content = {
      text: [...runs],
      ...(own && { id: own.id }),
      ...(own && depth <= deepestOutlined && outline),
      bold: true,
      color: depth > 4 ? colours.muted : colours.strong,
      fontSize: size,
      lineHeight: 1.05,
      margin: [0, depth < 3 ? 14 : 10, 0, depth < 3 ? 6 : 4],
    };
    return [heading, ...this.#shown(images, place)];
  }

  #hint({ kind, nodes }: Hint, place: Place): Content[] {
    const { line, wash, name } = hintLooks[kind];
    const label: Content = { text: name, bold: true, color: line, margin: [0, 0, 0, 3] };
    return this.#framed(nodes, place, { wash, line: { width: 3, colour: line }, padding: [12, 8] }, label);
  }

  #framed(
    nodes: readonly RichNode[],
    place: Place,
    frame: Parameters<typeof framed>[1],
    ...before: Content[]
  ): Content[] {
    const level = place.level + 1;
    if (level > deepest) return [...before, ...this.write(nodes, { ...place, level })];
    const width = widthInside(place.width, frame);
    const inside = this.write(nodes, { ...place, width, level });
    const stack = [...before, ...withoutLastGap(inside)];
    return [framed({ stack, isShort: isLow(nodes, width, mostKept), width }, frame)];
  }

  #list({ type, data, nodes }: Block, place: Place): Content[] {
    const start = type !== "list-ordered" ? null : typeof data["start"] === "number" ? data["start"] : 1;
    const items = nodes.map((node, index) => {
      const item = isBlock(node) && node.type === "list-item" ? node : null;
      const checked = item?.data["checked"] ?? (type === "list-tasks" ? false : null);
      const marker: Marker =
        start !== null ? start + index : checked === null ? "point" : checked === true ? "done" : "open";
      return { marker, nodes: item ? item.nodes : [node] };
    });
    const level = place.level + 1;
    const isLoose =
      data["loose"] === true || nodes.some((node) => node.object !== "text" && node.data["loose"] === true);
    const indent = level > deepest ? 0 : indentOf(items.map(({ marker }) => marker));
    const inner: Place = { ...place, width: place.width - indent, level, gap: isLoose ? 6 : 2.5 };
    const written = items.map((item) => ({ marker: item.marker, stack: this.write(item.nodes, inner) }));
    const stack = written.map((item) => itemOf(item.marker, item.stack, { indent, size: place.size }));
    if (level > deepest) return written.flatMap((item) => item.stack);
    return [{ stack, margin: [0, 0, 0, place.level > 0 ? 0 : place.gap] }];
  }

  #shown(phrases: readonly Phrase[], { width, gap }: Place): Content[] {
    return phrases.map((phrase): Content => {
      if ("runs" in phrase) return { text: [...phrase.runs], margin: [0, 0, 0, gap] };
      return imageOf(phrase.image, { resolver: this.#resolver, pictures: this.#pictures, width });
    });
  }
}

const quoteFrame = { wash: null, line: { width: 2.5, colour: colours.line }, padding: [12, 2] } as const;

/** Whether content introduces what follows: headings, and short paragraphs that end with a colon. */
function isIntroduction(content: Content): boolean {
  if (!("text" in content) || typeof content.text === "string") return false;
  const text = content.text.map((run) => ("text" in run ? String(run.text) : "")).join("");
  return content.bold === true || (text.length < 300 && /[:：]\s*$/.test(text));
}

function heightNeeded(next: Content): number {
  const [first] = "stack" in next ? next.stack : [next];
  return first && "fit" in first ? first.fit[1] + 6 : keptWithHeading;
}

/** The height, in points, up to which frames are kept on one sheet. */
const mostKept = 480;

const codeFrame = { wash: colours.wash, line: null, padding: [10, 8] } as const;

/** Each line of code is a text of its own, since pdfmake takes quadratic time for long ones. */
function codeOf(lines: readonly string[], { width }: Place): Content {
  const stack = lines.map((line): Content => ({ text: line === "" ? " " : fontRuns(line, "Mono") }));
  const style = { stack, fontSize: codeSize, lineHeight: 1.1, preserveLeadingSpaces: true };
  return framed(
    {
      stack: [style],
      isShort: lines.length <= 16 && lines.join("").length <= 700,
      width: widthInside(width, codeFrame),
    },
    codeFrame,
  );
}

/** A formula or another source on lines of its own; comments are not shown. */
function sourceOf(source: string, place: Place): Content[] {
  if (source.startsWith("%%")) return [];
  return [codeOf(source.replaceAll(/^\$\$\s*|\s*\$\$$/g, "").split("\n"), place)];
}

function rule(width: number): Content {
  const line = { type: "line", x1: 0, y1: 0, x2: width, y2: 0, lineWidth: 0.75, lineColor: colours.line } as const;
  return { canvas: [line], margin: [0, 10, 0, 14] };
}

function withoutLastGap(contents: readonly Content[]): Content[] {
  const last = contents.at(-1);
  if (!last?.margin) return [...contents];
  const [left, top, right] = last.margin;
  return [...contents.slice(0, -1), { ...last, margin: [left, top, right, 0] }];
}
