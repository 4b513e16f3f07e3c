// Reads the first heading and the positions of links of a Markdown text.
import type { Nodes, Root } from "mdast";
import type { Data, Processor } from "unified";
import { newParser } from "#src/documents/markdown.ts";

/** The URL of a link, an image or a definition. */
export interface TextLink {
  readonly url: string;
  /** The range of the URL in the text, in UTF-16 code units. */
  readonly start: number;
  readonly end: number;
  /** Counts from 1. */
  readonly line: number;
}

type Span = { readonly start: number; readonly end: number };

/** The ranges of the URLs of nodes: the tree has only positions of whole links. */
const addresses = new WeakMap<object, Span>();

type Extension = Exclude<NonNullable<Data["fromMarkdownExtensions"]>[number], readonly unknown[]>;

const keepAddress: NonNullable<Extension["enter"]>[string] = function (token) {
  const node = this.stack.at(-1); // the link, image or definition of the URL
  if (node) addresses.set(node, { start: token.start.offset, end: token.end.offset });
  this.buffer(); // the default action of the parser
};

function keepAddresses(this: Processor): void {
  const data = this.data();
  data.fromMarkdownExtensions ??= [];
  data.fromMarkdownExtensions.push({
    enter: { resourceDestinationString: keepAddress, definitionDestinationString: keepAddress },
  });
}

const parser = newParser().use(keepAddresses).freeze();

/** Matches texts that may link within the import. Others are not parsed: parsing takes most of the time. */
const mayLink = /\](?:\(|:)\s*<?(?![\s<]|#|\/\/|[a-z][a-z0-9+.-]*:)|<(?:a|img)\s/i;

/** The links of a text, unordered, and its first heading. May omit links out of the import. */
export function readMarkdown(text: string): { heading: string | null; links: TextLink[] } {
  if (!mayLink.test(text)) return { heading: findHeading(text), links: [] };
  const tree = parser.parse(text);
  return { heading: headingOf(tree), links: linksIn(tree, text) };
}

/** The start of a text without links that is searched for a heading, in UTF-16 code units. */
const headingWithin = 10_000;
const headingLine = /^ {0,3}(?:#{1,6}(?:[ \t].*)?|=+[ \t]*|-+[ \t]*)$/m;

function findHeading(text: string): string | null {
  const start = text.slice(0, headingWithin);
  const line = headingLine.exec(start);
  if (!line) return null;
  // The line may be code or front matter.
  return headingOf(parser.parse(start.slice(0, line.index + line[0].length))) ?? headingOf(parser.parse(start));
}

function headingOf({ children }: Root): string | null {
  const first = children.find(({ type }) => type === "heading");
  // `{#id}` is an attribute in many dialects.
  return (first && plainText(first).replace(/\s*\{[^{}]*\}$/, "")) || null;
}

function linksIn(tree: Root, text: string): TextLink[] {
  const links: TextLink[] = [];
  const open: Nodes[] = [tree]; // iterative: the text may be nested deeply
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.type === "html") links.push(...htmlLinks(text, node));
    const address = addresses.get(node);
    if (address && "url" in node) links.push({ url: node.url, ...address, line: node.position?.start.line ?? 1 });
    if ("children" in node) open.push(...node.children);
  }
  return links;
}

/** The plain text of a node on one line. */
export function plainText(node: Nodes): string {
  const parts: string[] = [];
  const visit = (inner: Nodes): void => {
    if ("value" in inner) parts.push(inner.type === "html" ? "" : inner.value);
    else if ("alt" in inner) parts.push(inner.alt ?? "");
    else if (inner.type === "break") parts.push(" ");
    else if ("children" in inner) inner.children.forEach(visit);
  };
  visit(node);
  return parts.join("").replaceAll(/\s+/g, " ").trim();
}

/** Comments, and tags that link; tags whose attributes contain `<` or `>` are ignored. */
const tag = /<!--[^]*?(?:-->|$)|<(?:a|img)\s[^<>]*>/gi;
const address = /\s(?:href|src)\s*=\s*(?:"([^"]*)"|'([^']*)')/di;

function htmlLinks(text: string, { position }: Nodes): TextLink[] {
  if (!position) return [];
  const links: TextLink[] = [];
  const from = position.start.offset ?? 0;
  let { line } = position.start;
  let lineCountedTo = from;
  for (const { 0: found, index } of text.slice(from, position.end.offset).matchAll(tag)) {
    const span = found.startsWith("<!--") ? undefined : spanOfAddress(found);
    if (!span) continue;
    const [start, end] = [from + index + span[0], from + index + span[1]];
    line += text.slice(lineCountedTo, start).split("\n").length - 1;
    lineCountedTo = start;
    links.push({ url: text.slice(start, end).replaceAll("&amp;", "&"), start, end, line });
  }
  return links;
}

function spanOfAddress(found: string): [start: number, end: number] | undefined {
  const indices = address.exec(found)?.indices;
  return indices?.[1] ?? indices?.[2];
}
