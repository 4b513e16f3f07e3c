// Converts the HTML of the main part of a page to Markdown, split at its addresses.
import type { Nodes, Root, RootContent } from "mdast";
import rehypeParse from "rehype-parse";
import rehypeRemark, { type Options } from "rehype-remark";
import { unified } from "unified";
import { element, textOf } from "#src/documents/html/elements.ts";
import { writeMarkdown } from "#src/documents/markdown.ts";
import { convertAdmonitions } from "#src/features/imports/model/website/html/admonitions.ts";
import { convertCode } from "#src/features/imports/model/website/html/code-blocks.ts";
import { convertFootnotes, noteName } from "#src/features/imports/model/website/html/footnotes.ts";
import { convertFormulas, convertWrittenFormulas } from "#src/features/imports/model/website/html/formulas.ts";
import { openShadowRoots, removeFurniture } from "#src/features/imports/model/website/html/furniture.ts";
import { flattenHeadings, nameHeadings } from "#src/features/imports/model/website/html/headings.ts";
import { convertInline, escapeText, liftBlocks } from "#src/features/imports/model/website/html/inline.ts";
import { convertLists } from "#src/features/imports/model/website/html/lists.ts";
import { convertMedia, findLosses } from "#src/features/imports/model/website/html/media.ts";
import { convertTables, type KeepAddress } from "#src/features/imports/model/website/html/tables.ts";
import { convertCollapsed } from "#src/features/imports/model/website/html/tabs.ts";
import {
  blockName,
  childrenOf,
  findFirst,
  property,
  rawName,
  type Step,
} from "#src/features/imports/model/website/html/tree.ts";

interface SiteAddress {
  readonly url: string;
  readonly isImage: boolean;
  /** Whether it is in an attribute of HTML, not in Markdown. */
  readonly isHtml: boolean;
}

export interface PageMarkdown {
  /** The text around {@link PageMarkdown.addresses}, with one piece more than addresses. */
  readonly pieces: readonly string[];
  readonly addresses: readonly SiteAddress[];
  /** What the text cannot hold, as sentences. */
  readonly losses: readonly string[];
}

type Handle = NonNullable<NonNullable<Options["handlers"]>[string]>;

const html = (value: string): RootContent => ({ type: "html", value });

const blockHandle: Handle = (state, node) => {
  const [open, close] = [property(node, "open"), property(node, "close")];
  return [html(open), ...state.toFlow(state.all(node)), ...(close === "" ? [] : [html(close)])];
};

/** The converter takes HTML for a block: it is code until the tree is complete. */
const rawHandle: Handle = (_state, node) => {
  const value = property(node, "value");
  const data = { isRaw: true } as object;
  return value === "" ? undefined : { type: "inlineCode", value, data };
};

const noteHandle: Handle = (state, node) => {
  const label = property(node, "label");
  return { type: "footnoteDefinition", identifier: label, label, children: state.toFlow(state.all(node)) };
};

const preHandle: Handle = (_state, node) => {
  const code = findFirst(node, ({ tagName }) => tagName === "code");
  const language = code ? /^language-(.+)$/.exec(property(code, "className"))?.[1] : undefined;
  const title = code ? property(code, "dataTitle").replaceAll(/["\n`]/g, "'") : "";
  const meta = title === "" ? null : `title="${title}"`;
  return { type: "code", lang: language ?? (meta === null ? null : "text"), meta, value: textOf(node.children) };
};

const linkHandle: Handle = (state, node) => {
  const children = state.all(node);
  const url = property(node, "href");
  if (url === "") return children;
  return { type: "link", url, title: property(node, "title") || null, children: children as never[] };
};

const handlers: Record<string, Handle> = {
  [blockName]: blockHandle,
  [rawName]: rawHandle,
  [noteName]: noteHandle,
  pre: preHandle,
  a: linkHandle,
  var: (state, node) => ({ type: "emphasis", children: state.all(node) as never[] }),
  wbr: () => undefined,
  base: () => undefined, // all addresses are absolute
};

const converter = unified()
  .use(rehypeParse, { fragment: true })
  .use(rehypeRemark, { handlers, nodeHandlers: { comment: () => undefined }, checked: "☑", unchecked: "☐" })
  .freeze();

/** The steps before tables, in order: each works on the elements that those before it left. */
const steps: readonly Step[] = [
  openShadowRoots,
  convertFormulas,
  convertCollapsed,
  convertMedia,
  convertCode,
  convertAdmonitions,
  convertFootnotes,
  convertLists,
  removeFurniture,
  flattenHeadings,
  nameHeadings,
];

export interface MainPart {
  readonly html: string;
  /** Changes the tree before all else. */
  readonly select: Step;
  /** Whether a script of the page draws formulas that are written in its text. */
  readonly drawsFormulas: boolean;
}

/** Converts HTML to Markdown. Throws RangeError if it is nested too deeply. */
export function markdownOf({ html: source, select, drawsFormulas }: MainPart): PageMarkdown {
  const mark = `address${Math.random().toString(36).slice(2)}x`;
  const addresses: SiteAddress[] = [];
  const keep: KeepAddress = ({ url, isImage }, isHtml = true) => {
    addresses.push({ url, isImage, isHtml });
    return `${mark}${addresses.length - 1}x`;
  };
  const tree = converter.parse(source);
  select(tree);
  tree.children = [element("div", {}, childrenOf(tree))];
  const losses = findLosses(tree);
  for (const step of steps) step(tree);
  if (drawsFormulas) convertWrittenFormulas(tree);
  escapeText(tree);
  convertInline(tree);
  convertTables(tree, keep);
  liftBlocks(tree);
  const markdown = writeMarkdown(marked(converter.runSync(tree), keep));
  const parts = markdown.split(new RegExp(`${mark}(\\d+)x`));
  return {
    pieces: parts.filter((_part, index) => index % 2 === 0),
    addresses: parts.flatMap((part, index) => (index % 2 === 1 ? (addresses[Number(part)] ?? []) : [])),
    losses,
  };
}

/** Replaces the addresses of a tree by marks, and makes raw pieces HTML. */
function marked(tree: Root, keep: KeepAddress): Root {
  const open: Nodes[] = [tree];
  for (let node = open.pop(); node; node = open.pop()) {
    if ((node.type === "link" || node.type === "image" || node.type === "definition") && node.url !== "")
      node.url = keep({ url: node.url, isImage: node.type === "image" }, false);
    if ("children" in node) {
      node.children = node.children.map(unraw) as never[];
      open.push(...node.children);
    }
  }
  return tree;
}

const unraw = (node: Nodes): Nodes =>
  node.type === "inlineCode" && node.data && "isRaw" in node.data ? { type: "html", value: node.value } : node;
