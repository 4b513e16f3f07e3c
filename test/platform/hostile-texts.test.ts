// Texts made to fill the memory of threads: each kind of thread ends with an error, and the process lives on. At the
// small size each kind reads one text.
import { afterAll, beforeAll, expect, test } from "vitest";
import { convert } from "#src/documents/convert.ts";
import { Comparer } from "#src/features/content/reads/comparer.ts";
import { markdownReader } from "#src/features/imports/model/markdown-reader.ts";
import { readAllowed, readPageOfSite } from "#src/features/imports/model/website/site-reader.ts";
import { makeInThread } from "#src/features/openapi/commands/computed-pages.ts";
import { readSpec } from "#src/features/openapi/commands/read-source.ts";
import { printBook } from "#src/features/pdfs/commands/make-pdf.ts";
import { readMessage } from "#src/features/saml/model/message-reader.ts";
import { segmentPage } from "#src/features/translations/commands/translate-source.ts";
import { sharesOf, threadMemory } from "#src/runtime/memory.ts";
import { isFullSize } from "#test/support/runs.ts";
import { bookOf } from "#test/features/pdfs/books.ts";

// The smallest memory of a thread, so that texts of their largest size exceed it soon.
beforeAll(() => threadMemory.limit({ heavyThreads: 96, lightThreads: 96 }));
afterAll(() => threadMemory.limit({ heavyThreads: Infinity, lightThreads: Infinity }));

const longestPage = 500_000;
const filled = (part: string, length = longestPage) => part.repeat(length / part.length);

const texts = {
  cells: `|${filled("a|", longestPage / 2)}\n|${filled("-|", longestPage / 2)}\n`,
  links: filled("[a](b)"),
  "empty lines": filled("\n"),
};

const documentOf = (nodes: readonly object[]) =>
  JSON.stringify({ object: "document", data: { schemaVersion: 1 }, nodes });
const paragraph = { object: "block", type: "paragraph", isVoid: false, data: {}, nodes: [] };
const specOf = (bytes: string) =>
  readSpec([{ address: "archive:///a", base: "archive:///a", name: "a", bytes: Buffer.from(bytes) }]);
const base = { openapi: "3.1.0", info: { title: "A", version: "1" } };
const pathsOf = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`/${index}`, { get: { responses: {} } }]));
const siteOf = (html: string) => readPageOfSite({ html, url: "https://example.com/", start: "https://example.com/" });
const attributes = Array.from({ length: 150_000 }, (_, index) => `a${index}`).join(" ");
const lines = (step: number) => Array.from({ length: 80_000 }, (_, index) => (index * step) % 80_000).join("\n");

/** What threads read, by their kind and the text. */
const works: Readonly<Record<string, () => Promise<unknown>>> = {
  ...Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [`documents of ${name}`, () => convert([{ to: "document", text }])]),
  ),
  "segments of links": () => segmentPage({ title: "A", markdown: texts.links }),
  "HTML of links": () => convert([{ to: "html", text: texts.links }]),
  "Markdown of blocks": () => convert([{ to: "markdown", text: documentOf(Array(40_000).fill(paragraph)) }]),
  "an imported page of links": () => markdownReader.read("page", "a.md", texts.links),
  "imported data of values": () => markdownReader.read("data", "a.yml", filled("- 1\n")),
  "a PDF of rows": () => printBook(bookOf(`|a|\n|-|\n${filled("|x|\n")}`)),
  "a website of references": () => siteOf(filled("&lt;", 3_900_000)),
  "a website of attributes": () => siteOf(`<p ${attributes}>`),
  "rules of a website": () =>
    readAllowed({
      robots: "https://example.com/robots.txt",
      rules: `User-agent: *\n${filled("Disallow: /a\n")}`,
      addresses: ["https://example.com/b"],
    }),
  "a specification of dashes": () => specOf(filled("- ")),
  "a specification of anchors": () =>
    specOf(`x: [${Array.from({ length: 90_000 }, (_, index) => `&a${index} 1`).join()}]`),
  "a specification of paths": () => specOf(JSON.stringify({ ...base, paths: pathsOf(5_000) })),
  "pages of paths": () =>
    makeInThread({
      json: Buffer.from(JSON.stringify({ ...base, paths: pathsOf(5_000) })),
      pageId: "pag_a",
      computed: { type: "builtin:openapi", spec: "a" },
      made: "a",
      room: { pages: 1_000, levels: 5 },
      source: null,
    }),
  "lines that all differ": () => new Comparer().mergeTexts({ base: lines(1), ours: lines(3), theirs: lines(7) }),
  "SAML metadata of elements": () => readMessage("metadata", `<a>${filled("<b/>")}</a>`),
};

/** Of threads that read several texts, those that only the full size has them read. */
const further = [
  "documents of cells",
  "documents of empty lines",
  "HTML of links",
  "Markdown of blocks",
  "imported data of values",
  "a website of attributes",
  "a specification of dashes",
  "a specification of paths",
];

test.each(Object.keys(works).filter((name) => isFullSize || !further.includes(name)))(
  "%s: the thread ends with an error or a result, and the process lives",
  async (name) => {
    const outcome = await works[name]?.().catch((error: unknown) => error);
    if (outcome instanceof Error) expect(outcome.name).toMatch(/^(DomainError|SamlError)$/);
    else expect(outcome).toBeDefined(); // null for a text that takes too much
  },
);

test("a website of brackets is refused before it is parsed, which aborts the process of a gateway of 1 GB", async () => {
  threadMemory.limit(sharesOf(1_024));
  expect(await siteOf(filled("<", 5_000_000))).toEqual({
    problem: "It has more than 1,000,000 tags and references.",
  });
});
