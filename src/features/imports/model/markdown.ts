// Reads the first heading and the positions of links of a Markdown text.
import type { Nodes, Root } from "mdast";
import type { Data, Processor } from "unified";
import { newParser } from "#src/documents/markdown.ts";
import { htmlLinks, mayLinkInHtml, tagLinks } from "#src/features/imports/model/website/html/html-links.ts";
import { codeIn } from "#src/features/imports/model/dialects/edits.ts";
import { tagLinksIn, type WikiForm, wikiLinksIn } from "#src/features/imports/model/dialects/wiki-links.ts";

/** The URL of a link, an image or a definition. */
export interface TextLink {
  readonly url: string;
  /** The range of the URL in the text, in UTF-16 code units. */
  readonly start: number;
  readonly end: number;
  /** Counts from 1. */
  readonly line: number;
  /** Whether it is the address of a picture, a film or a sound that the text shows. */
  readonly isShown?: boolean;
  /** Set for a link by a name, whose range is the whole link. */
  readonly wiki?: WikiForm;
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

/** The last tree: dialects and links of a text are read from the same one. */
let last: { readonly text: string; readonly tree: Root } | null = null;

/** The syntax tree of a text, with the positions of URLs; it is kept until {@link readMarkdown} has read its links. */
export function treeOf(text: string): Root {
  if (last?.text !== text) last = { text, tree: parser.parse(text) };
  return last.tree;
}

/** Matches texts that may link within the import. Others are not parsed: parsing takes most of the time. */
const mayLink = /\](?:\(|:)\s*<?(?![\s<]|#|\/\/|(?!pathname:)[a-z][a-z0-9+.-]*:)/i;
const mayName = /\[\[|\{%/;

/** The links of a text, unordered, and its first heading. May omit links out of the import. */
export function readMarkdown(text: string, of: { names: boolean }): { heading: string | null; links: TextLink[] } {
  const hasNames = of.names && mayName.test(text);
  if (!hasNames && !mayLink.test(text) && !mayLinkInHtml.test(text)) return { heading: findHeading(text), links: [] };
  const tree = treeOf(text);
  last = null;
  const links = linksIn(tree, text, hasNames);
  if (hasNames && text.includes("{%")) links.push(...tagLinksIn(text, codeIn(tree, text, { indented: true })));
  return { heading: headingOf(tree), links };
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

function linksIn(tree: Root, text: string, hasNames: boolean): TextLink[] {
  const links: TextLink[] = [];
  const open: Nodes[] = [tree]; // iterative: the text may be nested deeply
  for (let node = open.pop(); node; node = open.pop()) {
    if (hasNames && node.type === "text") links.push(...wikiLinksIn(text, node));
    if (node.type === "html") links.push(...htmlLinks(text, node));
    if (node.type === "text") links.push(...tagLinks(text, node));
    const address = addresses.get(node);
    if (address && "url" in node) {
      const line = node.position?.start.line ?? 1;
      links.push({ url: node.url, ...address, line, isShown: node.type === "image" });
    }
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
