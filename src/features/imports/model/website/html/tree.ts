// Searches and changes trees of HTML (hast) in place.
import type { Element, ElementContent, Nodes, Root } from "hast";
import { classesOf, element, isElement, textOf } from "#src/documents/html/elements.ts";

export type Parent = Root | Element;

/** A step of the conversion, which changes a tree in place. */
export type Step = (tree: Parent) => void;

/** The children of a parent, which is never a document with a doctype. */
export const childrenOf = (parent: Parent): ElementContent[] => parent.children as ElementContent[];

export const elementsOf = (parent: Parent): Element[] =>
  childrenOf(parent).filter((child): child is Element => child.type === "element");

/** All elements below a parent that match, in document order. */
export function findAll(parent: Parent, matches: (element: Element) => boolean): Element[] {
  const found: Element[] = [];
  const visit = (inner: Parent): void => {
    for (const child of elementsOf(inner)) {
      if (matches(child)) found.push(child);
      visit(child);
    }
  };
  visit(parent);
  return found;
}

/** The first element below a parent that matches, in document order. */
export function findFirst(parent: Parent, matches: (element: Element) => boolean): Element | undefined {
  for (const child of elementsOf(parent)) {
    const found = matches(child) ? child : findFirst(child, matches);
    if (found) return found;
  }
  return undefined;
}

export const hasInside = (parent: Parent, matches: (element: Element) => boolean): boolean =>
  findFirst(parent, matches) !== undefined;

type Replace = (element: Element, parents: readonly Parent[]) => readonly ElementContent[] | null;

/** Replaces elements by nodes, inner ones first; null keeps an element. */
export function replaceElements(parent: Parent, replace: Replace, parents: readonly Parent[] = []): void {
  const around = [...parents, parent];
  const children = childrenOf(parent).flatMap((child): readonly ElementContent[] => {
    if (child.type !== "element") return [child];
    replaceElements(child, replace, around);
    return replace(child, around) ?? [child];
  });
  parent.children = children;
}

/** Removes the elements that match, with their content. */
export function removeElements(parent: Parent, matches: (element: Element) => boolean): void {
  const kept: ElementContent[] = [];
  for (const child of childrenOf(parent)) {
    if (child.type === "element") {
      if (matches(child)) continue;
      removeElements(child, matches);
    }
    kept.push(child);
  }
  parent.children = kept;
}

/** A property as a text; empty if it is missing. Lists are joined by blanks. */
export function property({ properties }: Element, name: string): string {
  const value = properties[name];
  if (Array.isArray(value)) return value.join(" ");
  return value === undefined || value === null || value === false ? "" : value === true ? name : String(value);
}

export const hasProperty = ({ properties }: Element, name: string): boolean => {
  const value = properties[name];
  return value !== undefined && value !== null && value !== false;
};

/** The classes of an element on one line. */
export const classText = (node: Element): string => classesOf(node).join(" ");

/** The words of the classes of an element in lower case: `lineNumber` and `line-number` are two words each. */
export const classWords = (node: Element): string[] =>
  classText(node)
    .slice(0, 2_000)
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ")
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== "");

export const hasClassWord = (node: Element, words: ReadonlySet<string>): boolean =>
  classWords(node).some((word) => words.has(word));

/** The text of a node on one line. */
export const lineIn = (node: Nodes): string => textOf([node]).replaceAll(/\s+/g, " ").trim();

/** Whether a node shows nothing by itself: a blank text or a comment. */
export const isEmpty = (node: ElementContent): boolean =>
  node.type === "comment" || (node.type === "text" && node.value.trim() === "");

/** The name of an element whose block the handlers write between two lines of raw Markdown. */
export const blockName = "docgraph-block";

/** A block of Markdown that is written as it is. */
export const rawBlock = (open: string, children: readonly ElementContent[] = [], close = ""): Element =>
  element(blockName, { open, close }, children);

/**
 * The name of an element that is a piece of raw Markdown in a line. The converter keeps blanks only beside elements
 * that show something by themselves, such as this one; those of pages that have a text are replaced before.
 */
export const rawName = "textarea";

/** A piece of Markdown within a line that is written as it is. */
export const rawInline = (value: string): Element => element(rawName, { value });

/** The HTML of a text. */
export const escapeHtml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

export const isHeading = (node: ElementContent): boolean => node.type === "element" && /^h[1-6]$/.test(node.tagName);

const isOneOf = (node: Nodes | undefined, names: ReadonlySet<string>): node is Element =>
  node?.type === "element" && names.has(node.tagName);

/** Elements that begin on a line of their own. */
export const blockElements: ReadonlySet<string> = new Set(
  (
    "address article aside blockquote center dd details dialog dir div dl dt fieldset figcaption figure footer form " +
    "h1 h2 h3 h4 h5 h6 header hgroup hr li main menu nav ol p pre section summary table tbody tfoot thead tr ul"
  ).split(" "),
);

export const isBlockElement = (node: ElementContent): boolean =>
  isOneOf(node, blockElements) || isElement(node, blockName);
