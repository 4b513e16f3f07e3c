// Finds the navigation of a site in a page: the order and nesting of its pages.
import { type Element, lineOf, type Page } from "#src/features/imports/model/website/dom.ts";
import type { SiteScope } from "#src/features/imports/model/website/scope.ts";

/** A page, a heading, or a link out of the site. */
export interface NavigationItem {
  readonly title: string;
  readonly url: string | null;
  readonly items: NavigationItem[];
}

const candidates =
  "nav, aside, [role=navigation], [class*=sidebar], [id*=sidebar], [class*=toctree], [id*=toctree], [class*=menu], [id*=menu], [class*=toc], [id*=toc]";

const candidateLimit = 200;
const itemLimit = 5_000;

/** The navigation of a page with absolute URLs: the element with the most links to pages of the site. */
export function findNavigation(page: Page, scope: SiteScope): NavigationItem[] {
  let best: { place: Element; count: number; size: number } | undefined;
  for (const place of [...page.querySelectorAll(candidates)].slice(0, candidateLimit)) {
    const links = [...place.querySelectorAll("a[href]")].slice(0, itemLimit);
    const count = new Set(links.map((link) => scope.keyOf(withoutHash(link))).filter((key) => key !== null)).size;
    const size = place.outerHTML.length;
    // the innermost of those with the same number
    if (count > 1 && (!best || count > best.count || (count === best.count && size < best.size)))
      best = { place, count, size };
  }
  if (!best) return [];
  const items = new Reading().read(best.place);
  const [only] = items;
  return only && items.length === 1 && only.url === null ? only.items : items;
}

/** Ignores links within the page. */
const withoutHash = (link: Element): string => {
  const address = link.getAttribute("href") ?? "";
  return address.includes("#") ? "" : address;
};

const isList = ({ localName }: Element): boolean => localName === "ul" || localName === "ol" || localName === "menu";

const isCaption = (element: Element): boolean =>
  (/^(?:h[1-6]|summary)$/.test(element.localName) || /caption|title|heading/i.test(element.className)) &&
  element.querySelector("a[href], ul, ol") === null &&
  lineOf(element) !== "";

class Reading {
  #count = 0;

  read(place: Element): NavigationItem[] {
    const items: NavigationItem[] = [];
    let group = items;
    const walk = (element: Element): void => {
      for (const child of element.children) {
        if (isList(child)) group.push(...this.#list(child));
        else if (child.localName === "a" && child.getAttribute("href")) group.push(...this.#item(child, []));
        else if (isCaption(child)) {
          const opened = { title: lineOf(child), url: null, items: [] };
          items.push(opened);
          group = opened.items;
        } else walk(child);
      }
    };
    walk(place);
    return items.filter(({ url, items: below }) => url !== null || below.length > 0);
  }

  #list(list: Element): NavigationItem[] {
    return [...list.children].flatMap((entry) => {
      if (isList(entry)) return this.#list(entry);
      const lists: Element[] = [];
      let link: Element | null = null;
      let caption = "";
      const walk = (element: Element): void => {
        for (const child of element.children) {
          if (isList(child)) lists.push(child);
          else if (child.localName === "a" && child.getAttribute("href")) link ??= child;
          else {
            if (child.querySelector("a[href], ul, ol") === null) caption ||= lineOf(child);
            walk(child);
          }
        }
      };
      walk(entry);
      const below = lists.flatMap((inner) => this.#list(inner));
      if (link) return this.#item(link, below);
      return below.length > 0 ? [{ title: caption || ownText(entry), url: null, items: below }] : [];
    });
  }

  #item(link: Element, items: NavigationItem[]): NavigationItem[] {
    this.#count += 1;
    const url = link.getAttribute("href");
    return this.#count > itemLimit ? [] : [{ title: lineOf(link), url, items }];
  }
}

/** The text of an element without that of its children. */
const ownText = ({ childNodes }: Element): string =>
  [...childNodes]
    .flatMap(({ nodeType, textContent }) => (nodeType === textNode ? textContent : []))
    .join(" ")
    .replaceAll(/\s+/g, " ")
    .trim();

const textNode = 3;
