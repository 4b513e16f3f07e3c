// Types of the used subset of the DOM: the declarations of the parser depend on those of browsers.
import { parseHTML } from "linkedom";

export interface Element {
  readonly localName: string;
  readonly textContent: string;
  readonly outerHTML: string;
  readonly className: string;
  readonly children: Iterable<Element>;
  readonly childNodes: Iterable<{ readonly nodeType: number; readonly textContent: string }>;
  readonly parentElement: Element | null;
  readonly previousElementSibling: Element | null;
  innerHTML: string;
  getAttribute(name: string): string | null;
  setAttribute(name: string, value: string): void;
  querySelector(selector: string): Element | null;
  querySelectorAll(selector: string): Iterable<Element>;
  closest(selector: string): Element | null;
  removeAttribute(name: string): void;
  replaceWith(other: Element): void;
  remove(): void;
}

export type Page = Element & { readonly body: Element; readonly title: string };

const deepest = 1000;

/** Elements whose end tag is missing or optional. */
const endless = /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr|p|li|d[td]|t[dhr]|option)$/i;

/** Parses any text as HTML. RangeError if it is nested too deeply. */
export function parsePage(html: string): Page {
  const whole = /<html[\s>]/i.test(html) ? html : `<!doctype html><html><head></head><body>${html}</body></html>`;
  let depth = 0;
  for (const [tag, slash, name = ""] of html.matchAll(/<(\/?)([a-z][\w-]*)[^>]*>/gi)) {
    if (!endless.test(name) && !tag.endsWith("/>")) depth += slash ? -1 : 1;
    if (depth > deepest) throw new RangeError("The page is nested too deeply.");
  }
  return parseHTML(whole).document as unknown as Page; // the same object with other declarations
}

export const lineOf = (element: Element | null): string => (element?.textContent ?? "").replaceAll(/\s+/g, " ").trim();
