// Notes, tips and warnings of site generators, as hints.
import type { Element, ElementContent } from "hast";
import { classesOf, element, isElement } from "#src/documents/html/elements.ts";
import { type HintStyle, styleOf } from "#src/documents/html/block-names.ts";
import {
  childrenOf,
  classWords,
  elementsOf,
  findAll,
  findFirst,
  hasInside,
  isEmpty,
  lineIn,
  type Parent,
  property,
  rawBlock,
  replaceElements,
  type Step,
} from "#src/features/imports/model/website/html/tree.ts";

/** Elements that may be admonitions. Expandable ones stay `details`. */
const elements: ReadonlySet<string> = new Set("aside article blockquote div figure p section table".split(" "));

/** Words in the classes of admonitions of many generators. */
const boxes: ReadonlySet<string> = new Set(
  (
    "admonition admonitionblock alert announcement callout hint infobox macro message notecard notice notices " +
    "directive messagebox"
  ).split(" "),
);

/** Words in the classes of parts of admonitions, and of boxes that are not admonitions. */
const parts: ReadonlySet<string> = new Set(
  (
    "title heading header icon content body inner label wrapper list link links text toggle close container " +
    "footnote group grid tooltip dialog"
  ).split(" "),
);

/** Words that are admonitions as the only class of an element. */
const alone = /^(?:note|tip|hint|warn|warning|caution|danger|important|attention)$/i;

/** Styles that site generators name in other ways. */
const otherStyles: Readonly<Record<string, HintStyle>> = {
  primary: "info",
  secondary: "info",
  information: "info",
  seealso: "info",
  default: "info",
  warn: "warning",
  todo: "warning",
  deprecated: "warning",
  positive: "success",
  negative: "danger",
  critical: "danger",
  security: "danger",
};

const named = (word: string): HintStyle | null =>
  styleOf(word) ?? (Object.hasOwn(otherStyles, word) ? (otherStyles[word] ?? null) : null);

const typeAttributes = ["dataCallout", "dataCalloutType", "dataAdmonitionType", "dataType", "dataVariant", "type"];

/** Words that are the name of the box in one tool and of a style in another. */
const ambiguous: ReadonlySet<string> = new Set(["hint", "note", "example", "summary", "help", "information"]);

function styleIn(node: Element): HintStyle | null {
  const given = typeAttributes.map((name) => property(node, name).toLowerCase()).filter((value) => value !== "");
  const words = [...given, ...classWords(node)];
  const word =
    words.find((one) => !ambiguous.has(one) && named(one) !== null) ?? words.find((one) => named(one) !== null);
  return word === undefined ? null : named(word);
}

/** Whether an element is an admonition: by its role, by a box of a known name, or by a style as its only class. */
function isAdmonition(node: Element): boolean {
  if (!elements.has(node.tagName) || hasInside(node, ({ tagName }) => /^h[12]$/.test(tagName))) return false;
  if (property(node, "role") === "note" && node.tagName !== "table") return lineIn(node) !== "";
  const classes = classesOf(node);
  if (classes.some((name) => alone.test(name)) && classes.length <= 3 && !isPart(classWords(node)))
    return node.tagName !== "table";
  if (classes.some((name) => /^is-(?:info|success|warning|danger)$/.test(name))) return node.tagName === "blockquote";
  if (classes.includes("custom-block") || classes.includes("hint-container")) return styleIn(node) !== null;
  const words = classWords(node);
  const isBox = classes.some((name) => isBoxName(name)) || words.includes("admonition");
  return isBox && !isPart(classes.flatMap(ownWords)) && (styleIn(node) !== null || isPlainBox(node));
}

const isPlainBox = (node: Element): boolean =>
  /^(?:aside|figure|div)$/.test(node.tagName) &&
  classesOf(node).some((name) => /(?:^|-)(?:callout|admonition)$/.test(name));

const wordsIn = (name: string): string[] =>
  name
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ")
    .toLowerCase()
    .split(/[^a-z\d]+/);

const isBoxName = (name: string): boolean => {
  const words = wordsIn(name);
  return (
    words.some((word, index) => boxes.has(word) || (index === 0 && word === "note")) ||
    /(?:^|-)aside(?:--|$)/.test(name)
  );
};

