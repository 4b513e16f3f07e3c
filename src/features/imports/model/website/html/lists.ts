// Lists of tasks, with their boxes as the first elements of items, and menus as lists.
import type { Element } from "hast";
import { element } from "#src/documents/html/elements.ts";
import {
  childrenOf,
  classWords,
  elementsOf,
  findAll,
  hasProperty,
  isEmpty,
  type Parent,
  property,
  removeElements,
  type Step,
} from "#src/features/imports/model/website/html/tree.ts";

const isBox = (node: Element): boolean =>
  (node.tagName === "input" && property(node, "type") === "checkbox") ||
  property(node, "role") === "checkbox" ||
  isDrawnBox(node);

/** Boxes of Notion and of Font Awesome are drawn by classes. */
const isDrawnBox = (node: Element): boolean => {
  const words = classWords(node);
  return (
    (words[0] === "checkbox" && node.tagName === "div" && words.some((word) => /^(?:on|off)$/.test(word))) ||
    (node.tagName === "i" && words.includes("fa") && words.includes("square") && !words.includes("plus"))
  );
};

const isChecked = (box: Element): boolean =>
  hasProperty(box, "checked") ||
  property(box, "ariaChecked") === "true" ||
  (isDrawnBox(box) && classWords(box).some((word) => word === "on" || word === "check"));

/** The box before any other content of an item. */
function leadingBox(parent: Parent): Element | null {
  for (const child of childrenOf(parent)) {
    if (isEmpty(child)) continue;
    if (child.type !== "element") return null;
    if (isBox(child)) return child;
    if (/^(?:p|label|span|div)$/.test(child.tagName)) return leadingBox(child);
    return null;
  }
  return null;
}

/** Confluence and some editors write the state of a task at its item. */
function stateOf(item: Element): boolean | null {
  const given = property(item, "dataChecked") || property(item, "dataTaskState");
  if (/^(?:true|done|checked)$/i.test(given)) return true;
  if (/^(?:false|todo|unchecked)$/i.test(given)) return false;
  if (!hasProperty(item, "dataInlineTaskId") && !hasProperty(item, "dataTaskId")) return null;
  return classWords(item).includes("checked");
}

/** Puts the box of each task where a list of tasks has it. */
export const convertLists: Step = (tree) => {
  for (const menu of findAll(tree, ({ tagName }) => tagName === "menu")) menu.tagName = "ul";
  for (const item of findAll(tree, ({ tagName }) => tagName === "li")) {
    const box = leadingBox(item);
    const state = box ? isChecked(box) : stateOf(item);
    if (state === null) continue;
    removeElements(item, (node) => node === box);
    const first = elementsOf(item)[0];
    const place = first?.tagName === "p" && item.children.find((child) => !isEmpty(child)) === first ? first : item;
    place.children = [element("input", { type: "checkbox", ...(state && { checked: true }) }), ...place.children];
  }
};
