// Content that is too much for a PDF: it is rendered, or refused in time; and failures leave nothing behind.
// At the small size the largest tables and words are shorter.
import { describe, expect, test } from "vitest";
import { printBook } from "#src/features/pdfs/commands/make-pdf.ts";
import { bookOf } from "#test/features/pdfs/books.ts";
import { readPdf, squeezed } from "#test/features/pdfs/reading.ts";
import { sized } from "#test/support/runs.ts";

const tableRows = sized(120, 1_500);
const wordsOfHead = sized(1_200, 2_000);
const row = (cells: number, text: string): string => `|${` ${text} |`.repeat(cells)}\n`;

describe("a PDF is rendered from", () => {
  test.each([
    ["a table of many rows", row(3, "head") + row(3, "---") + row(3, "cell").repeat(tableRows), 3 * tableRows + 3],
    ["a table of many columns", row(150, "word") + row(150, "---") + row(150, "word"), 300],
    [
      "a table whose head is taller than a sheet",
      row(1, "word ".repeat(wordsOfHead)) + row(1, "---") + row(1, "word"),
      wordsOfHead + 1,
    ],
    [
      "a table with a long text in a narrow column",
      `${row(11, " ")}${row(11, "---")}| ${"word ".repeat(115)} ${"| wwwwwwwwwwww ".repeat(10)}|`,
      115,
    ],
    ["a table with many breaks in a cell", `${row(1, "a")}${row(1, "---")}${row(1, "word<br>".repeat(70))}`, 70],
    ["a table with many images in a cell", `${row(1, "a")}${row(1, "---")}${row(1, "![word](x.svg) ".repeat(70))}`, 70],
    ["a quote of many short paragraphs", "> word\n>\n".repeat(34), 34],
    ["a quote of many short headings", "> # word\n>\n".repeat(34), 34],
    ["quotes in quotes", `${">".repeat(60)} word`, 1],
    ["lists in lists", Array.from({ length: 40 }, (_, level) => `${"  ".repeat(level)}- word\n`).join(""), 40],
    ["more levels than documents have", `${">".repeat(300)} word`, 1],
    ["a very long word", `${"x".repeat(sized(8_000, 30_000))} word`, 1],
    ["very long lines of code", `\`\`\`\n${"word ".repeat(3_000)}\n\`\`\``, 3_000],
    ["only headings", "# word\n\n".repeat(300), 300],
    ["a heading taller than a sheet", `# ${"word ".repeat(1_500)}`, 1_500],
    ["emphasis in emphasis", `${"**a *b ".repeat(40)}word${"* **".repeat(40)}`, 1],
    ["marks that open and never close", `${"[".repeat(300)}word${"](".repeat(300)}`, 1],
  ])(
    "%s",
    async (_, markdown, words) => {
      const { sheets } = await readPdf(await printBook(bookOf(markdown)));
      const found = squeezed(sheets.slice(1).join("")).match(/word|head|cell/g)?.length ?? 0;
      expect(found).toBeGreaterThanOrEqual(words);
    },
    120_000,
  );
});

test("a PDF that takes too long is refused, and the next one is rendered", async () => {
  const endless = bookOf("word ".repeat(400_000));
  const refused = await printBook(endless, sized(500, 1_500)).catch((error: unknown) => error);
  expect(refused).toMatchObject({ code: "TOO_LARGE", message: expect.stringMatching(/more than [01]\.5 seconds/) });
  const { sheets } = await readPdf(await printBook(bookOf("Small.")));
  expect(squeezed(sheets.at(-1) ?? "")).toBe("PageSmall.");
});

test("a PDF of a text with too many includes is refused with the reason", async () => {
  const book = { ...bookOf("{{ a }} ".repeat(5_000)), variables: { a: "x".repeat(1_000) } };
  await expect(printBook(book)).rejects.toMatchObject({
    code: "TOO_LARGE",
    message: expect.stringMatching(/evaluated text/),
  });
});

test("a PDF says on its cover which scripts it has no font for", async () => {
  const coverOf = async (markdown: string) =>
    squeezed((await readPdf(await printBook(bookOf(markdown)))).sheets[0] ?? "");
  expect(await coverOf("שלום مرحبا")).toContain(
    squeezed("This PDF has no fonts for Arabic, Hebrew: such letters are shown"),
  );
  expect(await coverOf("ไทย 日本 Ελλ")).not.toContain("fonts");
});

test("PDFs of equal books are equal", async () => {
  const book = bookOf("Some **text**, 日本語.");
  expect(Buffer.from(await printBook(book)).equals(Buffer.from(await printBook(book)))).toBe(true);
});