/** The words of a class that names a box: `callout-content` is a part of one. */
const ownWords = (name: string): string[] => (isBoxName(name) ? wordsIn(name) : []);

const isPart = (words: readonly string[]): boolean => words.some((word) => parts.has(word));

const titleWord = /^(?:title|heading|header|head|label|summary|caption)$/;

/** The title of an admonition before its text. */
function titleIn(node: Element): Element | undefined {
  const isTitle = (inner: Element): boolean =>
    classWords(inner).some((word) => titleWord.test(word)) || /^h[3-6]$/.test(inner.tagName);
  const title = findFirst(node, (inner) => isTitle(inner) && lineIn(inner) !== "" && lineIn(inner).length <= 200);
  return title && lineIn(node).startsWith(lineIn(title)) ? title : undefined;
}

/** Whether a title says only the kind of the admonition. */
const isKind = (title: string, style: HintStyle): boolean => {
  const word = title
    .toLowerCase()
    .replaceAll(/[^\p{L}\s]/gu, "")
    .trim();
  return (
    [word, word.replace(/s$/, "")].some((one) => named(one) !== null) ||
    word === style ||
    /^(?:see also|pro tip|heads up|beware)$/.test(word)
  );
};

/** Labels of icons in cells and elements beside the text, such as AsciiDoctor's. */
const isIcon = (node: Element): boolean =>
  classesOf(node).some((name) => /(?:^|[-_])icon(?:$|[-_])/i.test(name)) || node.tagName === "svg";

const cellsOf = (table: Element): Element[] => findAll(table, ({ tagName }) => tagName === "td" || tagName === "th");

/** The blocks of an admonition without its icon. A table of one row lays out the icon and the text. */
function contentOf(node: Element): ElementContent[] {
  const table = node.tagName === "table" ? node : elementsOf(node).find(({ tagName }) => tagName === "table");
  const cells = table && !isUsedTable(table) ? cellsOf(table).filter((cell) => !isIcon(cell)) : [];
  if (cells.length === 0) return childrenOf(node);
  const beside = table === node ? [] : childrenOf(node).filter((child) => child !== table);
  return [...beside, ...cells.map(({ children }) => element("div", {}, children))];
}

const isUsedTable = (table: Element): boolean => findAll(table, ({ tagName }) => tagName === "tr").length > 1;

function iconTitle(node: Element): string {
  const icon = findFirst(node, isIcon);
  if (!icon) return "";
  const inner = findFirst(icon, (one) => property(one, "title") !== "");
  return lineIn(icon) || property(icon, "title") || (inner ? property(inner, "title") : "");
}

/** The hint of an admonition; nothing if it has no text. */
function hintOf(node: Element): ElementContent[] {
  const label = iconTitle(node) || property(node, "ariaLabel");
  const style = styleIn(node) ?? named(label.toLowerCase()) ?? "info";
  const body = element("div", {}, contentOf(node));
  const title = titleIn(body);
  const text = title ? lineIn(title) : "";
  if (title) removeNode(body, title);
  else dropKind(body, style);
  const isTitled = text !== "" && !isKind(text, style);
  const head = title && isTitled ? [element("p", {}, [element("strong", {}, titleContent(title))])] : [];
  const children = [...head, ...body.children];
  return children.every(isEmpty) ? [] : [rawBlock(`{% hint style="${style}" %}`, children, "{% endhint %}")];
}

/** A title in bold needs no emphasis within. */
const titleContent = ({ children }: Element): ElementContent[] =>
  children
    .filter((child) => !(child.type === "element" && isIcon(child)))
    .flatMap((child) => (isElement(child, "strong") || isElement(child, "b") ? child.children : [child]));

function removeNode(parent: Parent, node: Element): void {
  parent.children = childrenOf(parent).filter((child) => child !== node);
  for (const child of elementsOf(parent)) removeNode(child, node);
}

/** Removes a first paragraph that says only the kind. */
function dropKind(body: Element, style: HintStyle): void {
  const first = findFirst(body, ({ tagName }) => tagName === "p");
  const isFirst = first && lineIn(body).startsWith(lineIn(first));
  if (first && isFirst && isKind(lineIn(first), style)) removeNode(body, first);
}

/** Makes admonitions hints. */
export const convertAdmonitions: Step = (tree) => {
  replaceElements(tree, (node) => (isAdmonition(node) ? hintOf(node) : null));
};
