// The texts of a site for agents: `llms.txt`, `llms-full.txt`, and each page as Markdown at its address with `.md`, or
// at its address for clients that prefer Markdown to HTML.
import { invalidInput } from "#src/base/errors.ts";
import { fullTextOf, type FullPage, indexOf } from "#src/features/agents/model/llms.ts";
import {
  type FindSite,
  markdownAddress,
  type OpenSite,
  readPage,
  siteDocument,
  siteFinder,
} from "#src/features/agents/http/site.ts";
import type { Gateway } from "#src/features/feature.ts";
import { type Exchange, searchOf } from "#src/http/exchange.ts";
import { addVary, Offer } from "#src/http/negotiation.ts";
import { type HttpRoute, withoutKey } from "#src/http/route.ts";
import { send } from "#src/http/send.ts";

const markdownType = "text/markdown; charset=utf-8";
const plainType = "text/plain; charset=utf-8";
const [markdownTexts, plainTexts] = [new Offer([markdownType, plainType]), new Offer([plainType, markdownType])];

/** Clients that accept anything get HTML. */
const alternatives = new Offer([markdownType, "text/html; charset=utf-8"], "text/html; charset=utf-8");

/** How many pages are read at a time for `llms-full.txt`. */
const pagesAtATime = 10;

/** A part of `llms-full.txt` ends after the page with which it has this many characters, or this many pages. */
const partLimits = { characters: 1_000_000, pages: 100 } as const;

interface Text {
  readonly answers: Offer;
  /** The path of the text below the root of the site; by default any. */
  readonly below?: string;
  readonly make: (site: OpenSite, exchange: Exchange) => Promise<string>;
}

/** The routes of texts. Each answer is made for the visitor of its request. */
export function textRoutes(gateway: Gateway): HttpRoute[] {
  const findSite = siteFinder(gateway);
  const route = (pattern: RegExp, text: Text): HttpRoute => ({
    path: "/published/",
    pattern,
    answers: text.answers,
    handle: (exchange) => sendText(exchange, findSite, text),
    loggedPath: withoutKey,
  });
  const [index, full] = ["llms.txt", "llms-full.txt"];
  const page: Text = { answers: markdownTexts, make: pageText };
  return [
    route(/^\/published\/sit_\w+\/(?:[^/]+\/)?llms\.txt$/, { answers: plainTexts, below: index, make: indexText }),
    route(/^\/published\/sit_\w+\/(?:[^/]+\/)?llms-full\.txt$/, { answers: plainTexts, below: full, make: fullText }),
    route(/^\/published\/sit_\w+\/.+\.md$/, page),
    {
      ...route(/^\/published\/sit_\w+(?:\/.*)?$/, page),
      selects: ({ headers }) => alternatives.choose(headers.accept) === markdownType,
    },
  ];
}

async function sendText(exchange: Exchange, findSite: FindSite, { answers, below, make }: Text): Promise<void> {
  const { request, response } = exchange;
  const site = await findSite(exchange, below);
  if (!site) return;
  const text = await make(site, exchange);
  addVary(response, "accept", "authorization", "cookie", "x-visitor-token");
  // Caches ask again each time: agents may be excluded, and pages hidden, at any moment.
  response.setHeader("cache-control", "private, no-cache");
  response.setHeader("referrer-policy", "no-referrer"); // the address may contain the key of a link
  response.setHeader("x-robots-tag", "noindex"); // search engines list the page as HTML
  send(response, 200, answers.require(request), text);
}

const indexDocument = siteDocument(
  "IndexForAgents",
  "",
  "siteMap { title path description siteSpace { title siteSection { title } } }",
);

interface IndexAnswer {
  readonly publishedSite: {
    readonly siteMap: readonly {
      readonly title: string;
      readonly path: string;
      readonly description: string | null;
      readonly siteSpace: { readonly title: string; readonly siteSection: { readonly title: string } | null };
    }[];
  };
}

const indexText: Text["make"] = async ({ ask, variables, title, root }) => {
  const { siteMap } = (await ask<IndexAnswer>(indexDocument, variables)).publishedSite;
  const pages = siteMap.map(({ path, siteSpace, ...page }) => ({
    title: page.title,
    description: page.description,
    address: markdownAddress(root, path),
    places: [...(siteSpace.siteSection ? [siteSpace.siteSection.title] : []), siteSpace.title],
  }));
  return indexOf({ title, allTexts: `${root}/llms-full.txt`, pages });
};

const fullDocument = siteDocument(
  "TextsForAgents",
  "$skip: Int!",
  `siteMap(first: ${pagesAtATime}, skip: $skip) { title path markdown }`,
);

interface FullAnswer {
  readonly publishedSite: {
    readonly siteMap: readonly { readonly title: string; readonly path: string; readonly markdown: string | null }[];
  };
}

/** One part of the texts, from the page number `skip` on. */
const fullText: Text["make"] = async ({ ask, variables, root }, exchange) => {
  const start = skipIn(searchOf(exchange.request));
  const pages: FullPage[] = [];
  let [characters, isComplete] = [0, false];
  while (!isComplete && characters < partLimits.characters && pages.length < partLimits.pages) {
    const answer = await ask<FullAnswer>(fullDocument, { ...variables, skip: start + pages.length });
    const { siteMap } = answer.publishedSite;
    for (const { title, path, markdown } of siteMap) {
      pages.push({ title, address: markdownAddress(root, path), markdown: markdown ?? "" });
      characters += markdown?.length ?? 0;
    }
    isComplete = siteMap.length < pagesAtATime;
  }
  return fullTextOf(pages, isComplete ? null : `${root}/llms-full.txt?skip=${start + pages.length}`);
};

/** The number of pages that earlier parts contain. INVALID_INPUT if it is not a number. */
function skipIn(search: string): number {
  const skip = new URLSearchParams(search).get("skip") ?? "0";
  if (!/^\d{1,9}$/.test(skip)) throw invalidInput("skip", "must be a number of pages.");
  return Number(skip);
}

/** The text of the page at the address, with or without `.md`. */
const pageText: Text["make"] = async (site, { path }) => {
  const { markdown } = await readPage(site, path.endsWith(".md") ? site.path.slice(0, -3) : site.path);
  return markdown;
};
