// Formulas as MathML, made by KaTeX. A formula with a mistake is shown as it was written.
import type { Element, ElementContent } from "hast";
import katex from "katex";
import rehypeParse from "rehype-parse";
import { unified } from "unified";
import { element, isElement } from "#src/documents/html/elements.ts";

/** Without links, classes, styles and images of authors, and with limits of sizes and macros. */
const options = {
  output: "mathml",
  throwOnError: true,
  trust: false,
  strict: "ignore",
  maxSize: 20,
  maxExpand: 200,
} as const;

const parser = unified().use(rehypeParse, { fragment: true }).freeze();

/** A formula in a line, or on lines of its own. */
export function formula(tex: string, isDisplayed: boolean): ElementContent {
  const math = mathOf(tex, isDisplayed);
  if (!math) return element("code", { className: ["formula-error"] }, [tex]);
  return isDisplayed ? element("div", { className: ["formula"], tabIndex: 0 }, [math]) : math;
}

function mathOf(tex: string, displayMode: boolean): Element | null {
  try {
    const html = katex.renderToString(tex, { ...options, displayMode });
    const [span] = parser.parse(html).children;
    const [math] = isElement(span, "span") ? span.children : [];
    if (!isElement(math, "math")) return null;
    return { ...math, children: math.children.flatMap(withoutSource) };
  } catch (error) {
    if (error instanceof katex.ParseError || error instanceof RangeError) return null;
    throw error;
  }
}

/** What `semantics` contains besides the source of the formula. */
const withoutSource = (node: ElementContent): ElementContent[] =>
  isElement(node, "semantics") ? node.children.filter((child) => !isElement(child, "annotation")) : [node];
