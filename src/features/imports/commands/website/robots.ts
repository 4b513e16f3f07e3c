// What a site says to those who read it by machine: what they may read, how fast, and where its pages are listed.
import { invalidInput } from "#src/base/errors.ts";
import { isPauseDue, pause } from "#src/runtime/yielding.ts";
import { robotsTextFor } from "#src/features/imports/model/website/robots-text.ts";
import { addressLength } from "#src/features/imports/model/website/scope.ts";
import { readAllowed } from "#src/features/imports/model/website/site-reader.ts";
import type { SafeFetch } from "#src/net/safe-fetch.ts";

/** The name under which sites can address docgraph in their `robots.txt`. */
const robotName = "docgraph";

/** The longest pause between two pages that is kept, in milliseconds; a site that asks for a longer one gets this. */
const longestPause = 10_000;

const robotsSize = 500_000;
const sitemapSize = 10_000_000;
const sitemapLimit = 10;

/** The most addresses of site maps that count: many times the pages that an import reads. */
const addressLimit = 5_000;

/** How many addresses are looked at in one go. */
const addressesAtATime = 50;

/** The rules of one site. */
export class SiteRules {
  /** Between two requests, in milliseconds. */
  readonly pause: number;
  readonly sitemaps: readonly string[];
  /** How many rules are left out, since there are too many of them or they take too long. */
  readonly leftOut: number;
  readonly #url: string;
  readonly #rules: string;
  #isTooSlow = false;

  constructor(url: string, text: string) {
    const { rules, leftOut, delay, sitemaps } = robotsTextFor(robotName, text);
    this.#url = url;
    this.#rules = rules;
    this.leftOut = leftOut;
    this.pause = Math.min(delay * 1000, longestPause);
    this.sitemaps = sitemaps;
  }

  async isAllowed(address: string, signal: AbortSignal): Promise<boolean> {
    const [isAllowed = false] = await this.areAllowed([address], signal);
    return isAllowed;
  }

  /** For each address whether it may be read; none may by rules that take too long. Throws the signal's reason. */
  async areAllowed(addresses: readonly string[], signal: AbortSignal): Promise<boolean[]> {
    const allowed: boolean[] = [];
    for (let at = 0; at < addresses.length; at += addressesAtATime) {
      signal.throwIfAborted();
      if (isPauseDue()) await pause();
      allowed.push(...(await this.#lookAt(addresses.slice(at, at + addressesAtATime))));
    }
    return allowed;
  }

  async #lookAt(addresses: readonly string[]): Promise<readonly boolean[]> {
    if (this.#rules === "") return addresses.map(() => true);
    const asked = { robots: this.#url, rules: this.#rules, addresses };
    const allowed = this.#isTooSlow ? null : await readAllowed(asked);
    this.#isTooSlow ||= allowed === null;
    return allowed ?? addresses.map(() => false);
  }
}

/**
 * The rules of the site at an address. One without `robots.txt` allows everything (RFC 9309); INVALID_INPUT while it
 * cannot say what it allows. Throws a `FetchError` when it cannot be reached.
 */
export async function readRules(fetch: SafeFetch, site: URL, signal: AbortSignal): Promise<SiteRules> {
  const url = new URL("/robots.txt", site).href;
  const { status, body } = await fetch(url, { maxBytes: robotsSize, signal });
  if (status >= 500)
    throw invalidInput("url", `the site cannot say what may be read: its robots.txt answers ${status}.`);
  return new SiteRules(url, status < 300 ? body.toString() : "");
}

/**
 * The addresses that the site maps of a site list, in their order, at most 5,000, and whether there are more. Site maps
 * that cannot be read are passed over.
 */
export async function readSitemaps(
  fetch: SafeFetch,
  { start, rules, signal }: { start: URL; rules: SiteRules; signal: AbortSignal },
): Promise<{ readonly pages: readonly string[]; readonly hasMore: boolean }> {
  const waiting = [...rules.sitemaps, new URL("/sitemap.xml", start).href, new URL("sitemap.xml", start).href];
  const read = new Set<string>();
  const pages: string[] = [];
  let hasMore = false;
  for (const url of waiting) {
    if (read.size >= sitemapLimit) break;
    if (read.has(url) || URL.parse(url)?.origin !== start.origin) continue;
    if (!(await rules.isAllowed(url, signal))) continue;
    read.add(url);
    const text = await textAt(fetch, url, signal);
    const found = text.includes("<sitemapindex") ? waiting : pages;
    for (const [, address = ""] of text.matchAll(/<loc>([^<]*)<\/loc>/g)) {
      hasMore ||= found.length >= addressLimit;
      if (hasMore) break;
      if (address.length <= addressLength) found.push(unescaped(address.trim()));
    }
  }
  return { pages, hasMore };
}

async function textAt(fetch: SafeFetch, url: string, signal: AbortSignal): Promise<string> {
  try {
    const { status, body } = await fetch(url, { maxBytes: sitemapSize, signal });
    return status < 300 ? body.toString() : "";
  } catch {
    signal.throwIfAborted();
    return "";
  }
}

const unescaped = (text: string): string =>
  text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&apos;", "'")
    .replaceAll("&amp;", "&");
