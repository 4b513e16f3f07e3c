// The sections of a Markdown text: the plain text under each heading. Like prose.ts it scans lines instead of using a
// full parser: fast for any text, and precise enough for search.
import { slugOf, SiblingSlugs } from "#src/features/content/model/slug.ts";
import { proseIn } from "#src/documents/prose.ts";

export interface TextSection {
  /** The fragment of URLs to the heading, unique in the text; null before the first heading. */
  readonly anchor: string | null;
  readonly title: string;
  /** Pieces of prose and code, in order, without Markdown syntax. */
  readonly pieces: readonly Piece[];
}

interface Piece {
  readonly text: string;
  readonly isCode: boolean;
}

interface Block {
  readonly source: string;
  readonly isCode: boolean;
  /** Whether the next block starts on the next line. */
  readonly isTouched: boolean;
}

/** The blocks of a text. Between two blocks of prose is code or whitespace. */
function* blocksIn(markdown: string): Generator<Block> {
  let end = 0;
  let before: Block | null = null;
  for (const prose of proseIn(markdown)) {
    const between = markdown.slice(end, prose.start);
    const isTouched = end > 0 && between === "\n";
    if (before) yield { ...before, isTouched };
    if (/\S/.test(between)) yield { source: between, isCode: true, isTouched: false };
    before = { source: markdown.slice(prose.start, prose.end), isCode: false, isTouched: false };
    end = prose.end;
  }
  if (before) yield before;
  const rest = markdown.slice(end);
  if (/\S/.test(rest)) yield { source: rest, isCode: true, isTouched: false };
}

/** Maximum number of sections of a text: the last one contains the rest. */
const sectionLimit = 2_000;

const heading = /^ {0,3}#{1,6}(?:[ \t]+|$)/;
const underline = /^ {0,3}(?:=+|-+)[ \t]*$/;

/** The first section has no heading, and is omitted if empty. Anchors are names of headings, or numbered slugs. */
export function sectionsOf(markdown: string): TextSection[] {
  const slugs = new SiblingSlugs();
  const sections: { anchor: string | null; title: string; pieces: Piece[] }[] = [
    { anchor: null, title: "", pieces: [] },
  ];
  const open = (source: string) => {
    const { title, name } = headingOf(source);
    sections.push({ anchor: slugs.take(name ?? slugOf(title, "section")), title, pieces: [] });
  };
  const blocks = [...blocksIn(markdown)];
  for (let index = 0; index < blocks.length; index++) {
    const { source, isCode, isTouched } = blocks[index] as Block; // within its length
    const next = blocks[index + 1];
    const isFull = sections.length > sectionLimit;
    if (isCode) {
      const text = codeText(source);
      if (text !== "") sections.at(-1)?.pieces.push({ text, isCode });
    } else if (!isFull && heading.test(source)) {
      open(withoutMarks(source));
    } else if (
      !isFull &&
      isTouched &&
      next &&
      !next.isCode &&
      underline.test(next.source) &&
      !/^\s*(?:[>|]|[-*+] )/.test(source)
    ) {
      open(source);
      index++;
    } else {
      const text = plainText(source);
      if (text !== "") sections.at(-1)?.pieces.push({ text, isCode });
    }
  }
  return sections.filter(({ anchor, pieces }) => anchor !== null || pieces.length > 0);
}

/** Attributes at the end of a heading, such as `{#name .class}`; and the name in a link, as GitBook writes it. */
const headingAttributes = / ?\{(?:#([^\s{}]{1,100})|[.:#])[^{}]*\} ?$/;
const nameInLink = /<a [^<>]{0,500}?\bid="([^"<>]{1,100})"/;

/** Names without `_`, which ids of pages around the text contain. */
const headingName = /^[\p{L}\p{N}]+(?:[-.][\p{L}\p{N}]+)*$/u;

/** The plain title of a heading, and the name that its author gave it. */
function headingOf(source: string): { title: string; name: string | null } {
  const text = withSingleBlanks(source);
  const attributes = headingAttributes.exec(text);
  const name = attributes?.[1] ?? nameInLink.exec(text)?.[1];
  const title = plainText(attributes ? text.slice(0, attributes.index) : text);
  return { title, name: name !== undefined && headingName.test(name) ? name : null };
}

const codeText = (source: string): string =>
  source
    .replaceAll(/^[ \t>]*(?:`{3,}|~{3,}).*$/gm, "")
    .replace(/^\s*\n/, "")
    .trimEnd();

const withSingleBlanks = (text: string): string => text.replaceAll(/[ \t]+/g, " ");

const withoutMarks = (source: string): string =>
  withSingleBlanks(source)
    .replace(heading, "")
    .replace(/ #+ ?$/, "");

/** Markdown syntax to remove, after whitespace was collapsed. Each pattern matches in linear time. */
const marks: readonly (readonly [RegExp, string])[] = [
  [/<!--[^]*?(?:-->|$)/g, " "],
  [/^ ?(?:> ?)*(?:(?:[-*+]|\d{1,9}[.)]) )*(?:\[[ xX]\] )?/gm, ""],
  [/^\[\^?[^\][\n]+\]: ?/gm, ""],
  [/^ ?\|?(?: ?:?-+:? ?\|)+(?: ?:?-+:?)? ?$/gm, ""],
  [/^([-*_=])(?: ?\1)* ?$/gm, ""],
  [/!?\[([^\][]*)\]\([^()\s]*(?:\s{1,3}"[^"\n]*")?\)/g, "$1"],
  [/!?\[([^\][]*)\]\[[^\][]*\]/g, "$1"],
  [/\[\^[^\][\s]+\]/g, ""],
  [/<(https?:[^<>\s]+)>/g, "$1"],
  [/<\/?[a-zA-Z][^<>]*>/g, " "],
  [/\{%[^{}]*%\}/g, " "],
  [/\{\{\s?reusable:[^{}]*\}\}/g, " "],
  [/`+/g, ""],
  [/\*+|~~/g, ""],
  [/(?<![\p{L}\p{N}_])_+(?=[^\s_])|(?<=[^\s_])_+(?![\p{L}\p{N}_])/gu, ""],
  [/ ?\| ?/g, " "],
  [/\\([!-/:-@[-`{-~])/g, "$1"],
];

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', nbsp: " ", "#39": "'" };

function plainText(source: string): string {
  const text = marks.reduce((all, [mark, instead]) => all.replaceAll(mark, instead), withSingleBlanks(source));
  return text
    .replaceAll(/&(amp|lt|gt|quot|nbsp|#39);/g, (_all, name: string) => entities[name] ?? "")
    .replaceAll(/ {2,}/g, " ")
    .replaceAll(/ ?\n\s*/g, "\n")
    .trim();
}
