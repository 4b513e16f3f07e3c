// Extracts the text of a web page as Markdown split at its URLs, its links and its navigation. Runs in threads.
import robotsModule from "robots-parser";
import { inFigures } from "#src/base/limits.ts";
import { type Element, lineOf, type Page, parsePage } from "#src/features/imports/model/website/dom.ts";
import { markdownOf, type PageMarkdown } from "#src/features/imports/model/website/html/to-markdown.ts";
import { mainOf, mainPartOf } from "#src/features/imports/model/website/main-part.ts";
import { findNavigation, type NavigationItem } from "#src/features/imports/model/website/navigation.ts";
import { makeAbsolute } from "#src/features/imports/model/website/page-addresses.ts";
import { SiteScope } from "#src/features/imports/model/website/scope.ts";
import { serveTasks } from "#src/runtime/threads.ts";

export interface PageTask {
  readonly html: string;
  readonly url: string;
  /** The start URL of the site. */
  readonly start: string;
}

export interface SitePage extends PageMarkdown {
  readonly title: string;
  /** The ids of the heading that became the title: links to them lead to the page. */
  readonly titleNames: readonly string[];
  /** The distinct URLs of all links of the page. */
  readonly links: readonly string[];
  readonly navigation: readonly NavigationItem[];
  /** The URL that the page without text sends its readers to. */
  readonly movedTo: string | null;
  /** Why the page has no text, or less than a reader sees; null for other pages. */
  readonly lack: PageLack | null;
}

/** `isEmpty` is set for a page without any text. */
export type PageLack = { readonly reason: string; readonly isEmpty: boolean };

/** Throws RangeError if the page is nested too deeply. */
function readSitePage({ html, url, start }: PageTask): SitePage {
  const page = parsePage(html);
  makeAbsolute(page, url);
  const links = [...page.querySelectorAll("a[href]")].map((link) =>
    (link.getAttribute("href") ?? "").replace(/#.*/s, ""),
  );
  const navigation = findNavigation(page, new SiteScope(new URL(start)));
  const movedTo = refreshOf(page, url);
  const signs = signsOf(page);
  for (const element of page.querySelectorAll("noscript")) element.remove();
  const heading = page.querySelector("main h1, article h1, [role=main] h1") ?? page.querySelector("h1");
  const title = lineOf(heading) || titleOf(page);
  const titleNames = heading ? takeNames(heading) : [];
  const main = mainOf(page);
  heading?.remove();
  const drawsFormulas = /mathjax|katex|tex-mml|tex-svg|tex-chtml/i.test(scriptsOf(page));
  const text = markdownOf({ ...mainPartOf(page, main), drawsFormulas });
  const lack = lackOf(text, signs);
  return {
    title,
    titleNames,
    ...text,
    links: [...new Set(movedTo === null ? links : [...links, movedTo])].filter(isOfWeb),
    navigation,
    movedTo: lack?.isEmpty ? movedTo : null,
    lack,
  };
}

const isOfWeb = (url: string): boolean => /^https?:/i.test(url);

/** The title without the name of the site at its end. */
const titleOf = (page: Page): string => lineOf(page.querySelector("title")).replace(/\s+[|·—–-]\s+[^|·—–-]*$/u, "");

/** Takes the ids of a heading, of anchors in it, and of the section that it begins, which another heading would get. */
function takeNames(heading: Element): string[] {
  const section = heading.parentElement;
  const isFirst = section !== null && [...section.children][0] === heading && section.localName !== "body";
  const anchors = [heading, ...heading.querySelectorAll("a, span"), ...(isFirst ? [section] : [])];
  const names = anchors.flatMap((one) => [one.getAttribute("id"), one.getAttribute("name")]);
  if (isFirst) section.removeAttribute("id");
  return names.filter((name): name is string => name !== null && name !== "");
}

/** The addresses of scripts, and the start of each script in the page. */
const scriptsOf = (page: Page): string =>
  Array.from(
    page.querySelectorAll("script"),
    (script) => `${script.getAttribute("src") ?? ""} ${script.textContent.slice(0, 2_000)}`,
  ).join(" ");

/** The URL of `<meta http-equiv="refresh">` with a short delay. */
function refreshOf(page: Page, url: string): string | null {
  const element = [...page.querySelectorAll("meta[http-equiv]")].find(
    (one) => one.getAttribute("http-equiv")?.toLowerCase() === "refresh",
  );
  const [, delay, target] =
    /^\s*(\d{1,3})(?:\.\d*)?\s*[;,]\s*(?:url\s*=\s*)?["']?([^"'\s]{1,2000})/i.exec(
      element?.getAttribute("content") ?? "",
    ) ?? [];
  return target === undefined || Number(delay) > 10 ? null : (URL.parse(target, url)?.href ?? null);
}

interface PageSigns {
  /** Whether scripts make the page, or parts of it. */
  readonly isApplication: boolean;
  readonly asksToSignIn: boolean;
}

const roots =
  "#root, #app, #__next, #__nuxt, #___gatsby, #svelte, app-root, [data-reactroot], [ng-app], [data-server-rendered]";

function signsOf(page: Page): PageSigns {
  const root = page.querySelector(roots);
  const notices = Array.from(page.querySelectorAll("noscript"), lineOf).join(" ");
  const hasScripts = page.querySelector("script[src], script[type=module]") !== null;
  return {
    isApplication: (root !== null && lineOf(root) === "" && hasScripts) || /java\s?script/i.test(notices),
    asksToSignIn: page.querySelector("input[type=password]") !== null,
  };
}

/** A text below this number of characters may be the frame of a page alone. */
const littleText = 200;

function lackOf({ pieces, addresses }: PageMarkdown, { isApplication, asksToSignIn }: PageSigns): PageLack | null {
  const text = pieces.join("").replaceAll(/<[^<>]*>|\{%[^%]*%\}/g, "");
  const count = text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
  const isEmpty = count === 0 && !addresses.some(({ isImage }) => isImage) && !/\{% embed/.test(pieces.join(""));
  if (asksToSignIn && count < littleText)
    return { reason: "It asks readers to sign in, and has no other text.", isEmpty: true };
  if (isEmpty && isApplication) return { reason: "It has no text without JavaScript.", isEmpty };
  if (isEmpty) return { reason: "It has no text.", isEmpty };
  return isApplication && count < littleText
    ? { reason: "It has little text without JavaScript: parts of it may be missing.", isEmpty }
    : null;
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

/** Lists of as many parts, which parsing makes at once, fit into the reserve of a thread (runtime/threads.ts). */
const mostMarks = 1_000_000;

/** Whether a page has more signs of tags and references to characters than any page that people read. */
function hasTooManyMarks(html: string): boolean {
  let count = 0;
  for (const mark of ["<", "&"])
    for (let at = html.indexOf(mark); at >= 0; at = html.indexOf(mark, at + 1)) if (++count > mostMarks) return true;
  return false;
}

serveTasks((task: PageTask | RulesTask): SiteAnswer => {
  if ("addresses" in task) {
    const robots = robotsParser(task.robots, task.rules);
    return { allowed: task.addresses.map((address) => robots.isAllowed(address, "*") ?? true) };
  }
  if (hasTooManyMarks(task.html)) return { problem: `It has more than ${inFigures(mostMarks)} tags and references.` };
  try {
    return { page: readSitePage(task) };
  } catch (error) {
    if (error instanceof RangeError) return { problem: "It is nested too deeply." }; // the call stack is full
    return { problem: "It cannot be read as HTML." }; // a parser has failed
  }
});
