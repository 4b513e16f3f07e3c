// Links of wikis in a text (`[[Page#Heading|alias]]`, `![[picture.png|300]]`), and addresses in tags of GitBook.
import type { Text } from "mdast";
import { slugOf } from "#src/base/text/slugs.ts";

/** How a link by a name is written once its target is known. */
export interface WikiForm {
  /** The name to look for if the first is not found: some wikis write it last. */
  readonly lastName: string | null;
  readonly label: string;
  /** The label if {@link WikiForm.lastName} is the name. */
  readonly firstLabel: string;
  readonly isEmbed: boolean;
  /** The width and height of an embedded image, in pixels. */
  readonly size: readonly string[];
}

/** A link as `markdown.ts` has them. */
interface FoundLink {
  readonly url: string;
  readonly start: number;
  readonly end: number;
  readonly line: number;
  readonly wiki?: WikiForm;
}

const wikiLink = /(?<!\\)(!?)\[\[([^[\]\n]{1,500})\]\]/g;

/** Names that are not pages: numbers in nested lists, conditions of shells, and tables of contents. */
const notName = /^(?:[\s-]|_?toc_?$|[\d\s,.;-]+$)|[{}<>"]/i;

/** The links of a node of plain text. */
export function wikiLinksIn(text: string, { position }: Text): FoundLink[] {
  const from = position?.start.offset ?? 0;
  const source = text.slice(from, position?.end.offset);
  if (!source.includes("[[")) return [];
  return [...source.matchAll(wikiLink)].flatMap(({ 0: found, 1: mark, 2: inner = "", index }): FoundLink[] => {
    const [name = "", ...rest] = inner.split(/\\?\|/).map((part) => part.trim());
    if (name === "" || notName.test(inner)) return [];
    const [path = "", ...headings] = name.split("#");
    const heading = headings.at(-1) ?? "";
    const size = rest.flatMap((part) => /^(\d{1,4})(?:x(\d{1,4}))?$/.exec(part)?.slice(1) ?? []).filter(Boolean);
    const label = rest.find(
      (part) =>
        part !== "" &&
        !/^\d{1,4}(?:x\d{1,4})?$|^(?:left|right|center|thumb|frame|width=.*|height=.*|alt=.*)$/.test(part),
    );
    const line = (position?.start.line ?? 1) + source.slice(0, index).split("\n").length - 1;
    const shown = label ?? (path === "" ? heading : heading === "" ? path : `${path} > ${heading}`);
    const wiki = {
      lastName: label ?? null,
      label: escaped(shown),
      firstLabel: escaped(name),
      isEmbed: mark === "!",
      size,
    };
    return [{ url: path + anchorOf(heading), start: from + index, end: from + index + found.length, line, wiki }];
  });
}

const escaped = (label: string): string => label.replaceAll(/[[\]]/g, "\\$&");

/** Blocks (`#^id`) do not have an address of their own. */
const anchorOf = (heading: string): string =>
  heading === "" || heading.startsWith("^") ? "" : `#${slugOf(heading, "section")}`;

/** The text of a link to a page or file at an address. */
export function wikiText({ label, isEmbed, size }: WikiForm, address: string, isImage: boolean): string {
  if (!isEmbed || !isImage) return `[${label}](${address})`;
  const [width, height] = size;
  const alt = label.replace(/^.*\//, "");
  if (width === undefined) return `![${alt}](${address})`;
  const attributes = [
    ["src", address],
    ["alt", alt.replaceAll('"', "&quot;")],
    ["width", width],
    ["height", height],
  ];
  return `<img ${attributes.flatMap(([name, value]) => (value ? `${name}="${value}"` : [])).join(" ")}>`;
}

const tagAddress =
  /\{%-?\s*(?:content-ref|file|embed|include|card)\s[^%{}]{0,500}?\b(?:url|src|href)\s*=\s*(["'])([^"'%{}]{1,1000})\1/dg;

/** The addresses in the tags of blocks. */
export function tagLinksIn(text: string, isCode: (at: number) => boolean): FoundLink[] {
  return [...text.matchAll(tagAddress)].flatMap(({ 2: url = "", index, indices }): FoundLink[] => {
    const [start, end] = indices?.[2] ?? [0, 0];
    if (isCode(index)) return [];
    return [{ url, start, end, line: text.slice(0, start).split("\n").length }];
  });
}
