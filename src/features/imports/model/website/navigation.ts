// The navigation of a site: the order and the nesting of its pages, as a page of it shows them.
import { type Element, lineOf, type Page } from "#src/features/imports/model/website/dom.ts";
import type { SiteScope } from "#src/features/imports/model/website/scope.ts";

/** A page, a heading for those below it, or a link that leads elsewhere. */
export interface NavigationItem {
  readonly title: string;
  /** Null for none. */
  readonly url: string | null;
  readonly items: NavigationItem[];
}

const places =
  "nav, aside, [role=navigation], [class*=sidebar], [id*=sidebar], [class*=toctree], [id*=toctree], [class*=menu], [id*=menu], [class*=toc], [id*=toc]";

/** Looking at more than these would take long. */
const placeLimit = 200;
const itemLimit = 5_000;

/** The navigation of a page whose addresses are absolute: of the place with most links to pages of the site. */
export function findNavigation(page: Page, scope: SiteScope): NavigationItem[] {
  let best: { place: Element; count: number; size: number } | undefined;
  for (const place of [...page.querySelectorAll(places)].slice(0, placeLimit)) {
    const links = [...place.querySelectorAll("a[href]")].slice(0, itemLimit);
    const count = new Set(links.map((link) => scope.keyOf(withoutHash(link)))).size;
    const size = place.outerHTML.length;
    // The innermost of those with as many.
    if (count > 1 && (!best || count > best.count || (count === best.count && size < best.size)))
      best = { place, count, size };
  }
  if (!best) return [];
  const items = new Reading().read(best.place);
  const [only] = items;
  return only && items.length === 1 && only.url === null ? only.items : items;
}

/** A link within its own page is none to another. */
const withoutHash = (link: Element): string => {
  const address = link.getAttribute("href") ?? "";
  return address.includes("#") ? "" : address;
};

const isList = ({ localName }: Element): boolean => localName === "ul" || localName === "ol" || localName === "menu";

const isCaption = (element: Element): boolean =>
  (/^(?:h[1-6]|summary)$/.test(element.localName) || /caption|title|heading/i.test(element.className)) &&
  element.querySelector("a[href], ul, ol") === null &&
  lineOf(element) !== "";

/** One reading of a place in a page. */
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

/** The text that an element has itself, and not by those in it. */
const ownText = ({ childNodes }: Element): string =>
  [...childNodes]
    .flatMap(({ nodeType, textContent }) => (nodeType === textNode ? textContent : []))
    .join(" ")
    .replaceAll(/\s+/g, " ")
    .trim();

const textNode = 3;
