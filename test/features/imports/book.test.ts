// The sample book, imported from its folder and from an archive: tree, titles and links are
// converted, and no character of text changes. The small size imports its beginning and appendix.
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readTrees } from "#src/features/content/reads/trees.ts";
import { readHistory } from "#src/history/history-file.ts";
import { type Files, zip } from "#test/features/imports/files.ts";
import { useApp } from "#test/support/app.ts";
import { type Outcome, runInTurn } from "#test/support/commands.ts";
import { isFullSize, sized } from "#test/support/runs.ts";
import { bookHistory, partOfBook } from "#test/support/samples.ts";

const { app, world } = await useApp();

describe.skipIf(!bookHistory)("importing the sample book", { timeout: 120_000 }, () => {
  let folder: string;
  let book: Record<string, string>;
  /** The outcomes of imports by one process: of all sources, and of the folder with replace, unchanged and changed. */
  let imported: Readonly<Record<"archive" | "history" | "folder" | "again" | "changed", Outcome | undefined>>;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "book-"));
    const { start, blobs } = await readHistory(bookHistory ?? "");
    const whole = Object.fromEntries(Object.entries(start).map(([path, blob]) => [path, blobs[blob] ?? ""]));
    book = isFullSize ? whole : partOfBook(whole);
    const history = isFullSize ? (bookHistory ?? "") : join(folder, "history.json");
    if (!isFullSize) await writeFile(history, historyOf(book));
    await writeBook("book", book);
    await writeBook("changed", { ...book, "foreword.md": `${book["foreword.md"]}\nOne line more.\n` });
    const entries = Object.entries(book).map(([path, text]) => [`book-main/src/${path}`, text]);
    await writeFile(join(folder, "book.zip"), zip(Object.fromEntries(entries) as Files));
    const [one, two, three] = await Promise.all([0, 1, 2].map(async () => (await world.space()).space.id));
    const [archive, ofHistory, ofFolder, again, changed] = await importInTurn(
      [one, join(folder, "book.zip")],
      [two, history],
      [three, join(folder, "book")],
      [three, join(folder, "book"), "--replace"],
      [three, join(folder, "changed"), "--replace"],
    );
    imported = { archive, history: ofHistory, folder: ofFolder, again, changed };
  }, 240_000);
  afterAll(() => rm(folder, { recursive: true }));

  async function writeBook(name: string, files: Readonly<Record<string, string>>): Promise<void> {
    for (const [path, text] of Object.entries(files)) {
      const file = join(folder, name, "src", path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
    }
  }

  function historyOf(files: Readonly<Record<string, string>>): string {
    // Each blob has the name of its file.
    const start = Object.fromEntries(Object.keys(files).map((path) => [path, path]));
    const step = { kind: "edit", subject: "None", author: "Ann", date: "2026-01-01T00:00:00Z", after: {} };
    return JSON.stringify({ start, steps: [step], end: start, blobs: files });
  }

  const importInTurn = (...calls: readonly (readonly [spaceId: string | undefined, ...parameters: string[]])[]) =>
    runInTurn(
      calls.map(([spaceId = "", ...parameters]) => ["import", "--space", spaceId, ...parameters]),
      { DATABASE_URL: app.databaseUrl, FILES_DIR: app.filesFolder },
    );

  const linkCount = sized(6, 96);

  interface Imported {
    readonly pageId: string;
    readonly type: string;
    readonly title: string;
    readonly slug: string;
    readonly text: string;
    readonly pages: readonly Imported[];
  }

  const revisionOf = (outcome: Outcome | undefined) => /(?<=The revision is )rev_\w+/.exec(outcome?.output ?? "")?.[0];

  async function contentOf(outcome: Outcome | undefined): Promise<readonly Imported[]> {
    const { database } = app;
    const revision = await database.prisma.revision.findUniqueOrThrow({ where: { id: revisionOf(outcome) ?? "" } });
    const [tree] = await readTrees((statement) => database.query(statement), [revision.treeHash ?? ""]);
    const hashes = [...(tree?.byId.values() ?? [])].map(({ documentHash }) => documentHash ?? "");
    const documents = await database.prisma.contentDocument.findMany({ where: { hash: { in: hashes } } });
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

  test.each(["archive", "history", "folder"] as const)("works from a source of the kind %s", async (source) => {
    const { code, output = "", errors } = imported[source] ?? {};
    expect(code, errors?.slice(-200)).toBe(0);
    expect(output.replace(/in [\d.]+ s/, "in 1 s")).toContain(
      `Imported ${sized(27, 108)} pages and 0 files in 1 s, with ${linkCount} links between them.\nThe revision is rev_`,
    );
    console.info(output.split("\n")[0]);
    const content = await contentOf(imported[source]);
    expect(outline(content)).toEqual(listContents());
    const pages = flat(content).filter(({ type }) => type === "document");
    const slugs = new Map(pages.map(({ pageId, slug }) => [pageId, slug]));
    const back = (text: string) => text.replaceAll(/page:(pag_\w+)/g, (_link, id: string) => `${slugs.get(id)}.html`);
    const texts = Object.fromEntries(pages.map(({ slug, text }) => [`${slug}.md`, back(text)]));
    const { "SUMMARY.md": _summary, ...wanted } = book;
    expect(texts).toEqual(wanted);
    expect(pages).toHaveLength(sized(23, 104));
    // No link to a page of the book is left among those that the parser sees.
    const links = pages.flatMap(({ text }) => text.match(/(?<=\]\(|\]:\s)[^)\s]+/g) ?? []);
    expect(links.filter((link) => /^[\w-]+\.(?:md|html)\b/.test(link) && `${link.split(".")[0]}.md` in book)).toEqual(
      [],
    );
    expect(links.filter((link) => link.startsWith("page:"))).toHaveLength(linkCount);
  });

  test("importing the folder again with replace changes nothing, and one added line changes only its page", async () => {
    expect([imported.again, imported.changed]).toMatchObject([{ code: 0 }, { code: 0 }]);
    expect(revisionOf(imported.again)).toBe(revisionOf(imported.folder));
    const [before, after] = await Promise.all([contentOf(imported.folder), contentOf(imported.changed)]);
    expect(flat(after).map(({ pageId }) => pageId)).toEqual(flat(before).map(({ pageId }) => pageId));
    const changed = flat(after).filter(({ text }, index) => text !== flat(before)[index]?.text);
    expect(changed.map(({ slug }) => slug)).toEqual(["foreword"]);
  });
});
