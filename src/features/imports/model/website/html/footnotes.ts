// Footnotes of site generators as footnotes of Markdown.
import type { Element } from "hast";
import { element } from "#src/documents/html/elements.ts";
import {
  classText,
  elementsOf,
  findAll,
  hasProperty,
  lineIn,
  type Parent,
  property,
  rawInline,
  rawName,
  removeElements,
  replaceElements,
  type Step,
} from "#src/features/imports/model/website/html/tree.ts";

/** The name of the element of a footnote, which the handlers write. */
export const noteName = "docgraph-note";

const isList = (node: Element): boolean =>
  hasProperty(node, "dataFootnotes") ||
  property(node, "role") === "doc-endnotes" ||
  /(?:^|\s)(?:footnotes?|footnotes-list|footnote-list|footnote-definition)(?:\s|$)/.test(classText(node));

const hashOf = (link: Element): string => /#(.+)$/s.exec(property(link, "href"))?.[1] ?? "";

const isBack = (link: Element): boolean =>
  link.tagName === "a" &&
  (/(?:^|\s)(?:footnote-?backref|data-footnote-backref|reversefootnote|footnote-back|fn-backref)(?:\s|$)/.test(
    classText(link),
  ) ||
    property(link, "role") === "doc-backlink" ||
    /^(?:\s|↩|\u{fe0e}|\u{fe0f}|\^|⤴)*$/u.test(lineIn(link)));

/** The elements of footnotes by their ids. */
function notesIn(tree: Parent): Map<string, Element> {
  const notes = new Map<string, Element>();
  for (const list of findAll(tree, isList)) {
    const inner = findAll(list, (node) => /^(?:li|aside|div|p)$/.test(node.tagName) && property(node, "id") !== "");
    for (const note of [...(property(list, "id") === "" ? [] : [list]), ...inner])
      notes.set(property(note, "id"), note);
  }
  return notes;
}

/** Makes references to footnotes, and the footnotes, those of Markdown. Others stay as they are. */
export const convertFootnotes: Step = (tree) => {
  const notes = notesIn(tree);
  if (notes.size === 0) return;
  const used = new Map<Element, string>();
  const lists = findAll(tree, isList);
  const isWithin = new Set(lists.flatMap((list) => findAll(list, ({ tagName }) => tagName === "a")));
  const reference = (node: Element) => {
    const note = node.tagName === "a" && !isWithin.has(node) ? notes.get(hashOf(node)) : undefined;
    if (!note) return null;
    const label = used.get(note) ?? String(used.size + 1);
    used.set(note, label);
    return [rawInline(`[^${label}]`)];
  };
  replaceElements(tree, (node) => {
    const [only, ...others] = node.tagName === "sup" ? elementsOf(node) : [];
    return only && others.length === 0 && only.tagName === rawName ? [only] : reference(node);
  });
  for (const note of used.keys()) removeElements(note, isBack);
  replaceElements(tree, (node) => {
    const label = used.get(node);
    if (label !== undefined) return [element(noteName, { label }, node.children)];
    const isEmptied = /^[ou]l$/.test(node.tagName) && elementsOf(node).length > 0 && elementsOf(node).every(isNote);
    return isEmptied ? node.children : null;
  });
};

const isNote = ({ tagName }: Element): boolean => tagName === noteName;
