// The documentation at /docs: README.md and the pages of src/docs, rendered, as text, and searched. Each page is
// rendered in a thread when it is first asked for, and kept.
import { type DocPage, type Navigation, readDoc, readNavigation } from "#src/base/documentation.ts";
import { type Exchange, type Handler, searchOf } from "#src/http/exchange.ts";
import { Html, html } from "#src/http/html.ts";
import { addVary, Offer } from "#src/http/negotiation.ts";
import { send, sendEmpty } from "#src/http/send.ts";
import type { ReferenceRows } from "#src/server/pages/reference/pages.ts";
import { docsLayout, type Listed, pagerOf, textPathOf } from "#src/server/pages/docs/layout.ts";
import type { RenderedDoc } from "#src/server/pages/docs/page-thread.ts";
import { resultsOf } from "#src/server/pages/docs/results.ts";
import { longestQuery, type SearchIndex } from "#src/server/pages/docs/search-index.ts";
import type { IndexTask } from "#src/server/pages/docs/search-thread.ts";
import { madeOnce } from "#src/server/pages/made-once.ts";
import type { ServePage, SitePage } from "#src/server/pages/site.ts";
import { ThreadPool } from "#src/runtime/threads.ts";

/** Where `q` searches; without it the second may be a page. */
const searchPaths: ReadonlySet<string> = new Set(["/docs", "/docs/search"]);

/** The beginning of the paths of pages. */
export const docsPath = "/docs/";

const [renderers, indexers] = [
  new ThreadPool<string, RenderedDoc>(new URL("page-thread.ts", import.meta.url), { threads: 1, megabytes: 128 }),
  new ThreadPool<IndexTask, SearchIndex>(new URL("search-thread.ts", import.meta.url), { threads: 1, megabytes: 128 }),
];

interface Parts {
  readonly serve: ServePage;
  readonly references: readonly Listed[];
  readonly rowsOf: ReferenceRows;
}

/** Makes the handlers of the documentation. */
export function createDocs({ serve, ...parts }: Parts) {
  const docs = new Docs(parts);
  const page = serve((exchange) => docs.page(exchange));
  return {
    "/docs": page,
    [docsPath]: (async (exchange) => ((await docs.sendOther(exchange)) ? undefined : page(exchange))) satisfies Handler,
    "/README.md": (async (exchange) => sendText(exchange, await readDoc({ file: "README.md" }))) satisfies Handler,
    "/readme": (async (exchange) => sendMoved(exchange, "/docs")) satisfies Handler,
  };
}

class Docs {
  readonly #references: readonly Listed[];
  readonly #rowsOf: ReferenceRows;
  readonly #rendered = new Map<string, () => Promise<RenderedDoc>>();
  #navigation: Promise<Navigation> | undefined;
  #index: (() => Promise<SearchIndex>) | undefined;

  constructor({ references, rowsOf }: Omit<Parts, "serve">) {
    this.#references = references;
    this.#rowsOf = rowsOf;
  }

  /** The page at a path: results where the query has `q`, or a page that says that the path has none. */
  async page({ request, path }: Exchange): Promise<SitePage> {
    const navigation = await this.#readNavigation();
    const query = new URLSearchParams(searchOf(request)).get("q");
    if (query !== null && searchPaths.has(path))
      return this.#searchPage(navigation, query.trim().slice(0, longestQuery).toWellFormed());
    const page = navigation.pages.find((one) => one.path === path);
    if (!page) return this.#missingPage(navigation);
    const { html: text, headings } = await this.#render(page);
    const main = html`${new Html(text)} ${pagerOf(navigation, page)}`;
    return { title: page.title, body: this.#layout({ navigation, path, main, headings }) };
  }

  /** Answers a path that is not that of an HTML page: a text, or a page with a slash at its end. */
  async sendOther(exchange: Exchange): Promise<boolean> {
    const { path } = exchange;
    const { pages } = await this.#readNavigation();
    const text = pages.find((page) => textPathOf(page) === path);
    if (text) sendText(exchange, await readDoc(text));
    else if (path.endsWith("/")) sendMoved(exchange, path.replace(/\/+$/, ""));
    else return false;
    return true;
  }

  #layout(of: Omit<Parameters<typeof docsLayout>[0], "references">): Html {
    return docsLayout({ ...of, references: this.#references });
  }

  async #searchPage(navigation: Navigation, query: string): Promise<SitePage> {
    const results = query === "" ? null : resultsOf(await this.#readIndex(navigation), query);
    const main = html`<h1>Search</h1>
      ${results ?? html`<p role="status">Type a word to search for.</p>`}`;
    return { title: "Search", body: this.#layout({ navigation, path: null, main, query }) };
  }

  #missingPage(navigation: Navigation): SitePage {
    const main = html`<h1>Not found</h1>
      <p>The documentation has no page at this path. Choose a page, or search.</p>`;
    return { status: 404, title: "Not found", body: this.#layout({ navigation, path: null, main }) };
  }

  #readNavigation(): Promise<Navigation> {
    this.#navigation ??= readNavigation();
    this.#navigation.catch(() => (this.#navigation = undefined));
    return this.#navigation;
  }

  #render({ file }: DocPage): Promise<RenderedDoc> {
    const render = this.#rendered.get(file) ?? madeOnce(renderers, file, `${file} could not be rendered`);
    this.#rendered.set(file, render);
    return render();
  }

  async #readIndex({ pages }: Navigation): Promise<SearchIndex> {
    const files = pages.map(({ file, path, title }) => ({ file, path, title }));
    const rows = this.#index ? [] : await this.#rowsOf();
    this.#index ??= madeOnce(indexers, { pages: files, rows }, "The documentation could not be indexed");
    return this.#index();
  }
}

const texts = new Offer(["text/markdown; charset=utf-8", "text/plain; charset=utf-8"]);

function sendText({ request, response }: Exchange, text: string): void {
  const type = texts.require(request);
  addVary(response, "accept");
  send(response, 200, type, text);
}

function sendMoved({ request, response }: Exchange, location: string): void {
  request.resume();
  response.setHeader("location", location);
  sendEmpty(response, 308);
}
