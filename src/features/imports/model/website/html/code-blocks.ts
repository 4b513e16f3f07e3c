// Code blocks of websites, whatever made them, as plain `pre` elements with the language and the title of the code.
import type { Element, ElementContent } from "hast";
import { element } from "#src/documents/html/elements.ts";
import {
  isLanguageLabel,
  labelledLanguage,
  languageOf,
} from "#src/features/imports/model/website/html/code-language.ts";
import {
  codeIn,
  isCodeControl,
  isForReadersAlone,
  isLineNumber,
} from "#src/features/imports/model/website/html/code-text.ts";
import {
  childrenOf,
  blockName,
  classText,
  classWords,
  elementsOf,
  findAll,
  hasClassWord,
  hasInside,
  isBlockElement,
  isEmpty,
  lineIn,
  type Parent,
  property,
  replaceElements,
  type Step,
} from "#src/features/imports/model/website/html/tree.ts";

/** A `pre` with its text alone. */
function plainBlock(
  nodes: readonly ElementContent[],
  { language, title }: { language: string; title: string },
): Element {
  const properties = {
    ...(language !== "" && { className: [`language-${language}`] }),
    ...(title !== "" && { dataTitle: title }),
  };
  return element("pre", {}, [element("code", properties, [codeIn(nodes)])]);
}

const isNumberCell = (cell: Element | undefined): boolean =>
  cell !== undefined &&
  (isLineNumber(cell) || (/^\d[\d\s]*$/.test(lineIn(cell)) && hasInside(cell, (inner) => isLineNumber(inner))));

const rowsOf = (table: Element): Element[] => findAll(table, ({ tagName }) => tagName === "tr");

const cellsOf = (row: Element): Element[] => elementsOf(row).filter(({ tagName }) => /^t[dh]$/.test(tagName));

const codeTable =
  /(?:^|\s)(?:highlight(?:table)?|codehilitetable|lntable|rouge-table|hljs-ln|js-file-line-container)(?:$|\s)/i;

/** Whether a table shows code beside the numbers of its lines. */
function isCodeTable(table: Element): boolean {
  const rows = rowsOf(table).map(cellsOf);
  const numbered = rows.filter((cells) => cells.length === 2 && isNumberCell(cells[0])).length;
  if (numbered > 0 && numbered === rows.filter((cells) => cells.length > 0).length) return true;
  return codeTable.test(classText(table)) && rows.every((cells) => cells.length <= 3);
}

/** The nodes of the code in a table: all cells but those of numbers. */
function codeOfTable(table: Element): ElementContent[] {
  const rows = rowsOf(table).map((row) => cellsOf(row).filter((cell) => !isNumberCell(cell)));
  return rows.map((cells) =>
    element(
      "div",
      {},
      cells.flatMap(({ children }) => children),
    ),
  );
}

const captionOf = (table: Element): string =>
  elementsOf(table)
    .filter(({ tagName }) => tagName === "caption")
    .map(lineIn)
    .join(" ");

/** Words in the classes of elements around a single code block. */
const frameWords: ReadonlySet<string> = new Set(
  (
    "highlight highlighter code codeblock codehilite language prism shiki expressive snippet listing listingblock " +
    "literalblock sourcecode syntaxhighlighter toolbar frame gatsby hljs rehype nextra"
  ).split(" "),
);

const mayFrame = (node: Parent): node is Element =>
  node.type === "element" &&
  (/^(?:figure|div|section)$/.test(node.tagName) || (node.tagName.includes("-") && node.tagName !== blockName));

const isNamedFrame = (node: Element): boolean =>
  node.tagName === "figure" || property(node, "dataLanguage") !== "" || hasClassWord(node, frameWords);

/** The most text beside the code in its frame, in characters: more is text of the page. */
const besideLimits = { all: 200, label: 60 } as const;

interface Frame {
  readonly element: Element;
  readonly title: string;
  readonly labels: readonly string[];
}

const titleWord = /^(?:title|filename|file|caption|name|titlebar)$/;
const fileName = /^[\w./@-]+\.\w{1,10}$/;

/** The title and the labels in a frame; null if it contains other text. */
function readFrame(frame: Element, pre: Element): Frame | null {
  const labels: string[] = [];
  const titles: string[] = [];
  let isOther = false;
  const visit = (node: Element, isTitle: boolean): void => {
    for (const child of childrenOf(node)) {
      if (child.type === "text" && child.value.trim() !== "") (isTitle ? titles : labels).push(child.value.trim());
      if (child.type !== "element" || child === pre || isCodeControl(child) || isForReadersAlone(child)) continue;
      if (/^(?:h[1-6]|p|ul|ol|table|pre|blockquote|dl|img|docgraph-\w+)$/.test(child.tagName)) isOther = true;
      visit(child, isTitle || child.tagName === "figcaption" || classWords(child).some((word) => titleWord.test(word)));
    }
  };
  visit(frame, false);
  const size = [...labels, ...titles].join("").length;
  if (isOther || size > besideLimits.all || labels.some(({ length }) => length > besideLimits.label)) return null;
  const file = labels.find((label) => fileName.test(label));
  const title = titles.join(" ").replaceAll(/\s+/g, " ");
  return { element: frame, title: title || (file ?? ""), labels: labels.filter((label) => label !== file) };
}

