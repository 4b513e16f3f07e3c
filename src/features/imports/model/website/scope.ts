// Which addresses belong to a site that is imported, and what its pages are called as files.
import { percentDecoded } from "#src/base/url-text.ts";
import { isLeftover } from "#src/features/imports/model/files.ts";

/** Files that are linked to, and are no pages. */
const noPage =
  /\.(?:pdf|zip|t?gz|bz2|xz|7z|rar|tar|png|jpe?g|gif|svg|webp|avif|ico|css|m?js|json|xml|rss|atom|txt|csv|mp[34]|webm|ogg|wav|mov|woff2?|ttf|otf|exe|dmg|deb|rpm|apk|jar|wasm|epub|docx?|xlsx?|pptx?)$/i;

/** The most characters of the address of a page. */
export const addressLength = 2_000;

/** The addresses at and below the folder of a start address. */
export class SiteScope {
  readonly start: URL;
  /** The path of the folder, with a slash at the end. */
  readonly #folder: string;

  /** Of an address that ends with a name without a dot, such as `/docs`, what is below that name belongs to it. */
  constructor(start: URL) {
    this.start = start;
    const name = start.pathname.slice(start.pathname.lastIndexOf("/") + 1);
    this.#folder =
      name === "" || name.includes(".") ? start.pathname.slice(0, -name.length || undefined) : `${start.pathname}/`;
  }

  /**
   * What tells a page from others, or null for what is no page of the site. Addresses with a query are none: there is
   * no end of them; nor are very long ones.
   */
  keyOf(address: string | URL): string | null {
    const text = String(address);
    const url = text.length > addressLength ? null : URL.parse(text);
    if (!url || url.origin !== this.start.origin || url.search !== "" || noPage.test(url.pathname)) return null;
    const path = withoutIndex(url.pathname);
    return `${path}/`.startsWith(this.#folder) ? path : null;
  }

  /** The path of the file that stands for the page at an address of the site. */
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

/** A name as a file may have it, that no part of an import gives a meaning to. */
export function safeName(part: string): string {
  const name = (percentDecoded(part) ?? part)
    .replaceAll(/[\p{Cc}\p{Cs}\\/]/gu, "-")
    .normalize("NFC")
    .slice(0, 100)
    .trim();
  return name === "." || name === ".." ? "" : isLeftover(name) ? `_${name}` : name;
}

/** The path, or one with a number at the end of its stem that is not taken; it is taken then. */
export function takePath(path: string, taken: Set<string>): string {
  const dot = path.lastIndexOf(".");
  let free = path;
  for (let number = 2; taken.has(free); number += 1) free = `${path.slice(0, dot)}-${number}${path.slice(dot)}`;
  taken.add(free);
  return free;
}

/** The address of a file of the import, for a text. */
export const addressOf = (path: string): string => `/${path.split("/").map(encoded).join("/")}`;

const encoded = (name: string): string => encodeURIComponent(name).replaceAll("(", "%28").replaceAll(")", "%29");

/** An address that can stand in Markdown as it is. */
export const safeAddress = (url: string): string =>
  url.replaceAll(/[\s<>()\\]/g, (character) =>
    character === "(" ? "%28" : character === ")" ? "%29" : encodeURIComponent(character),
  );
