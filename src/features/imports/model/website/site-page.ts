// Extracts the text of a web page as Markdown split at its URLs, its links and its navigation. Runs in threads.
import { Readability } from "@mozilla/readability";
import type { Nodes, Root } from "mdast";
import rehypeParse from "rehype-parse";
import rehypeRemark from "rehype-remark";
import { unified } from "unified";
import robotsModule from "robots-parser";
import { writeMarkdown } from "#src/documents/markdown.ts";
import { type Element, lineOf, type Page, parsePage } from "#src/features/imports/model/website/dom.ts";
import { findNavigation, type NavigationItem } from "#src/features/imports/model/website/navigation.ts";
import { SiteScope } from "#src/features/imports/model/website/scope.ts";
import { serveTasks } from "#src/runtime/threads.ts";

export interface PageTask {
  readonly html: string;
  readonly url: string;
  /** The start URL of the site. */
  readonly start: string;
}

export interface SitePage {
  readonly title: string;
  /** The text around {@link SitePage.addresses}, with one piece more than addresses. */
  readonly pieces: readonly string[];
  readonly addresses: readonly SiteAddress[];
  /** The distinct URLs of all links of the page. */
  readonly links: readonly string[];
  readonly navigation: readonly NavigationItem[];
}

type SiteAddress = { readonly url: string; readonly isImage: boolean };

/** Throws RangeError if the page is nested too deeply. */
function readSitePage({ html, url, start }: PageTask): SitePage {
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

/** The title without the name of the site at its end. */
const titleOf = (page: Page): string => lineOf(page.querySelector("title")).replace(/\s+[|·—–-]\s+[^|·—–-]*$/u, "");

/** Resolves every URL against the base of the page. */
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

/** Elements outside the text: scripts, forms, hidden elements, and the anchors of headings. */
const notText =
  "script, style, noscript, template, iframe, object, embed, form, button, input, select, textarea, svg, canvas, [hidden], .headerlink, .anchor-link, .hash-link, .header-anchor, .anchorjs-link";

function prepare(page: Page): void {
  for (const element of page.querySelectorAll(notText)) if (!isTask(element)) element.remove();
  for (const link of page.querySelectorAll("h1 a, h2 a, h3 a, h4 a, h5 a, h6 a"))
    if (/^[\s#¶§🔗]*$/u.test(link.textContent) && link.querySelector("img") === null) link.remove();
  for (const code of page.querySelectorAll("pre")) setLanguage(code);
}

const isTask = (element: Element): boolean =>
  element.localName === "input" && element.getAttribute("type") === "checkbox" && element.closest("li") !== null;

const language = /(?:^|\s)(?:lang(?:uage)?|highlight(?:-source)?|brush:?)[-\s]([\w+#.]+)/i;

/** Sets the language of a code block in the standard way: many sites set it on an enclosing element. */
function setLanguage(block: Element): void {
  const inner = block.querySelector("code");
  const elements = [inner, block, block.parentElement, block.parentElement?.parentElement];
  const found = elements
    .map((element) => language.exec(element?.className ?? "")?.[1])
    .find((name) => name && name !== "default");
  const name = found?.toLowerCase() ?? "";
  const text = (inner ?? block).textContent;
  block.innerHTML = "<code></code>";
  const code = block.querySelector("code");
  if (!code) return;
  if (name && name !== "notranslate") code.setAttribute("class", `language-${name}`);
  code.innerHTML = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

/** The minimum share of the main element that Readability must keep. */
const enough = 0.7;

/** The HTML of the main content. */
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

/** Converts HTML to Markdown, split at its URLs. */
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

/** URLs to check against the rules of a site, as returned by `robotsTextFor`. */
export interface RulesTask {
  /** The URL of the `robots.txt`. */
  readonly robots: string;
  readonly rules: string;
  readonly addresses: readonly string[];
}

export type SiteAnswer = { readonly page: SitePage } | { readonly problem: string } | { readonly allowed: boolean[] };

/** The module exports this function; its declarations claim a `default` export. */
const robotsParser = robotsModule as unknown as typeof robotsModule.default;

serveTasks((task: PageTask | RulesTask): SiteAnswer => {
  if ("addresses" in task) {
    const robots = robotsParser(task.robots, task.rules);
    return { allowed: task.addresses.map((address) => robots.isAllowed(address, "*") ?? true) };
  }
  try {
    return { page: readSitePage(task) };
  } catch (error) {
    if (error instanceof RangeError) return { problem: "It is nested too deeply." }; // the call stack is full
    return { problem: "It cannot be read as HTML." }; // a parser has failed
  }
});
