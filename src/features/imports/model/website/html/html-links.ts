// The addresses in the HTML of a Markdown text, with their positions: read by the parser of HTML, so that attributes
// count as browsers read them, without quotes and in any order.
import type { Element, Nodes as HtmlNodes, Root } from "hast";
import type { Html, Text } from "mdast";
import rehypeParse from "rehype-parse";
import { unified } from "unified";
import { candidatesOf } from "#src/features/imports/model/website/srcset.ts";

/** An address in HTML, with its range in the text. */
interface HtmlLink {
  readonly url: string;
  readonly start: number;
  readonly end: number;
  readonly line: number;
  readonly isShown: boolean;
}

/** The properties with addresses, by elements. Scripts and styles of other sites are not files of an import. */
const addressed: Readonly<Record<string, readonly string[]>> = {
  a: ["href"],
  area: ["href"],
  img: ["src", "srcSet", "dataSrc", "dataSrcset", "dataOriginal"],
  source: ["src", "srcSet", "dataSrc", "dataSrcset"],
  video: ["src", "poster", "dataSrc"],
  audio: ["src", "dataSrc"],
  track: ["src"],
  embed: ["src"],
  iframe: ["src", "dataSrc"],
  object: ["data"],
  input: ["src"],
};

/** Matches HTML that may contain an address. */
export const mayLinkInHtml = /<(?:a|area|img|source|video|audio|track|embed|iframe|object|input)[\s/]/i;

const parser = unified().use(rehypeParse, { fragment: true, verbose: true }).freeze();

/** The addresses of a piece of HTML, unordered. */
export function htmlLinks(text: string, node: Html): HtmlLink[] {
  if (!node.position || !mayLinkInHtml.test(node.value)) return [];
  const offsets = new Offsets(text, node);
  const tree: Root = parser.parse(node.value);
  const links: HtmlLink[] = [];
  const open: HtmlNodes[] = [tree]; // iterative: the text may be nested deeply
  for (let inner = open.pop(); inner; inner = open.pop()) {
    if (inner.type === "element") links.push(...linksOf(inner, node.value, offsets));
    if ("content" in inner && inner.content) open.push(inner.content);
    if ("children" in inner) open.push(...inner.children);
  }
  return links;
}

/** Unlike browsers, the parser of Markdown takes a tag for text if a value without quotes contains a slash. */
const tagInText = /(?<!\\)<(?:a|area|img|source|video|audio|track|embed|iframe|object|input)\s[^<>]{0,5000}>/gi;

/** The addresses in tags that the parser of Markdown took for text. */
export function tagLinks(text: string, { position }: Text): HtmlLink[] {
  const start = position?.start.offset;
  if (position === undefined || start === undefined) return [];
  const source = text.slice(start, position.end.offset);
  if (!source.includes("<")) return [];
  return Array.from(source.matchAll(tagInText), ({ 0: value, index }) => {
    const line = position.start.line + source.slice(0, index).split("\n").length - 1;
    const point = { line, column: 1, offset: start + index };
    return htmlLinks(text, { type: "html", value, position: { start: point, end: point } });
  }).flat();
}

function linksOf(element: Element, html: string, offsets: Offsets): HtmlLink[] {
  const names = Object.hasOwn(addressed, element.tagName) ? (addressed[element.tagName] ?? []) : [];
  return names.flatMap((name) => {
    const value = valueOf(element, name, html);
    if (!value) return [];
    const isShown = !/^(?:a|area|iframe|object)$/.test(element.tagName);
    if (!/srcset$/i.test(name)) return [offsets.link(value, isShown)];
    return candidatesOf(value.text).map(({ url, index }) =>
      offsets.link({ text: url, start: value.start + index }, isShown),
    );
  });
}

/** A part of the HTML, without quotes. */
type Source = { readonly text: string; readonly start: number };

/** The value of an attribute as it is written. */
function valueOf(element: Element, name: string, html: string): Source | null {
  const position = (element.data as { position?: AttributePositions } | undefined)?.position?.properties?.[name];
  const [from, to] = [position?.start.offset, position?.end.offset];
  if (from === undefined || to === undefined) return null;
  const [, before = "", quote = ""] = /^([^=]*=\s*)(["']?)/.exec(html.slice(from, to)) ?? [];
  if (before === "") return null;
  const start = from + before.length + quote.length;
  const written = html.slice(start, to - quote.length);
  const text = written.trim();
  return text === "" ? null : { text, start: start + written.indexOf(text) };
}

/** What the parser adds to elements: the declarations do not have it. */
interface AttributePositions {
  readonly properties?: Readonly<Record<string, { start: { offset?: number }; end: { offset?: number } } | undefined>>;
}

/** The places of a piece of HTML in the text: its lines may have marks of quotes and lists before them. */
class Offsets {
  readonly #starts: number[] = [];
  readonly #inText: number[] = [];
  readonly #firstLine: number;

  constructor(text: string, { value, position }: Html) {
    this.#firstLine = position?.start.line ?? 1;
    let inText = position?.start.offset ?? 0;
    let start = 0;
    for (const line of value.split("\n")) {
      const end = text.indexOf("\n", inText);
      const whole = text.slice(inText, end < 0 ? undefined : end);
      this.#starts.push(start);
      this.#inText.push(start === 0 ? inText : inText + Math.max(0, whole.lastIndexOf(line)));
      start += line.length + 1;
      inText = end < 0 ? text.length : end + 1;
    }
  }

  link({ text, start }: Source, isShown: boolean): HtmlLink {
    const line = this.#starts.findLastIndex((lineStart) => lineStart <= start);
    const from = (this.#inText[line] ?? 0) + start - (this.#starts[line] ?? 0);
    const url = text.replaceAll("&amp;", "&");
    return { url, start: from, end: from + text.length, line: this.#firstLine + line, isShown };
  }
}
