// Conversion in threads: results in order, errors per text, and a time limit for texts crafted to be slow.
import { expect, test } from "vitest";
import { DomainError } from "#src/base/errors.ts";
import { fromMarkdown } from "#src/documents/from-markdown.ts";
import { convert } from "#src/documents/convert.ts";
import { isFullSize } from "#test/support/runs.ts";
import { divideLimits } from "#test/support/limits.ts";

const toDocument = (text: string) => ({ to: "document", text }) as const;

const limit = /^The text takes too much time or memory to convert/;

test("converts any number of texts in both directions, with results in order", async () => {
  const texts = Array.from({ length: 20 }, (_, index) => `# Text ${index}\n\nwith *marks*\n`);
  const documents = await convert(texts.map(toDocument));
  expect(documents).toEqual(texts.map((text) => JSON.stringify(fromMarkdown(text))));
  const jobs = documents.map((document) => convert([{ to: "markdown", text: String(document) }]));
  expect((await Promise.all(jobs)).flat()).toEqual(texts);
  expect(await convert([])).toEqual([]);
});

test("refuses an invalid document with its path and converts the others", async () => {
  const bad = { to: "markdown", text: '{"nodes":[{}]}', path: "body/document" } as const;
  const [before, refused, after] = await convert([toDocument("a"), bad, toDocument("b")]);
  expect([before, after]).toEqual([JSON.stringify(fromMarkdown("a")), JSON.stringify(fromMarkdown("b"))]);
  expect(refused).toBeInstanceOf(DomainError);
  const path = "body/document/nodes/0/object";
  expect(refused).toMatchObject({ code: "INVALID_INPUT", details: [{ path, message: "must be one of block." }] });
});

test.each([
  ["quotes", ">".repeat(500)],
  ["lists", `${"- ".repeat(300)}a`],
  ["marks", `${"*".repeat(300)}a${"*".repeat(300)}`],
])("refuses %s that are nested too deeply", async (_what, text) => {
  const [refused] = await convert([toDocument(text)]);
  expect(refused).toMatchObject({ code: "INVALID_INPUT", message: expect.stringMatching(/at most 100 levels/) });
});

test("converts long texts that only look expensive", async () => {
  const texts = ["[".repeat(20_000), "![".repeat(10_000), "<".repeat(20_000), "&".repeat(20_000), "\\".repeat(20_000)];
  for (const converted of await convert(texts.map(toDocument)))
    expect(converted).toEqual(expect.stringContaining("paragraph"));
});

test("stops texts crafted to be slow while others continue", { timeout: 60_000 }, async () => {
  if (!isFullSize) divideLimits(10);
  const slow = [`${"- ".repeat(12_000)}a`, "1. ".repeat(12_000)];
  const jobs = slow.map((text) => convert([toDocument("before"), toDocument(text), toDocument("behind")]));
  const waiting = convert([toDocument("next")]);
  for (const converted of await Promise.all(jobs)) {
    const [before, ended, behind] = converted;
    expect(before).toBe(JSON.stringify(fromMarkdown("before")));
    expect(ended).toMatchObject({ code: "INVALID_INPUT", message: expect.stringMatching(limit) });
    expect(behind).toBeUndefined();
  }
  expect(await waiting).toEqual([JSON.stringify(fromMarkdown("next"))]);
});
