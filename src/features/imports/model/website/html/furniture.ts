// Removes what belongs to the frame of a page and not to its text: navigation, controls, anchors of headings. An
// element is judged by its content, too: asides, footers and forms may contain text of the page.
import type { Element, ElementContent } from "hast";
import { textOf } from "#src/documents/html/elements.ts";
import { isForReadersAlone } from "#src/features/imports/model/website/html/code-text.ts";
import {
  childrenOf,
  classText,
  classWords,
  elementsOf,
  findAll,
  hasInside,
  isHeading,
  lineIn,
  type Parent,
  property,
  removeElements,
  replaceElements,
  type Step,
} from "#src/features/imports/model/website/html/tree.ts";

const never: ReadonlySet<string> = new Set(
  "script style template head link meta select option optgroup datalist dialog canvas map area clipboard-copy".split(
    " ",
  ),
);

const isContent = (node: Element): boolean =>
  /^(?:img|pre|table|video|iframe|audio|math|details|docgraph-\w+)$/.test(node.tagName);

/** The share of the text of an element that is in links. */
function linkShare(node: Element): number {
  const length = lineIn(node).length;
  if (length === 0) return 1;
  const links = findAll(node, ({ tagName }) => tagName === "a" || tagName === "button");
  return links.reduce((sum, link) => sum + lineIn(link).length, 0) / length;
}

const ofFooter = /©|copyright|all rights reserved|last (?:updated|modified|edited)|edit (?:this|on)|powered by/i;

/** Sections whose footer is text: the source of a quotation, or the last row of a box. */
const hasOwnFooter: ReadonlySet<string> = new Set(["blockquote", "figure", "td", "th", "li", "details", "aside"]);

const navigationWords: ReadonlySet<string> = new Set(
  "toc breadcrumb breadcrumbs pagination pager sidebar share social related contributors tags".split(" "),
);

const controlWords: ReadonlySet<string> = new Set(
  "feedback helpful rating edit newsletter subscribe cookie".split(" "),
);

const anchorWords =
  /(?:^|\s)(?:headerlink|anchor-?link|hash-link|header-anchor|heading-anchor|anchorjs-link|sl-anchor-link|permalink|direct-link|skip-?(?:link|nav|to-content))(?:$|\s)/i;

/** Whether an element is furniture, within the elements around it. */
function isFurniture(node: Element, parents: readonly Parent[]): boolean {
  const role = property(node, "role");
  if (never.has(node.tagName) || isForReadersAlone(node) || anchorWords.test(classText(node))) return true;
  if (/^(?:search|banner|tooltip|dialog|alertdialog|toolbar|menu|menubar)$/.test(role))
    return !hasInside(node, isContent);
  if (/(?:^|\s)material-(?:icons|symbols)/.test(classText(node))) return true;
  if (node.tagName === "nav" || role === "navigation") return linkShare(node) > 0.4 && !hasInside(node, isContent);
  if (node.tagName === "aside" || role === "complementary") return linkShare(node) > 0.5 && !hasInside(node, isContent);
  if (node.tagName === "footer" || role === "contentinfo") return isPageFooter(node, parents);
  if (isHeading(node) || /^(?:a|article|main|body|p|li|td)$/.test(node.tagName)) return false;
  return isNamedFurniture(node);
}

function isPageFooter(node: Element, parents: readonly Parent[]): boolean {
  if (parents.some((parent) => parent.type === "element" && hasOwnFooter.has(parent.tagName))) return false;
  if (hasInside(node, isContent)) return false;
  const text = lineIn(node);
  return linkShare(node) > 0.5 || (ofFooter.test(text) && text.length < 300);
}

function isNamedFurniture(node: Element): boolean {
  const words = classWords(node);
  const isNavigation = words.some((word) => navigationWords.has(word)) || words.join(" ").includes("table of contents");
  if (isNavigation) return linkShare(node) > 0.5 && !hasInside(node, isContent);
  return words.some((word) => controlWords.has(word)) && lineIn(node).length < 150 && !hasInside(node, isContent);
}

/** Forms around text are containers; those to search and to sign in are controls. */
const isControlForm = (node: Element): boolean =>
  lineIn(node).length < 150 &&
  !hasInside(node, (inner) => isHeading(inner) || /^(?:p|ul|ol|pre|table)$/.test(inner.tagName)) &&
  hasInside(node, ({ tagName }) => /^(?:input|select|textarea|button)$/.test(tagName));

const isCheckbox = (node: Element): boolean => node.tagName === "input" && property(node, "type") === "checkbox";

/** Buttons are text where they are all of a heading, as in lists of questions. */
const holdsButtons = (parent: Parent | undefined): boolean =>
  parent?.type === "element" && /^(?:h[1-6]|summary|dt|docgraph-block)$/.test(parent.tagName);

/** Removes the furniture of a main part. */
export const removeFurniture: Step = (tree) => {
  const visit = (parent: Parent, parents: readonly Parent[]): void => {
    const around = [...parents, parent];
    parent.children = childrenOf(parent).filter((child) => child.type !== "element" || !isFurniture(child, around));
    for (const child of elementsOf(parent)) visit(child, around);
  };
  visit(tree, []);
  removeElements(tree, (node) => node.tagName === "form" && isControlForm(node));
  replaceElements(tree, (node, parents) => {
    if (node.tagName === "button") return holdsButtons(parents.at(-1)) ? node.children : [];
    if (node.tagName === "form" || node.tagName === "fieldset") return [{ ...node, tagName: "div" }];
    return node.tagName === "input" && !isCheckbox(node) ? [] : null;
  });
  for (const heading of findAll(tree, isHeading)) removeAnchors(heading);
};

const symbols = /^[\s#¶§🔗\u200b]*$/u;

/** Removes links that lead to the heading they are in. */
function removeAnchors(heading: Element): void {
  removeElements(heading, (node) => {
    if (node.tagName !== "a" || hasInside(node, ({ tagName }) => tagName === "img")) return false;
    const isAnchor = /(?:^|\s)anchor(?:\s|$)/.test(classText(node)) && property(node, "href").includes("#");
    const isEmptyAnchor = property(node, "id") !== "" || property(node, "name") !== "";
    return (symbols.test(textOf(node.children)) && !isEmptyAnchor) || (isAnchor && lineIn(node) !== lineIn(heading));
  });
}

/** Templates of shadow roots are content. */
export const openShadowRoots: Step = (tree) => {
  replaceElements(tree, (node) => {
    if (node.tagName !== "template" || property(node, "shadowRootMode") === "") return null;
    const content = "content" in node ? node.content : undefined;
    return (content?.children ?? node.children) as ElementContent[];
  });
};
