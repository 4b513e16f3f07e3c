// The documentation of pino, from its npm package, as a site: the text and code that an import keeps.
import { readdirSync, readFileSync } from "node:fs";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import remarkRehype from "remark-rehype";
import rehypeStringify from "rehype-stringify";
import { expect, test } from "vitest";
import { unified } from "unified";
import { parseMarkdown } from "#src/documents/markdown.ts";
import { openSite } from "#src/features/imports/commands/website/open-site.ts";
import { plainText } from "#src/features/imports/model/markdown.ts";
import { createSafeFetch } from "#src/net/safe-fetch.ts";
import { serveOnLoopback } from "#test/support/loopback.ts";
import { isFullSize, someOf } from "#test/support/runs.ts";

const folder = new URL("../../../node_modules/pino/docs/", import.meta.url);
const names = readdirSync(folder).filter((name) => name.endsWith(".md"));
const texts = new Map(
  someOf(names, (name) => ["api.md", "help.md"].includes(name)).map(
    (name) => [name.slice(0, -3), readFileSync(new URL(name, folder), "utf8")] as const,
  ),
);

const toHtml = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(remarkRehype, { allowDangerousHtml: true })
  .use(rehypeStringify, { allowDangerousHtml: true })
  .freeze();

const navigation = [...texts.keys()].map((name) => `<li><a href="${name}.html">${name}</a></li>`).join("");
const port = await serveOnLoopback((request, response) => {
  const text = texts.get(/^\/docs\/(?:([\w-]+)\.html)?$/.exec(request.url ?? "")?.[1] ?? "api");
  if (text === undefined || !request.url?.startsWith("/docs/")) return response.writeHead(404).end();
  const html = String(toHtml.processSync(text)).replaceAll(/href="(?:\/docs\/|\.\/)?([\w-]+)\.md/g, 'href="$1.html');
  return response
    .writeHead(200, { "content-type": "text/html" })
    .end(`<html><body><nav><ul>${navigation}</ul></nav><main>${html}</main><footer>MIT</footer></body></html>`);
});

const wordsOf = (markdown: string): string[] => plainText(parseMarkdown(markdown)).match(/[\p{L}\p{N}]+/gu) ?? [];
const blocksOf = (markdown: string): string[] =>
  parseMarkdown(markdown).children.flatMap((node) =>
    node.type === "code" ? [`${node.lang} ${node.value.trim()}`] : [],
  );

/** The number of elements of `all` that are not in `kept`, as multisets. */
function missing(all: readonly string[], kept: readonly string[]): number {
  const left = new Map<string, number>();
  for (const one of kept) left.set(one, (left.get(one) ?? 0) + 1);
  return all.filter((one) => {
    const count = left.get(one) ?? 0;
    left.set(one, count - 1);
    return count <= 0;
  }).length;
}

test("importing the documentation of pino keeps its words and code", { timeout: 60_000 }, async () => {
  const fetch = createSafeFetch({ allowedHosts: ["127.0.0.1"] });
  const { signal } = new AbortController();
  const url = new URL(`http://127.0.0.1:${port}/docs/api.html`);
  await using site = await openSite(url, { fetch, signal, report: () => {} });
  const lost = { pages: 0, words: 0, blocks: 0 };
  const all = { pages: texts.size, words: 0, blocks: 0 };
  for (const [name, text] of texts) {
    const file = site.files.get(`${name}.md`);
    lost.pages += file ? 0 : 1;
    // The first heading is the title of the page.
    const title = site.contents?.find(({ path }) => path === `${name}.md`)?.title ?? "";
    const imported = `# ${title}\n\n${String((await file?.read()) ?? "")}`;
    all.words += wordsOf(text).length;
    all.blocks += blocksOf(text).length;
    lost.words += missing(wordsOf(text), wordsOf(imported));
    lost.blocks += missing(blocksOf(text), blocksOf(imported));
  }
  console.log("lost of the documentation of pino", { lost, all });
  expect(all.words).toBeGreaterThan(isFullSize ? 15_000 : 7_000);
  expect(lost.pages).toBe(0);
  expect(lost.words / all.words).toBeLessThan(0.01);
  expect(lost.blocks / all.blocks).toBeLessThan(0.02);
});
