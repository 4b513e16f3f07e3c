// What a site says to those who read it by machine: what they may read, how fast, and where its pages are listed.
import robotsModule from "robots-parser";
import { invalidInput } from "#src/base/errors.ts";
import type { SafeFetch } from "#src/net/safe-fetch.ts";

/** The module is this function; its declarations say that it has it as `default`. */
const robotsParser = robotsModule as unknown as typeof robotsModule.default;

/** The name under which sites can address docgraph in their `robots.txt`. */
const robotName = "docgraph";

/** The longest pause between two pages that is kept, in milliseconds; a site that asks for a longer one gets this. */
const longestPause = 10_000;

const robotsSize = 500_000;
const sitemapSize = 10_000_000;
const sitemapLimit = 10;

/** The most addresses that count: as many as one site map may have (sitemaps.org). */
const addressLimit = 50_000;

/** The rules of one site. */
export interface SiteRules {
  readonly isAllowed: (url: string) => boolean;
  /** Between two requests, in milliseconds. */
  readonly pause: number;
  readonly sitemaps: readonly string[];
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
  const robots = robotsParser(url, status < 300 ? body.toString() : "");
  return {
    isAllowed: (address) => robots.isAllowed(address, robotName) ?? true,
    pause: Math.min((robots.getCrawlDelay(robotName) ?? 0) * 1000, longestPause),
    sitemaps: robots.getSitemaps(),
  };
}

/** The addresses that the site maps of a site list, in their order. Those that cannot be read are passed over. */
export async function readSitemaps(
  fetch: SafeFetch,
  { start, rules, signal }: { start: URL; rules: SiteRules; signal: AbortSignal },
): Promise<string[]> {
  const waiting = [...rules.sitemaps, new URL("/sitemap.xml", start).href, new URL("sitemap.xml", start).href];
  const read = new Set<string>();
  const pages: string[] = [];
  for (const url of waiting) {
    if (read.size >= sitemapLimit) break;
    if (read.has(url) || URL.parse(url)?.origin !== start.origin || !rules.isAllowed(url)) continue;
    read.add(url);
    const text = await textAt(fetch, url, signal);
    const found = text.includes("<sitemapindex") ? waiting : pages;
    for (const [, address = ""] of text.matchAll(/<loc>([^<]*)<\/loc>/g)) {
      if (found.length >= addressLimit) break;
      found.push(unescaped(address.trim()));
    }
  }
  return pages;
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
