// Converts the inline nodes of a document to runs of text and images.
import type { NodeData, RichNode } from "#src/documents/document.ts";
import { referenceOfAddress } from "#src/documents/references.ts";
import { type Font, fontRuns } from "#src/features/pdfs/model/fonts.ts";
import { htmlParts } from "#src/features/pdfs/model/html.ts";
import { bodySize, colours } from "#src/features/pdfs/model/look.ts";
import type { ReferenceResolver, Target } from "#src/features/pdfs/model/reference-resolver.ts";

export interface Run extends Partial<Omit<Look, "font" | "size">>, Target {
  readonly text: string;
  readonly font: Font;
  readonly fontSize?: number;
}

export interface Look extends Target {
  readonly font: "Sans" | "Mono";
  /** The size of the text around, in points. */
  readonly size: number;
  readonly bold?: true;
  readonly italics?: true;
  readonly decoration?: "lineThrough";
  readonly color?: string;
  readonly background?: string;
  readonly sup?: true;
}

/** An image in a text, by where it is. */
export interface ShownImage {
  readonly ref: unknown;
  readonly alt: string;
  readonly title: string;
  /** Where a link around it leads. */
  readonly target: Target;
}

/** Text up to the next image, or an image: pdfmake has no images within lines. */
export type Phrase = { readonly runs: readonly Run[] } | { readonly image: ShownImage };

export const plainLook: Look = { font: "Sans", size: bodySize };

/** Makes letters of the two fonts look equally large. */
const sizeOfMono = 0.9;

/** Runs of a text, whose soft line breaks become blanks. */
export function runsOf(text: string, look: Look): Run[] {
  const { font: wished, size, ...rest } = look;
  const own = wished === "Mono" ? { ...rest, fontSize: sizeOfMono * size } : rest;
  const flowing = text.replaceAll(/(?<=[\u2e80-\u{3ffff}])\n(?=[\u2e80-\u{3ffff}])/gu, "").replaceAll("\n", " ");
  return fontRuns(flowing, wished).map((run) => ({ ...own, ...run }));
}

/** Writes the flowing text of one page. */
export class PhraseWriter {
  readonly #resolver: ReferenceResolver;

  constructor(resolver: ReferenceResolver) {
    this.#resolver = resolver;
  }

  write(nodes: readonly RichNode[], look: Look): Phrase[] {
    return joined(this.#phrases(nodes, look));
  }

  writeHtml(source: string, look: Look): Phrase[] {
    return joined(this.#html(source, look));
  }

  *#phrases(nodes: readonly RichNode[], look: Look): Generator<Phrase> {
    for (const node of nodes) {
      if (node.object === "text") {
        for (const { text, marks } of node.leaves) yield { runs: runsOf(text, marked(look, marks)) };
      } else if (node.type === "link") {
        const target = this.#resolver.targetOf(node.data["ref"]);
        const isLink = Object.keys(target).length > 0;
        yield* this.#phrases(node.nodes, isLink ? { ...look, ...target, color: colours.link } : look);
      } else if (node.isVoid) yield* this.#void(node.type, node.data, look);
      else yield* this.#phrases(node.nodes, look);
    }
  }

  *#void(type: string, data: NodeData, look: Look): Generator<Phrase> {
    const target = targetIn(look);
    if (type === "break") yield { runs: [{ text: "\n", font: look.font }] };
    else if (type === "image") {
      yield { image: { ref: data["ref"], alt: textOf(data["alt"]), title: textOf(data["title"]), target } };
    } else if (type === "html") yield* this.#html(textOf(data["source"]), look);
    else if (type === "footnote-reference") {
      const note = this.#resolver.noteOf(textOf(data["label"]));
      if (note)
        yield {
          runs: runsOf(String(note.number), { ...look, sup: true, color: colours.link, linkToDestination: note.id }),
        };
    }
  }

  *#html(source: string, look: Look): Generator<Phrase> {
    for (const part of htmlParts(source)) {
      if ("text" in part) yield { runs: runsOf(part.text, look) };
      else if ("isBreak" in part) yield { runs: [{ text: "\n", font: look.font }] };
      else {
        const { address, alt } = part.image;
        yield { image: { ref: referenceOfAddress(address), alt, title: "", target: targetIn(look) } };
      }
    }
  }
}

/** Joins consecutive runs, and drops the line breaks at their ends. */
function joined(phrases: Iterable<Phrase>): Phrase[] {
  const all: Phrase[] = [];
  let runs: Run[] = [];
  const endRuns = (): void => {
    while (runs.at(-1)?.text.trim() === "") runs.pop();
    if (runs.length > 0) all.push({ runs });
    runs = [];
  };
  for (const phrase of phrases) {
    if ("image" in phrase) {
      endRuns();
      all.push(phrase);
    } else for (const run of phrase.runs) if (runs.length > 0 || run.text.trim() !== "") runs.push(run);
  }
  endRuns();
  return all;
}

export const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

function targetIn({ link, linkToDestination }: Look): Target {
  return { ...(link !== undefined && { link }), ...(linkToDestination !== undefined && { linkToDestination }) };
}

const markLooks: Readonly<Record<string, Partial<Look>>> = {
  bold: { bold: true },
  italic: { italics: true },
  strikethrough: { decoration: "lineThrough" },
  code: { font: "Mono", background: colours.wash },
};

function marked(look: Look, marks: readonly { readonly type: string }[]): Look {
  return marks.reduce((all, { type }) => ({ ...all, ...(Object.hasOwn(markLooks, type) && markLooks[type]) }), look);
}
