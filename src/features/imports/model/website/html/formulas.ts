// Formulas of websites (MathML, KaTeX, MathJax, and pictures with the source as their text) as TeX.
import type { Element, ElementContent } from "hast";
import { classesOf, isElement, textOf } from "#src/documents/html/elements.ts";
import { texOf } from "#src/features/imports/model/website/html/mathml.ts";
import {
  childrenOf,
  classText,
  findFirst,
  hasInside,
  type Parent,
  property,
  rawBlock,
  rawInline,
  removeElements,
  replaceElements,
  type Step,
} from "#src/features/imports/model/website/html/tree.ts";

/** TeX within the marks of formulas, which it must not contain. */
const cleanTex = (tex: string): string =>
  tex
    .replace(/^\s*(?:\\\(|\\\[|\$\$?)/, "")
    .replace(/(?:\\\)|\\\]|\$\$?)\s*$/, "")
    .replace(/^\{\\displaystyle\s([^]*)\}$/, "$1")
    .replaceAll(/\$\$+/g, "\\$")
    .trim();

function formula(source: string, isDisplayed: boolean): ElementContent[] {
  const tex = cleanTex(source);
  if (tex === "") return [];
  const line = tex.replaceAll(/\s*\n\s*/g, " ");
  return [isDisplayed ? rawBlock(`$$\n${tex.replaceAll(/\n\s*\n/g, "\n")}\n$$`) : rawInline(`$$${line}$$`)];
}

const annotation = (node: Element): boolean => isElement(node, "annotation") && /tex/i.test(property(node, "encoding"));

/** The TeX of an element that contains MathML; empty without MathML. */
function sourceIn(node: Element): string {
  const source = node.tagName === "annotation" ? node : findFirst(node, annotation);
  if (source) return textOf(source.children);
  const math = node.tagName === "math" ? node : findFirst(node, ({ tagName }) => tagName === "math");
  if (!math) return "";
  return property(math, "alttext") || property(math, "altText") || property(math, "dataLatex") || texOf(math);
}

const isDisplay = (node: Element): boolean =>
  property(node, "display") === "block" ||
  property(node, "display") === "true" ||
  property(node, "mode") === "display" ||
  hasInside(node, (inner) => inner.tagName === "math" && property(inner, "display") === "block");

/** Wrappers of rendered formulas: their text is the formula again, drawn with letters. */
const wrapper =
  /(?:^|\s)(?:katex(?:-display)?|MathJax(?:_Display|_SVG|_CHTML|_SVG_Display|_CHTML_Display)?|mjx-chtml|mwe-math-element|math-tex|tex2jax_process)(?:\s|$)/;

/** Elements whose text is TeX that a script renders. */
const sourceClass = /(?:^|\s)(?:math|arithmatex|math-inline|math-display|math-tex|latex|tex)(?:\s|$)/;

const marked = /^\s*(?:\\\(|\\\[|\$)[^]*(?:\\\)|\\\]|\$)\s*$|^\s*\\begin\{[^]*\\end\{[\w*]+\}\s*$/;

const isScript = (node: Element): boolean => node.tagName === "script" && /^math\/tex/i.test(property(node, "type"));

/** The formula of an element; null if it is not one. */
function formulaOf(node: Element): readonly ElementContent[] | null {
  const classes = classText(node);
  if (isScript(node)) return formula(textOf(node.children), /mode\s*=\s*display/i.test(property(node, "type")));
  if (node.tagName === "math") return formula(sourceIn(node), isDisplay(node));
  if (node.tagName === "img") return pictureFormula(node);
  const source = property(node, "dataLatex") || property(node, "dataTex") || property(node, "dataMath");
  const isWrapper = wrapper.test(classes) || node.tagName === "mjx-container";
  if (isWrapper && source !== "") return formula(source, isDisplay(node) || /display/i.test(classes));
  if (node.tagName === "math-renderer" || sourceClass.test(classes)) return sourceFormula(node);
  return null;
}

function sourceFormula(node: Element): readonly ElementContent[] | null {
  const text = textOf(node.children);
  const isBlock = node.tagName === "div" || /display/i.test(classText(node)) || /^\s*(?:\\\[|\$\$)/.test(text);
  return marked.test(text) ? formula(text, isBlock) : null;
}

/** Pictures that services draw from TeX have it as their text. */
function pictureFormula(node: Element): ElementContent[] | null {
  const isFormula =
    classesOf(node).some((name) => /^(?:latex|tex|math|mwe-math-fallback-image-(?:inline|display))$/.test(name)) ||
    /(?:latex\.php|latex\.codecogs\.com|\/math\/render\/|\/cgi-bin\/mathtex)/.test(property(node, "src"));
  const alt = property(node, "alt");
  if (!isFormula || alt === "") return null;
  return formula(alt, classText(node).includes("display") || /^\\\[|^\$\$/.test(alt.trim()));
}

/** Wrappers, outer ones first, with MathML or a script inside become the formula alone. */
function unwrap(parent: Parent): void {
  const children: ElementContent[] = childrenOf(parent).flatMap((child): readonly ElementContent[] => {
    if (child.type !== "element") return [child];
    if (wrapper.test(classText(child)) || child.tagName === "mjx-container") {
      const source = sourceIn(child);
      const script = findFirst(child, isScript);
      const isBlock = isDisplay(child) || /display/i.test(classText(child));
      if (source !== "") return formula(source, isBlock);
      if (script) return formulaOf(script) ?? [];
      if (property(child, "dataLatex") === "" && /MathJax|mjx/.test(`${classText(child)} ${child.tagName}`)) return [];
    }
    unwrap(child);
    return [child];
  });
  parent.children = children;
}

const preview = /(?:^|\s)(?:MathJax_Preview|katex-html|MathJax_CHTML_focused)(?:\s|$)/;

/** Makes formulas TeX within `$$`, on lines of their own if the page shows them so. */
export const convertFormulas: Step = (tree) => {
  removeElements(tree, (node) => preview.test(classText(node)));
  unwrap(tree);
  replaceElements(tree, formulaOf);
};

/** Each formula has a most length, so that texts full of beginnings take linear time. */
const written = /\\\(((?:[^\\]|\\(?!\))){1,2000})\\\)|\\\[((?:[^\\]|\\(?!\])){1,2000})\\\]|\$\$([^$]{1,2000})\$\$/g;

/** Makes TeX in the text of a page formulas, for pages on which a script draws it. */
export const convertWrittenFormulas: Step = (tree) => {
  const visit = (parent: Parent): void => {
    parent.children = childrenOf(parent).flatMap((child): ElementContent[] => {
      if (child.type === "text") return formulasIn(child.value);
      if (child.type === "element" && !/^(?:pre|code|kbd|samp|script|style)$/.test(child.tagName)) visit(child);
      return [child];
    });
  };
  visit(tree);
};

function formulasIn(text: string): ElementContent[] {
  const parts: ElementContent[] = [];
  let end = 0;
  for (const match of text.matchAll(written)) {
    const [whole, inline, display, dollars] = match;
    parts.push({ type: "text", value: text.slice(end, match.index) });
    parts.push(...formula(inline ?? display ?? dollars ?? "", inline === undefined));
    end = match.index + whole.length;
  }
  return end === 0 ? [{ type: "text", value: text }] : [...parts, { type: "text", value: text.slice(end) }];
}
