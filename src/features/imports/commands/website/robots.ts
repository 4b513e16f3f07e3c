// Reads `robots.txt` and the site maps of a site.
import { invalidInput } from "#src/base/errors.ts";
import { isPauseDue, pause } from "#src/runtime/yielding.ts";
import { addressLength } from "#src/features/imports/model/website/scope.ts";
import { readAllowed } from "#src/features/imports/model/website/site-reader.ts";
import type { SafeFetch } from "#src/net/safe-fetch.ts";

/** The time to match a rule grows with its length and its wildcards; most sites have about ten rules. */
const robotsLimits = { rules: 1_000, stars: 5, length: 500, sitemaps: 100 } as const;

interface RobotsText {
  /** One group for all robots that contains only rules; empty without rules. */
  readonly rules: string;
  /** The number of rules above {@link robotsLimits}. */
  readonly leftOut: number;
  /** Delay between two requests, in seconds. */
  readonly delay: number;
  readonly sitemaps: readonly string[];
}

type Group = { readonly rules: string[]; leftOut: number; delay: number };

/** The rules for the robot of this name, or else for all (RFC 9309). Takes linear time. */
export function robotsTextFor(robot: string, text: string): RobotsText {
  const groups = new Map<string, Group>();
  const sitemaps: string[] = [];
  let names = new Set<string>();
  let isNaming = false;
  for (const [name, value] of fieldsIn(text)) {
    if (name === "user-agent") {
      if (!isNaming) names = new Set();
      const agent = value.toLowerCase().replace(/\/.*/s, "").trim();
      if (agent === robot || agent === "*") names.add(agent);
    } else if (name === "sitemap") {
      if (value !== "" && sitemaps.length < robotsLimits.sitemaps) sitemaps.push(value);
    } else if (ofGroups.has(name)) for (const agent of names) take(groupOf(groups, agent), name, value);
    isNaming = name === "user-agent";
  }
  const { rules, leftOut, delay } = groups.get(robot) ?? groups.get("*") ?? { rules: [], leftOut: 0, delay: 0 };
  return { rules: rules.length === 0 ? "" : ["User-agent: *", ...rules].join("\n"), leftOut, delay, sitemaps };
}

const ofGroups: ReadonlySet<string> = new Set(["allow", "disallow", "crawl-delay"]);

function* fieldsIn(text: string): Generator<readonly [name: string, value: string]> {
  for (const [line] of text.matchAll(/[^\r\n]+/g)) {
    const field = line.split("#", 1)[0] ?? "";
    const colon = field.indexOf(":");
    if (colon > 0) yield [field.slice(0, colon).trim().toLowerCase(), field.slice(colon + 1).trim()];
  }
}

function groupOf(groups: Map<string, Group>, agent: string): Group {
  const known = groups.get(agent);
  if (known) return known;
  const group = { rules: [], leftOut: 0, delay: 0 };
  groups.set(agent, group);
  return group;
}

function take(group: Group, name: string, value: string): void {
  if (name === "crawl-delay") group.delay = Number(value) || group.delay;
  else if (value !== "") {
    const { rules, stars, length } = robotsLimits;
    if (group.rules.length < rules && value.length <= length && value.split("*", stars + 2).length <= stars + 1)
      group.rules.push(`${name}: ${value}`);
    else group.leftOut += 1;
  }
}

const robotName = "docgraph";

/** The longest delay between two requests, in milliseconds, even if a site requests more. */
const longestPause = 10_000;

const robotsSize = 500_000;
const sitemapSize = 10_000_000;
const sitemapLimit = 10;

/** Maximum number of URLs from site maps. */
const addressLimit = 5_000;

/** Number of URLs checked in one task of the thread. */
const addressesPerTask = 50;

export class SiteRules {
  /** Delay between two requests, in milliseconds. */
  readonly pause: number;
  readonly sitemaps: readonly string[];
  /** The number of rules that are ignored because they are too many or too long. */
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

  /** Whether each URL may be read; false for all if matching takes too long. Throws the reason of the signal. */
  async areAllowed(addresses: readonly string[], signal: AbortSignal): Promise<boolean[]> {
    const allowed: boolean[] = [];
    for (let at = 0; at < addresses.length; at += addressesPerTask) {
      signal.throwIfAborted();
      if (isPauseDue()) await pause();
      allowed.push(...(await this.#check(addresses.slice(at, at + addressesPerTask))));
    }
    return allowed;
  }

  async #check(addresses: readonly string[]): Promise<readonly boolean[]> {
    if (this.#rules === "") return addresses.map(() => true);
    const task = { robots: this.#url, rules: this.#rules, addresses };
    const allowed = this.#isTooSlow ? null : await readAllowed(task);
    this.#isTooSlow ||= allowed === null;
    return allowed ?? addresses.map(() => false);
  }
}

/** Without `robots.txt` everything is allowed (RFC 9309). INVALID_INPUT for a status of 500 or more; `FetchError`. */
export async function readRules(fetch: SafeFetch, site: URL, signal: AbortSignal): Promise<SiteRules> {
  const url = new URL("/robots.txt", site).href;
  const { status, body } = await fetch(url, { maxBytes: robotsSize, signal });
  if (status >= 500)
    throw invalidInput("url", `cannot be read: the server returned ${status} for the robots.txt of the site.`);
  return new SiteRules(url, status < 300 ? body.toString() : "");
}

/** The URLs in the site maps, up to the limit, and whether more exist. Skips unreadable site maps. */
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

const entities: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };

const unescaped = (text: string): string => text.replaceAll(/&(\w+);/g, (all, name: string) => entities[name] ?? all);
