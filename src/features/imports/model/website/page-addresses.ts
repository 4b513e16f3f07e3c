// Makes all addresses of a page absolute, and finds those of pictures that a script loads later.
import { candidatesOf } from "#src/features/imports/model/website/srcset.ts";
import type { Element, Page } from "#src/features/imports/model/website/dom.ts";

/** Attributes with the address of what an element shows, the ones for scripts first. */
const sources = [
  "data-src",
  "data-original",
  "data-lazy-src",
  "data-original-src",
  "data-image-src",
  "data-hi-res-src",
];
const sourceSets = ["data-srcset", "data-lazy-srcset", "data-original-set", "srcset"];

const shows = "img, source, video, audio, iframe, frame, embed, object, track, input, amp-img, amp-iframe, amp-video";

/** Resolves addresses against the base of a page. */
class Resolver {
  readonly #base: string;

  constructor(page: Page, url: string) {
    this.#base = URL.parse(page.querySelector("base[href]")?.getAttribute("href") ?? "", url)?.href ?? url;
  }

  /** Null for a text that is not an address. */
  resolve(address: string | null): string | null {
    const text = address?.trim() ?? "";
    return text === "" ? null : (URL.parse(text, this.#base)?.href ?? null);
  }

  set(element: Element, name: string, address: string | null): void {
    const url = this.resolve(address);
    if (url === null) element.removeAttribute(name);
    else element.setAttribute(name, url);
  }
}

/** Whether an attribute of a lazy loader contains an address, and not a flag or a name. */
const isAddress = (value: string | null): value is string =>
  value !== null && /[./]/.test(value) && !/\s/.test(value.trim());

/** The address of the largest picture of a set; null for an empty set. */
function largestOf(set: string | null): string | null {
  const candidates = candidatesOf(set ?? "").filter(({ url }) => url !== "");
  return (
    candidates.reduce<{ url: string; size: number } | null>(
      (best, one) => (best && best.size >= one.size ? best : one),
      null,
    )?.url ?? null
  );
}

const placeholder =
  /^data:|(?:^|[/_-])(?:blank|spacer|placeholder|transparent|loading|loader|lazy|pixel|1x1|empty)(?:[._-][\w.-]*)?\.(?:gif|png|jpe?g|svg|webp)(?:\?|$)/i;

/** The address of a picture: that of its lazy loader, its own, or the largest of its set. */
function sourceOf(element: Element): string | null {
  const lazy = sources.map((name) => element.getAttribute(name)).find(isAddress);
  const own = element.getAttribute("src");
  if (lazy !== undefined) return lazy;
  if (own !== null && own.trim() !== "" && !placeholder.test(own)) return own;
  const set = sourceSets.map((name) => largestOf(element.getAttribute(name))).find((url) => url !== null);
  return set ?? own;
}

/** The picture of a `<noscript>` beside one that a script loads. */
function takeFromNoscript(page: Page): void {
  for (const fallback of page.querySelectorAll("noscript")) {
    const inside = fallback.querySelector("img[src], iframe[src], video[src]");
    if (!inside) continue;
    const before = fallback.previousElementSibling;
    const own = before?.localName === "img" ? before : (before?.querySelector("img") ?? null);
    const isLoaded = own !== null && sourceOf(own) !== null && !placeholder.test(sourceOf(own) ?? "");
    if (inside.localName === "img" && isLoaded) continue;
    if (own && inside.localName === "img") own.setAttribute("src", inside.getAttribute("src") ?? "");
    else if (!/^(?:0|1)(?:px)?$/.test(inside.getAttribute("height") ?? "")) fallback.replaceWith(inside);
  }
}

/** A picture takes the address of its first source if it has none of its own. */
function sourceOfPicture(image: Element): string | null {
  const own = sourceOf(image);
  if ((own !== null && own !== "" && !placeholder.test(own)) || image.parentElement?.localName !== "picture")
    return own;
  const [first] = image.parentElement.querySelectorAll("source");
  return (first ? sourceOf(first) : null) ?? own;
}

/** Resolves every address of a page, and gives each picture the one that a reader sees. */
export function makeAbsolute(page: Page, url: string): void {
  const resolver = new Resolver(page, url);
  takeFromNoscript(page);
  for (const link of page.querySelectorAll("a, area")) {
    const own = link.getAttribute("href");
    const isOwn = own !== null && own.trim() !== "" && !/^\s*(?:javascript:|#\s*$)/i.test(own);
    const address = isOwn ? own : (link.getAttribute("data-href") ?? (own?.trim() === "#" ? own : null));
    resolver.set(link, "href", address);
  }
  for (const element of page.querySelectorAll(shows)) {
    resolver.set(element, "src", element.localName === "img" ? sourceOfPicture(element) : sourceOf(element));
    for (const name of ["poster", "data"])
      if (element.getAttribute(name)) resolver.set(element, name, element.getAttribute(name));
  }
}
