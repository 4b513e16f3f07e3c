// What is used of a parsed HTML page. The declarations of the parser need those of browsers, which are not there.
import { parseHTML } from "linkedom";

/** An element of a page. */
export interface Element {
  readonly localName: string;
  readonly textContent: string;
  readonly outerHTML: string;
  readonly className: string;
  readonly children: Iterable<Element>;
  readonly childNodes: Iterable<{ readonly nodeType: number; readonly textContent: string }>;
  readonly parentElement: Element | null;
  innerHTML: string;
  getAttribute(name: string): string | null;
  setAttribute(name: string, value: string): void;
  querySelector(selector: string): Element | null;
  querySelectorAll(selector: string): Iterable<Element>;
  closest(selector: string): Element | null;
  remove(): void;
}

/** A page. */
export interface Page extends Element {
  readonly body: Element;
  readonly title: string;
}

/** How many elements may be in one another. */
const deepest = 1000;

/** Elements without an end, and those whose end many leave out. */
const endless = /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr|p|li|d[td]|t[dhr]|option)$/i;

/** The page of a text, whatever it is: HTML has no errors. RangeError for one that would take for ever to walk. */
export function parsePage(html: string): Page {
  const whole = /<html[\s>]/i.test(html) ? html : `<!doctype html><html><head></head><body>${html}</body></html>`;
  let depth = 0;
  for (const [tag, slash, name = ""] of html.matchAll(/<(\/?)([a-z][\w-]*)[^>]*>/gi)) {
    if (!endless.test(name) && !tag.endsWith("/>")) depth += slash ? -1 : 1;
    if (depth > deepest) throw new RangeError("The page is nested too deeply.");
  }
  return parseHTML(whole).document as unknown as Page; // the same by other declarations
}

/** The text of an element on one line. */
export const lineOf = (element: Element | null): string => (element?.textContent ?? "").replaceAll(/\s+/g, " ").trim();
