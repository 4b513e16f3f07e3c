// A crawler that reads the pages of a site, found by links and site maps.
import { setTimeout as wait } from "node:timers/promises";
import { invalidInput } from "#src/base/errors.ts";
import { isPauseDue, pause } from "#src/runtime/yielding.ts";
import { readRules, readSitemaps, type SiteRules } from "#src/features/imports/commands/website/robots.ts";
import type { ImportWarnings } from "#src/features/imports/model/warnings.ts";
import type { Report } from "#src/features/imports/model/open-import.ts";
import { SiteScope } from "#src/features/imports/model/website/scope.ts";
import type { SitePage } from "#src/features/imports/model/website/site-page.ts";
import { readPageOfSite } from "#src/features/imports/model/website/site-reader.ts";
import { FetchError } from "#src/net/fetch-error.ts";
import type { Fetched, SafeFetch } from "#src/net/safe-fetch.ts";

export const siteLimits = {
  pages: 500,
  /** In milliseconds. */
  time: 10 * 60_000,
  /** In bytes. */
  pageSize: 3_000_000,
  imagesSize: 100_000_000,
  images: 1000,
} as const;

const linkLimit = 5_000;

/** Number of concurrent requests, unless the site requests a pause. */
const concurrency = 4;

interface Reading {
  readonly fetch: SafeFetch;
  /** Aborts the reading, which throws its reason. */
  readonly signal: AbortSignal;
  readonly report: Report;
  readonly warnings: ImportWarnings;
  readonly pageLimit: number;
}

export interface ReadPage extends SitePage {
  /** After all redirects. */
  readonly url: string;
}

export interface ReadSite {
  readonly scope: SiteScope;
  /** In the order of discovery, the start page first. */
  readonly pages: readonly ReadPage[];
  /** The page at a URL, also at one that redirects to it. */
  readonly find: (url: string) => ReadPage | undefined;
  /** The number of found pages that were not read. */
  readonly leftOut: number;
}

/** The pages under the folder of the start page that `robots.txt` allows. INVALID_INPUT if that page is unreadable. */
export async function readSite(url: URL, reading: Reading): Promise<ReadSite> {
  const rules = await readRules(reading.fetch, url, reading.signal);
  await requireAllowed(rules, url, reading);
  const first = await ask(reading, url.href);
  const start = new URL(first.url);
  const scope = new SiteScope(start);
  const moved = start.origin === url.origin ? rules : await readRules(reading.fetch, start, reading.signal);
  await requireAllowed(moved, start, reading);
  const html = htmlOf(first);
  if (html === null) throw invalidInput("url", `is not an HTML page: the server returned ${describe(first)}.`);
  return new Crawl({ scope, rules: moved, reading }).run({ url: start.href, html });
}

async function requireAllowed(rules: SiteRules, url: URL, { signal, warnings }: Reading): Promise<void> {
  if (rules.leftOut > 0)
    warnings.add(new URL("/robots.txt", url).href, null, `${rules.leftOut} rules exceed the limits and are ignored.`);
  if (!(await rules.isAllowed(url.href, signal)))
    throw invalidInput("url", "must not be read: the robots.txt of the site disallows it.");
}

const notAllowed = "The robots.txt of the site disallows this page.";

const ask = ({ fetch, signal }: Reading, url: string): Promise<Fetched> =>
  fetch(url, {
    headers: { accept: "text/html, application/xhtml+xml" },
    maxBytes: siteLimits.pageSize,
    timeoutMs: 20_000,
    signal,
  });

const describe = ({ status, headers }: Fetched): string =>
  status < 300 ? (headers.get("content-type") ?? "no content type") : String(status);

