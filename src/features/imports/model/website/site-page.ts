// Reading one page of a site: its text as Markdown, with the places of the addresses in it, and where it leads.
import { Readability } from "@mozilla/readability";
import type { Nodes, Root } from "mdast";
import rehypeParse from "rehype-parse";
import rehypeRemark from "rehype-remark";
import { unified } from "unified";
import { writeMarkdown } from "#src/documents/markdown.ts";
import { type Element, lineOf, type Page, parsePage } from "#src/features/imports/model/website/dom.ts";
import { findNavigation, type NavigationItem } from "#src/features/imports/model/website/navigation.ts";
import { SiteScope } from "#src/features/imports/model/website/scope.ts";

/** A page that is to be read. */
export interface AskedPage {
  readonly html: string;
  /** Where it came from, and where the site begins. */
  readonly url: string;
  readonly start: string;
}

export interface SitePage {
  /** Empty where it has none. */
  readonly title: string;
  /** Its text: the first piece, the first address, the second piece and so on; there is one piece more. */
  readonly pieces: readonly string[];
  readonly addresses: readonly SiteAddress[];
  /** Where all links of the page lead, in their order, each once. */
  readonly links: readonly string[];
  readonly navigation: readonly NavigationItem[];
}

/** Where a link of a text leads, or what an image shows. */
interface SiteAddress {
  readonly url: string;
  readonly isImage: boolean;
}

/** Reads a page. Throws RangeError for one that is nested too deeply. */
export function readSitePage({ html, url, start }: AskedPage): SitePage {
  const page = parsePage(html);
  makeAbsolute(page, url);
  const links = [...page.querySelectorAll("a[href]")].map((link) =>
    (link.getAttribute("href") ?? "").replace(/#.*/s, ""),
  );
  const navigation = findNavigation(page, new SiteScope(new URL(start)));
  prepare(page);
  const heading = page.querySelector("main h1, article h1, [role=main] h1") ?? page.querySelector("h1");
  const title = lineOf(heading) || titleOf(page);
  heading?.remove();
  return { title, ...markdownOf(contentOf(page)), links: [...new Set(links)].filter(isOfWeb), navigation };
}

const isOfWeb = (url: string): boolean => /^https?:/i.test(url);

/** The title of the page without the name of the site behind it. */
const titleOf = (page: Page): string => lineOf(page.querySelector("title")).replace(/\s+[|·—–-]\s+[^|·—–-]*$/u, "");

/** Writes every address in full, as seen from where the page came from or from where it says. */
function makeAbsolute(page: Page, url: string): void {
  const base = URL.parse(page.querySelector("base[href]")?.getAttribute("href") ?? "", url)?.href ?? url;
  for (const name of ["href", "src"])
    for (const element of page.querySelectorAll(
      `a[${name}], img[${name}], source[${name}], video[${name}], audio[${name}]`,
    )) {
      const address = element.getAttribute(name) ?? "";
      element.setAttribute(name, URL.parse(address, base)?.href ?? "");
    }
}

/** Nothing of a text: what runs, what is only for looking at pages, and the anchors that headings offer. */
const furniture =
  "script, style, noscript, template, iframe, object, embed, form, button, input, select, textarea, svg, canvas, [hidden], .headerlink, .anchor-link, .hash-link, .header-anchor, .anchorjs-link";

function prepare(page: Page): void {
  for (const element of page.querySelectorAll(furniture)) if (!isTask(element)) element.remove();
  for (const link of page.querySelectorAll("h1 a, h2 a, h3 a, h4 a, h5 a, h6 a"))
    if (/^[\s#¶§🔗]*$/u.test(link.textContent) && link.querySelector("img") === null) link.remove();
  for (const code of page.querySelectorAll("pre")) sayLanguage(code);
}

/** The box of a task in a list. */
const isTask = (element: Element): boolean =>
  element.localName === "input" && element.getAttribute("type") === "checkbox" && element.closest("li") !== null;

const language = /(?:^|\s)(?:lang(?:uage)?|highlight(?:-source)?|brush:?)[-\s]([\w+#.]+)/i;

/** Says the language of a block of code as all do who follow the standard: many say it of what is around the block. */
function sayLanguage(block: Element): void {
  const inner = block.querySelector("code");
  const places = [inner, block, block.parentElement, block.parentElement?.parentElement];
  const found = places
    .map((place) => language.exec(place?.className ?? "")?.[1])
    .find((name) => name && name !== "default");
  const name = found?.toLowerCase() ?? "";
  const text = (inner ?? block).textContent;
  block.innerHTML = "<code></code>";
  const code = block.querySelector("code");
  if (!code) return;
  if (name && name !== "notranslate") code.setAttribute("class", `language-${name}`);
  code.innerHTML = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

/** What is left of a page when it is read may be so much shorter than what it says is its main part. */
const enough = 0.7;

/** The HTML of what the page is about. */
function contentOf(page: Page): string {
  const mains = [...page.querySelectorAll("main, [role=main]")];
  const articles = [...page.querySelectorAll("article")];
  const main = mains[0] ?? (articles.length === 1 ? articles[0] : undefined);
  const own = main ?? page.body;
  for (const element of own.querySelectorAll("nav, aside, footer, [role=navigation]")) element.remove();
  const copy = parsePage(`<!doctype html><html><head></head><body>${own.innerHTML}</body></html>`);
  const read = new Readability(copy as never, { keepClasses: true, charThreshold: 20 }).parse(); // it is a document
  const length = lineOf(own).length;
  const isGood = read?.content && (!main || (read.textContent ?? "").length > enough * length);
  return isGood ? (read.content ?? "") : own.innerHTML;
}

const converter = unified().use(rehypeParse, { fragment: true }).use(rehypeRemark).freeze();

/** The text of HTML, cut at its addresses. */
function markdownOf(html: string): Pick<SitePage, "pieces" | "addresses"> {
  const tree: Root = converter.runSync(converter.parse(html));
  const mark = `address${Math.random().toString(36).slice(2)}x`;
  const addresses: SiteAddress[] = [];
  const open: Nodes[] = [tree];
  for (let node = open.pop(); node; node = open.pop()) {
    if ((node.type === "link" || node.type === "image" || node.type === "definition") && node.url !== "") {
      addresses.push({ url: node.url, isImage: node.type === "image" });
      node.url = `${mark}${addresses.length - 1}x`;
    }
    if ("children" in node) open.push(...node.children);
  }
  const parts = writeMarkdown(tree).split(new RegExp(`${mark}(\\d+)x`));
  return {
    pieces: parts.filter((_part, index) => index % 2 === 0),
    addresses: parts.flatMap((part, index) => (index % 2 === 1 ? (addresses[Number(part)] ?? []) : [])),
  };
}
