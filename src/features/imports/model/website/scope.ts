// The scope of an imported site: its URLs, and the file names of its pages.
import { percentDecoded } from "#src/base/url-text.ts";
import { isLeftover } from "#src/features/imports/model/files.ts";

/** Paths that are not pages. */
const notPage =
  /\.(?:pdf|zip|t?gz|bz2|xz|7z|rar|tar|png|jpe?g|gif|svg|webp|avif|ico|css|m?js|json|xml|rss|atom|txt|csv|mp[34]|webm|ogg|wav|mov|woff2?|ttf|otf|exe|dmg|deb|rpm|apk|jar|wasm|epub|docx?|xlsx?|pptx?)$/i;

export const addressLength = 2_000;

/** The URLs in the folder of a start URL. */
export class SiteScope {
  readonly start: URL;
  /** Ends with a slash. */
  readonly #folder: string;

  /** A URL that ends with a name without a dot, such as `/docs`, counts as a folder. */
  constructor(start: URL) {
    this.start = start;
    const name = start.pathname.slice(start.pathname.lastIndexOf("/") + 1);
    this.#folder =
      name === "" || name.includes(".") ? start.pathname.slice(0, -name.length || undefined) : `${start.pathname}/`;
  }

  /**
   * The key of a page; null for other URLs, including long ones and those with another query than the start, whose
   * number is unbounded. The key of the root is the empty text.
   */
  keyOf(address: string | URL): string | null {
    const text = String(address);
    const url = text.length > addressLength ? null : URL.parse(text);
    if (!url || url.origin !== this.start.origin || !this.#hasQueryOfPages(url) || notPage.test(url.pathname))
      return null;
    const path = withoutIndex(url.pathname);
    return `${path}/`.startsWith(this.#folder) ? path : null;
  }

  #hasQueryOfPages({ search }: URL): boolean {
    return search === "" || search === this.start.search;
  }

  /** The path of the file for the page at a URL of the site. */
  pathOf(address: string | URL): string {
    const { pathname } = new URL(address);
    const path = withoutIndex(pathname);
    const names = path.slice(this.#folder.length).split("/").map(safeName).filter(Boolean);
    const isFolder = names.length === 0 || (path !== pathname && names.length > 0);
    if (isFolder) return [...names, "index.md"].join("/");
    return `${names.join("/").replace(/\.(?:x?html?|php|md)$/i, "")}.md`;
  }
}

/** `/a/`, `/a/index.html` and `/a` are one page. */
const withoutIndex = (path: string): string => path.replace(/(?:\/index\.x?html?|\/)$/i, "");

/** A valid file name without a special meaning in imports. */
export function safeName(part: string): string {
  const name = (percentDecoded(part) ?? part)
    .replaceAll(/[\p{Cc}\p{Cs}\\/]/gu, "-")
    .normalize("NFC")
    .slice(0, 100)
    .trim();
  return name === "." || name === ".." ? "" : isLeftover(name) ? `_${name}` : name;
}

/** Reserves the path, with a number after its stem if it is taken. */
export function takePath(path: string, taken: Set<string>): string {
  const dot = path.lastIndexOf(".");
  let free = path;
  for (let number = 2; taken.has(free); number += 1) free = `${path.slice(0, dot)}-${number}${path.slice(dot)}`;
  taken.add(free);
  return free;
}

/** The Markdown URL of a file of the import. */
export const addressOf = (path: string): string => `/${path.split("/").map(encoded).join("/")}`;

const encoded = (name: string): string => encodeURIComponent(name).replaceAll("(", "%28").replaceAll(")", "%29");

/** Escapes a URL for Markdown. */
export const safeAddress = (url: string): string =>
  url.replaceAll(/[\s<>()\\]/g, (character) =>
    character === "(" ? "%28" : character === ")" ? "%29" : encodeURIComponent(character),
  );