const isCode = (node: Element): boolean => node.tagName === "pre";

/** The outermost element around a block that contains only its title, labels and controls. */
function frameOf(pre: Element, parents: readonly Parent[]): { frame: Frame | null; around: Element[] } {
  let frame: Frame | null = null;
  const around: Element[] = [];
  for (const parent of parents.toReversed()) {
    const read: Frame | null = mayFrame(parent) ? readFrame(parent, pre) : null;
    if (!read || !mayFrame(parent)) break;
    const hasMore = read.title !== (frame?.title ?? "") || read.labels.length !== (frame?.labels.length ?? 0);
    if (hasMore && !isNamedFrame(parent)) break;
    around.push(parent);
    frame = read;
  }
  return { frame, around };
}

/** Makes each code table outside of code a `pre`. */
function convertTables(tree: Parent): void {
  replaceElements(tree, (node, parents) => {
    if (node.tagName !== "table" || !isCodeTable(node)) return null;
    if (parents.some((parent) => parent.type === "element" && parent.tagName === "pre")) return null;
    const code = codeOfTable(node);
    const blocks = findAll(node, (inner) => isCode(inner) || inner.tagName === "code");
    const language = languageOf([...blocks.filter((inner) => !isLineNumber(inner)).toReversed(), node]);
    return [plainBlock(code, { language, title: captionOf(node) })];
  });
}

/** Whether there is text beside an element in its parent. */
const isInText = (node: Element, parent: Parent | undefined): boolean =>
  parent !== undefined && parent.type === "element" && lineIn(parent) !== lineIn(node);

/** Makes code with several lines that is not in a `pre` a `pre`. */
function convertInlineBlocks(tree: Parent): void {
  replaceElements(tree, (node, parents) => {
    if (node.tagName !== "code" && node.tagName !== "textarea") return null;
    const isInPre = parents.some((parent) => parent.type === "element" && parent.tagName === "pre");
    if (isInPre || lineIn(node) === "") return null;
    if (node.tagName === "textarea") return [element("pre", {}, node.children)];
    if (isInText(node, parents.at(-1))) return null;
    const hasLines = hasInside(node, (inner) => inner.tagName === "br" || isBlockElement(inner));
    return hasLines && codeIn(node.children).includes("\n") ? [element("pre", {}, [node])] : null;
  });
}

/** Removes columns of numbers that are not in a table, beside the block of the code. */
function removeNumberColumns(tree: Parent): void {
  const isColumn = (node: Element): boolean => /^\d[\d\s]*$/.test(lineIn(node)) && isLineNumber(node);
  for (const parent of findAll(tree, (node) => elementsOf(node).length > 1)) {
    const children = elementsOf(parent);
    const hasCode = children.some((one) => !isColumn(one) && (isCode(one) || hasInside(one, isCode)));
    if (hasCode) parent.children = parent.children.filter((one) => one.type !== "element" || !isColumn(one));
  }
}

/** Makes all code blocks plain. What frames show beside them is the title, a label of the language, or a control. */
export const convertCode: Step = (tree) => {
  convertTables(tree);
  removeNumberColumns(tree);
  convertInlineBlocks(tree);
  const frames = new Map<Element, readonly ElementContent[]>();
  replaceElements(tree, (node, parents) => {
    if (!isCode(node)) return frames.get(node) ?? null;
    if (parents.some((parent) => parent.type === "element" && parent.tagName === "pre")) return null;
    const { frame, around } = frameOf(node, parents);
    const inner = findAll(node, ({ tagName }) => tagName === "code" || tagName === "pre");
    const named = languageOf([...inner.toReversed(), node, ...around, ...elementsAround(parents)]);
    const language = named || labelledLanguage(frame ? [...frame.labels, frame.title] : []);
    const block = plainBlock(node.children, { language, title: titleOf(frame, language, [...inner, node]) });
    if (!frame) return [block];
    const labels = frame.labels.filter((label) => !isLanguageLabel(label, language));
    frames.set(frame.element, [...(labels.length > 0 ? [element("p", {}, [labels.join(" ")])] : []), block]);
    return null;
  });
};

function titleOf(frame: Frame | null, language: string, own: readonly Element[]): string {
  if (frame && frame.title !== "" && !isLanguageLabel(frame.title, language)) return frame.title;
  return own.map((one) => property(one, "dataTitle") || property(one, "dataFilename")).find(Boolean) ?? "";
}

/** The elements directly around a block, which may name its language. */
const elementsAround = (parents: readonly Parent[]): Element[] =>
  parents
    .slice(-2)
    .toReversed()
    .filter((parent): parent is Element => parent.type === "element")
    .filter((parent) => childrenOf(parent).filter((child) => !isEmpty(child)).length <= 4);
