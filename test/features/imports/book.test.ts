// The sample book, imported from its folder and from an archive: tree, titles and links are
// converted, and no character of text changes. The small size imports its beginning and appendix.
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Database, openDatabase } from "#src/db/connection/database.ts";
import { readTrees } from "#src/features/content/reads/trees.ts";
import { readHistory } from "#src/history/history-file.ts";
import { runImport } from "#test/features/imports/command.ts";
import { type Files, zip } from "#test/features/imports/files.ts";
import { runInTurn } from "#test/support/commands.ts";
import { isFullSize, sized } from "#test/support/runs.ts";
import { bookHistory, partOfBook } from "#test/support/samples.ts";
import { createTestDatabase, type TestDatabase } from "#test/support/test-database.ts";
import { createWorld } from "#test/support/world.ts";

describe.skipIf(!bookHistory)("importing the sample book", { timeout: 120_000 }, () => {
  let throwAway: TestDatabase;
  let database: Database;
  let folder: string;
  let book: Record<string, string>;
  /** A documentation history that starts with the book. */
  let history: string;

  beforeAll(async () => {
    throwAway = await createTestDatabase();
    database = openDatabase({ url: throwAway.url });
    folder = await mkdtemp(join(tmpdir(), "book-"));
    const { start, blobs } = await readHistory(bookHistory ?? "");
    const whole = Object.fromEntries(Object.entries(start).map(([path, blob]) => [path, blobs[blob] ?? ""]));
    book = isFullSize ? whole : partOfBook(whole);
    history = isFullSize ? (bookHistory ?? "") : join(folder, "history.json");
    if (!isFullSize) await writeFile(history, historyOf(book));
    for (const [path, text] of Object.entries(book)) {
      await mkdir(dirname(join(folder, "book/src", path)), { recursive: true });
      await writeFile(join(folder, "book/src", path), text);
    }
    const entries = Object.entries(book).map(([path, text]) => [`book-main/src/${path}`, text]);
    await writeFile(join(folder, "book.zip"), zip(Object.fromEntries(entries) as Files));
  });
  afterAll(async () => {
    await database.close();
    await throwAway.drop();
    await rm(folder, { recursive: true });
  });

  function historyOf(files: Readonly<Record<string, string>>): string {
    // Each blob has the name of its file.
    const start = Object.fromEntries(Object.keys(files).map((path) => [path, path]));
    const step = { kind: "edit", subject: "None", author: "Ann", date: "2026-01-01T00:00:00Z", after: {} };
    return JSON.stringify({ start, steps: [step], end: start, blobs: files });
  }

  const settings = () => ({ DATABASE_URL: throwAway.url, FILES_DIR: join(folder, "files") });

  const linkCount = sized(14, 96);

  interface Imported {
    readonly pageId: string;
    readonly type: string;
    readonly title: string;
    readonly slug: string;
    readonly text: string;
    readonly pages: readonly Imported[];
  }

  async function contentOf(spaceId: string): Promise<readonly Imported[]> {
    const { revision } = await database.prisma.space.findUniqueOrThrow({
      where: { id: spaceId },
      select: { revision: true },
    });
    const [tree] = await readTrees((statement) => database.query(statement), [revision.treeHash ?? ""]);
    const documents = await database.prisma.contentDocument.findMany();
    const texts = new Map(documents.map(({ hash, markdown }) => [hash, markdown]));
    type Row = NonNullable<typeof tree>["pages"][number];
    const withText = ({ pageId, type, title, slug, documentHash, pages }: Row): Imported => ({
      pageId,
      type,
      title,
      slug,
      text: texts.get(documentHash ?? "") ?? "",
      pages: pages.map(withText),
    });
    return (tree?.pages ?? []).map(withText);
  }

  const flat = (pages: readonly Imported[]): Imported[] => pages.flatMap((page) => [page, ...flat(page.pages)]);

  /** The contents as in SUMMARY.md: indented by level, and by one more inside parts. */
  function listContents(): string[] {
    let inPart = "";
    return (book["SUMMARY.md"] ?? "").split("\n").flatMap((line) => {
      const [, part] = /^##+ (.*)$/.exec(line) ?? [];
      if (part !== undefined) inPart = "    ";
      const [, indent = "", title, path = ""] = /^( *)(?:- )?\[(.*)\]\((.*)\.md\)$/.exec(line) ?? [];
      if (title === undefined) return part === undefined ? [] : [`${part} []`];
      return [`${inPart}${indent}${title.replaceAll("`", "")} [${path}]`];
    });
  }

  const outline = (pages: readonly Imported[], indent = ""): string[] =>
    pages.flatMap(({ title, type, slug, pages: below }) => [
      `${indent}${title} [${type === "group" ? "" : slug}]`,
      ...outline(below, `${indent}    `),
    ]);

  async function checkContent(spaceId: string): Promise<void> {
    const content = await contentOf(spaceId);
    expect(outline(content)).toEqual(listContents());
    const pages = flat(content).filter(({ type }) => type === "document");
    const slugs = new Map(pages.map(({ pageId, slug }) => [pageId, slug]));
    const back = (text: string) => text.replaceAll(/page:(pag_\w+)/g, (_link, id: string) => `${slugs.get(id)}.html`);
    const texts = Object.fromEntries(pages.map(({ slug, text }) => [`${slug}.md`, back(text)]));
    const { "SUMMARY.md": _summary, ...wanted } = book;
    expect(texts).toEqual(wanted);
    expect(pages).toHaveLength(sized(29, 104));
    // No link to a page of the book is left among those that the parser sees.
    const links = pages.flatMap(({ text }) => text.match(/(?<=\]\(|\]:\s)[^)\s]+/g) ?? []);
    expect(links.filter((link) => /^[\w-]+\.(?:md|html)\b/.test(link) && `${link.split(".")[0]}.md` in book)).toEqual(
      [],
    );
    expect(links.filter((link) => link.startsWith("page:"))).toHaveLength(linkCount);
  }

  /** Imports each into its own space, with further calls; returns the spaces and the results of those calls. */
  async function importFrom(paths: readonly string[], more: (spaceId: string) => readonly string[][] = () => []) {
    const spaces = await Promise.all(paths.map(async () => (await createWorld(database).space()).space));
    const calls = paths.map((path, index) => ["--space", spaces[index]?.id ?? "", path]);
    const outcomes = await runInTurn(
      [...calls, ...spaces.flatMap(({ id }) => more(id))].map((parameters) => ["import", ...parameters]),
      settings(),
    );
    for (const [index, { id }] of spaces.entries()) {
      const { code, output = "", errors } = outcomes[index] ?? {};
      expect({ code, errors: errors?.slice(-60) }).toMatchObject({ code: 0 });
      expect(output.replace(/in [\d.]+ s/, "in 1 s")).toContain(
        `Imported ${sized(33, 108)} pages and 0 files in 1 s, with ${linkCount} links between them.\nThe revision is rev_`,
      );
      await checkContent(id);
      console.info(output.split("\n")[0]);
    }
    return { spaces, said: outcomes.map(({ output }) => output) };
  }

  test("works from an archive and from a history that starts with it", async () => {
    await importFrom([join(folder, "book.zip"), history]);
  });

  test("works from a folder; importing it again with replace changes nothing, and one added line changes only its page", async () => {
    const replacing = (id: string) => ["--space", id, "--replace", join(folder, "book")];
    const { spaces, said } = await importFrom([join(folder, "book")], (id) => [replacing(id)]);
    const [first, again] = said.map((output) => /The revision is rev_\w+/.exec(output)?.[0]);
    expect(again).toBe(first);
    const [space = { id: "" }] = spaces;
    const before = await contentOf(space.id);
    await writeFile(join(folder, "book/src/foreword.md"), `${book["foreword.md"]}\nOne line more.\n`);
    expect(await runImport(settings(), ...replacing(space.id))).toMatchObject({ code: 0 });
    const after = await contentOf(space.id);
    expect(flat(after).map(({ pageId }) => pageId)).toEqual(flat(before).map(({ pageId }) => pageId));
    const changed = flat(after).filter(({ text }, index) => text !== flat(before)[index]?.text);
    expect(changed.map(({ slug }) => slug)).toEqual(["foreword"]);
  });
});