/** The text of an HTML page; null for other responses. */
function htmlOf({ status, headers, body }: Fetched): string | null {
  const type = headers.get("content-type") ?? "";
  if (status !== 200 || !/^\s*(?:text\/html|application\/xhtml\+xml)/i.test(type)) return null;
  const declared =
    /charset\s*=\s*"?([\w-]+)/i.exec(type)?.[1] ??
    /<meta[^>]+charset\s*=\s*["']?([\w-]+)/i.exec(body.subarray(0, 2000).toString("latin1"))?.[1];
  return decoderOf(declared).decode(body);
}

function decoderOf(label = "utf-8"): TextDecoder {
  try {
    return new TextDecoder(label);
  } catch {
    return new TextDecoder(); // the encoding is unknown
  }
}

class Crawl {
  readonly #scope: SiteScope;
  readonly #rules: SiteRules;
  readonly #reading: Reading;
  /** The URLs to request, in order. */
  readonly #waiting: string[] = [];
  /** The keys of pages: to be read, disallowed, and above the limit. */
  readonly #found = new Set<string>();
  readonly #refused = new Set<string>();
  readonly #leftOut = new Set<string>();
  readonly #pages: ReadPage[] = [];
  readonly #byKey = new Map<string, ReadPage>();
  /** The keys of pages that only send their readers to another page, and the keys of these. */
  readonly #moved = new Map<string, string>();

  constructor(of: { scope: SiteScope; rules: SiteRules; reading: Reading }) {
    this.#scope = of.scope;
    this.#rules = of.rules;
    this.#reading = of.reading;
  }

  async run(first: { url: string; html: string }): Promise<ReadSite> {
    const { fetch, signal } = this.#reading;
    await this.#find([first.url]);
    this.#waiting.shift();
    await this.#read(first.url, first);
    const listed = await readSitemaps(fetch, { start: this.#scope.start, rules: this.#rules, signal });
    if (listed.hasMore) this.#warn(this.#scope.start.href, "The site maps list too many pages: the rest is ignored.");
    await this.#find(listed.pages);
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, this.#rules.pause > 0 ? 1 : concurrency);
      if (this.#rules.pause > 0) await wait(this.#rules.pause, undefined, { signal });
      const answers = await Promise.all(batch.map(async (url) => ({ url, answer: await this.#ask(url) })));
      // In the order of the requests, not of the responses.
      for (const { url, answer } of answers) if (answer) await this.#read(url, answer);
    }
    if (this.#leftOut.size > 0)
      this.#warn(this.#scope.start.href, `The site has too many pages: ${this.#leftOut.size} are not imported.`);
    this.#requireText();
    const leftOut = this.#found.size - this.#moved.size - this.#pages.length;
    return { scope: this.#scope, pages: this.#pages, find: (url) => this.#pageAt(url), leftOut };
  }

  /** INVALID_INPUT with the reason if no page has a text. */
  #requireText(): void {
    if (this.#pages.some(({ lack }) => !lack?.isEmpty)) return;
    const reason = this.#pages[0]?.lack?.reason ?? this.#reading.warnings.first[0]?.message ?? "It has no pages.";
    throw invalidInput("url", reason.replace(/^It /, ""));
  }

  /** The page at a URL, or the one that the page there sends its readers to; undefined for other URLs. */
  #pageAt(url: string): ReadPage | undefined {
    let key = this.#scope.keyOf(url.replace(/#.*/s, ""));
    for (let moves = 0; key !== null && moves < 10; moves += 1) {
      const page = this.#byKey.get(key);
      if (page) return page;
      key = this.#moved.get(key) ?? null;
    }
    return undefined;
  }

  /** Queues new URLs of the site. */
  async #find(urls: readonly string[]): Promise<void> {
    const { signal } = this.#reading;
    const added = new Map<string, string>();
    for (const url of urls) {
      if (isPauseDue()) await pause();
      signal.throwIfAborted();
      const key = this.#scope.keyOf(url);
      const isKnown = key === null || this.#found.has(key) || this.#refused.has(key) || this.#leftOut.has(key);
      if (!isKnown && !added.has(key)) added.set(key, url);
    }
    const allowed = await this.#rules.areAllowed([...added.values()], signal);
    for (const [index, [key, url]] of [...added].entries()) this.#take(key, url, allowed[index] === true);
    this.#report();
  }

  #take(key: string, url: string, isAllowed: boolean): void {
    if (!isAllowed) {
      this.#refused.add(key);
      this.#warn(url, notAllowed);
    } else if (this.#found.size >= this.#reading.pageLimit) this.#leftOut.add(key);
    else {
      this.#found.add(key);
      this.#waiting.push(url);
    }
  }

  async #ask(url: string): Promise<{ url: string; html: string } | null> {
    try {
      const answer = await ask(this.#reading, url);
      const html = htmlOf(answer);
      if (html !== null) return { url: answer.url, html };
      this.#warn(url, `It is not an HTML page: the server returned ${describe(answer)}.`);
    } catch (error) {
      if (!(error instanceof FetchError)) throw error;
      this.#warn(url, `It could not be read: ${error.message}.`);
    }
    return null;
  }

  async #read(requested: string, { url, html }: { url: string; html: string }): Promise<void> {
    const key = this.#scope.keyOf(url);
    if (key === null) return this.#warn(requested, "It redirects to another site.");
    const known = this.#byKey.get(key);
    if (!(await this.#rules.isAllowed(url, this.#reading.signal))) return this.#warn(requested, notAllowed);
    const read = known ?? (await this.#page(url, html));
    if (!read) return;
    this.#found.add(key);
    if (read.movedTo !== null) return this.#move([key, this.#scope.keyOf(requested) ?? key], read.movedTo, url);
    if (!known) this.#add(read);
    this.#byKey.set(key, read);
    this.#byKey.set(this.#scope.keyOf(requested) ?? key, read);
    if (read.links.length > linkLimit) this.#warn(url, `It has more than ${linkLimit} links: the rest is ignored.`);
    await this.#find(read.links.slice(0, linkLimit));
  }

  #add(page: ReadPage): void {
    this.#pages.push(page);
    if (page.lack) this.#warn(page.url, page.lack.reason);
    if (!page.lack?.isEmpty) for (const loss of page.losses) this.#warn(page.url, loss);
  }

  async #move(keys: readonly string[], target: string, url: string): Promise<void> {
    const key = this.#scope.keyOf(target);
    if (key === null) return this.#warn(url, "It redirects to another site.");
    for (const from of keys) if (from !== key) this.#moved.set(from, key);
    await this.#find([target]);
  }

  async #page(url: string, html: string): Promise<ReadPage | null> {
    const answer = await readPageOfSite({ html, url, start: this.#scope.start.href });
    this.#reading.signal.throwIfAborted();
    if ("page" in answer) return { ...answer.page, url };
    this.#warn(url, answer.problem);
    return null;
  }

  #warn(url: string, message: string): void {
    this.#reading.warnings.add(url, null, message);
  }

  #report(): void {
    this.#reading.report({ found: this.#found.size, read: this.#pages.length });
  }
}
