// Elements within a line: those that Markdown does not have stay HTML, and blanks move out of marks.
import type { Element, ElementContent } from "hast";
import { textOf } from "#src/documents/html/elements.ts";
import {
  blockName,
  childrenOf,
  elementsOf,
  hasInside,
  isBlockElement,
  isHeading,
  lineIn,
  type Parent,
  property,
  rawInline,
  removeElements,
  replaceElements,
  type Step,
} from "#src/features/imports/model/website/html/tree.ts";

const code: ReadonlySet<string> = new Set(["pre", "code", "kbd", "samp", "tt"]);

const isInCode = (parents: readonly Parent[]): boolean =>
  parents.some((parent) => parent.type === "element" && code.has(parent.tagName));

const htmlInLines: ReadonlySet<string> = new Set(["sub", "sup", "mark", "u", "ins"]);

/** Readings of ruby are in parentheses, as browsers without ruby show them. */
function withReadings(ruby: Element): ElementContent[] {
  const hasParentheses = hasInside(ruby, ({ tagName }) => tagName === "rp");
  return ruby.children.flatMap((child): ElementContent[] => {
    if (child.type !== "element" || !/^r[tbp]$/.test(child.tagName)) return [child];
    if (child.tagName !== "rt" || hasParentheses || lineIn(child) === "") return child.children;
    return [{ type: "text", value: "(" }, ...child.children, { type: "text", value: ")" }];
  });
}

const addressless = (link: Element): boolean => !/^(?!javascript:|about:|data:)\S/i.test(property(link, "href"));

function convertElement(node: Element, parents: readonly Parent[]): readonly ElementContent[] | null {
  if (node.tagName === "a") return addressless(node) && !isNamed(node) ? node.children : null;
  if (node.tagName === "br" && isInCode(parents)) return [{ type: "text", value: " " }];
  if (node.tagName === "ruby") return withReadings(node);
  if (!htmlInLines.has(node.tagName) || isInCode(parents)) return null;
  if (lineIn(node) === "" || hasInside(node, isBlockElement)) return node.children;
  return [rawInline(`<${node.tagName}>`), ...node.children, rawInline(`</${node.tagName}>`)];
}

const isNamed = (node: Element): boolean => property(node, "id") !== "" || property(node, "name") !== "";

const marks: ReadonlySet<string> = new Set(["strong", "b", "em", "i", "del", "s", "strike", "a", "cite", "var", "dfn"]);

/** Moves blanks at the edges of emphasis and links out of them. */
function moveBlanks(node: Element): ElementContent[] | null {
  if (!marks.has(node.tagName)) return null;
  const [first, last] = [node.children[0], node.children.at(-1)];
  const before = first?.type === "text" ? (/^\s+/.exec(first.value)?.[0] ?? "") : "";
  if (first?.type === "text") first.value = first.value.slice(before.length);
  const after = last?.type === "text" ? last.value.slice(last.value.trimEnd().length) : "";
  if (last?.type === "text") last.value = last.value.slice(0, last.value.length - after.length);
  if (before === "" && after === "") return null;
  const text = (value: string): ElementContent[] => (value === "" ? [] : [{ type: "text", value }]);
  const isEmptied = node.children.every((child) => child.type === "text" && child.value === "");
  return [...text(before), ...(isEmptied ? [] : [node]), ...text(after)];
}

/** Converts the elements within lines. */
export const convertInline: Step = (tree) => {
  replaceElements(tree, convertElement);
  replaceElements(tree, (node, parents) => (isInCode(parents) ? null : moveBlanks(node)));
};

const isBlock = ({ tagName }: Element): boolean => tagName === blockName || tagName === "pre";

/** Blocks such as players may be within paragraphs and marks, which hold lines alone in Markdown. */
export const liftBlocks: Step = (tree) => {
  replaceElements(tree, (node) => {
    if (!hasInside(node, isBlock)) return null;
    if (node.tagName === "p") return [{ ...node, tagName: "div" }];
    if (isHeading(node)) {
      const blocks = blocksIn(node);
      removeElements(node, isBlock);
      return [...(lineIn(node) === "" ? [] : [node]), ...blocks];
    }
    return marks.has(node.tagName) || /^(?:span|label|small|font|u|sub|sup)$/.test(node.tagName) ? node.children : null;
  });
};

const blocksIn = (parent: Parent): Element[] =>
  elementsOf(parent).flatMap((child) => (isBlock(child) ? [child] : blocksIn(child)));

/** Signs that begin other syntax in our dialect: blocks of GitBook and formulas. */
const special = /\{(?=[%{])|\$(?=\$)/g;
const dollars = /\$(?=[^\s$])[^$]{0,1000}[^\s$]\$(?!\d)/;
const container = /^\s*(?::::|!!!|\?\?\?|===)/;

function escapedText(text: string, isFirst: boolean): ElementContent[] {
  const places = [
    ...Array.from(text.matchAll(special), ({ index }) => index),
    ...(dollars.test(text) ? Array.from(text.matchAll(/\$/g), ({ index }) => index) : []),
    ...(isFirst && container.test(text) ? [text.length - text.trimStart().length] : []),
  ];
  const parts: ElementContent[] = [];
  let end = 0;
  for (const at of [...new Set(places)].toSorted((one, other) => one - other)) {
    parts.push({ type: "text", value: text.slice(end, at) }, rawInline(`\\${text[at]}`));
    end = at + 1;
  }
  return [...parts, { type: "text", value: text.slice(end) }];
}

/** Escapes text that would be read as a block or a formula. */
export const escapeText: Step = (tree) => {
  const visit = (parent: Parent): void => {
    parent.children = childrenOf(parent).flatMap((child, index): ElementContent[] => {
      if (child.type === "text") return escapedText(child.value, index === 0);
      if (child.type === "element" && !code.has(child.tagName)) visit(child);
      return [child];
    });
  };
  if (/[{$]|:::|!!!|\?\?\?|===/.test(textOf([tree]))) visit(tree);
};
