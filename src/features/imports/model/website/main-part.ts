// Finds the main part of a page: its main element, or else what Readability takes for the text.
import { Readability } from "@mozilla/readability";
import type { Element as TreeElement } from "hast";
import { type Element, lineOf, type Page, parsePage } from "#src/features/imports/model/website/dom.ts";
import {
  childrenOf,
  elementsOf,
  type Parent,
  property,
  type Step,
} from "#src/features/imports/model/website/html/tree.ts";

const mains = "main, [role=main]";

/** Elements that themes without a main element use for the text. */
const contents =
  ".markdown-body, .theme-doc-markdown, .vp-doc, .rst-content .document, .md-content, .entry-content, .post-content, " +
  "[itemprop=articleBody], #main-content, #wiki-content";

/** The element with the most text. */
const largest = (elements: Iterable<Element>): Element | undefined =>
  [...elements].reduce<Element | undefined>(
    (best, one) => (best && lineOf(best).length >= lineOf(one).length ? best : one),
    undefined,
  );

/** The main element of a page; undefined if it does not name one. */
export function mainOf(page: Page): Element | undefined {
  const articles = [...page.querySelectorAll("article")];
  const named = largest(page.querySelectorAll(mains)) ?? (articles.length === 1 ? articles[0] : undefined);
  if (named && lineOf(named) !== "") return named;
  const content = [...page.querySelectorAll(contents)].filter((one) => lineOf(one) !== "");
  return content.length === 1 ? content[0] : named;
}

const selectAll: Step = () => {};

/** The attribute by which elements are found again in what Readability keeps. */
const numbered = "data-part";
const numberLimit = 50_000;

/** The HTML of the main part, and the step that takes the rest out of it. */
export function mainPartOf(page: Page, main: Element | undefined): { html: string; select: Step } {
  if (main) return { html: main.innerHTML, select: selectAll };
  const { body } = page;
  for (const [index, element] of [...body.querySelectorAll("*")].slice(0, numberLimit).entries())
    element.setAttribute(numbered, String(index));
  const html = body.innerHTML;
  const copy = parsePage(`<!doctype html><html><head></head><body>${html}</body></html>`);
  const read = new Readability(copy as never, { keepClasses: true, charThreshold: 20 }).parse(); // it is a document
  const kept = new Set(Array.from((read?.content ?? "").matchAll(/ data-part="(\d+)"/g), ([, number = ""]) => number));
  return { html, select: kept.size === 0 ? selectAll : (tree) => selectKept(tree, kept) };
}

const isKept = (node: TreeElement, kept: ReadonlySet<string>): boolean => kept.has(property(node, "dataPart"));

/** Elements that Readability drops, and that are not furniture of a page. */
const isContent = (node: TreeElement): boolean =>
  /^(?:pre|table|video|audio|iframe|math|details|figure|aside|blockquote|dl)$/.test(node.tagName) ||
  (node.tagName === "input" && property(node, "type") === "checkbox");

/** The elements that match, and all around them. */
function withParents(tree: Parent, matches: (node: TreeElement) => boolean): Set<Parent> {
  const found = new Set<Parent>();
  const visit = (parent: Parent): boolean => {
    const inside = elementsOf(parent).map(visit).includes(true);
    const isFound = inside || (parent.type === "element" && matches(parent));
    if (isFound) found.add(parent);
    return isFound;
  };
  visit(tree);
  return found;
}

/** Keeps the smallest element around all that Readability kept, without the parts beside it that it dropped. */
function selectKept(tree: Parent, kept: ReadonlySet<string>): void {
  const holding = withParents(tree, (node) => isKept(node, kept));
  const staying = withParents(tree, (node) => isKept(node, kept) || isContent(node));
  let root: Parent = tree;
  for (;;) {
    const [only, ...others]: TreeElement[] = elementsOf(root).filter((child) => holding.has(child));
    if (!only || others.length > 0 || isKept(only, kept)) break;
    root = only;
  }
  const prune = (parent: Parent): void => {
    parent.children = childrenOf(parent).filter(
      (child) => child.type !== "element" || staying.has(child) || isLine(child),
    );
    for (const child of elementsOf(parent)) if (!isKept(child, kept)) prune(child);
  };
  prune(root);
  tree.children = childrenOf(root);
}

const isLine = (node: TreeElement): boolean =>
  /^(?:br|hr|img|a|b|i|em|strong|code|span|sub|sup|svg|script)$/.test(node.tagName);
