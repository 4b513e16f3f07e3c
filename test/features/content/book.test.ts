// A real book as content: pages on two levels, written by edits, read in one statement, and edited page by page at
// little cost. The small size has some of its chapters.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Edit, editAs, newPage, readPages } from "#test/features/content/edits.ts";
import { type Client, testApp, type TestApp } from "#test/support/app.ts";
import { isFullSize, sized, someOf } from "#test/support/runs.ts";
import { bookHistory, partOfBook, readBook } from "#test/support/samples.ts";
import { createWorld } from "#test/support/world.ts";

/** Edits that create the pages, `ch04-02-…` below `ch04-00-…`, split to fit into requests. */
function editsOf(book: readonly (readonly [path: string, text: string])[]): Edit[][] {
  const chapters = new Map<string, string>();
  const parts: Edit[][] = [[]];
  let size = 0;
  for (const [path, markdown] of book.toSorted(([one], [other]) => (one < other ? -1 : 1))) {
    const [, chapter = "", number] = /^(ch\d\d|appendix)-(\d\d)/.exec(path) ?? [];
    const parentId = number === "00" ? undefined : chapters.get(chapter);
    const { pageId, edit } = newPage(path, { markdown, slug: path, ...(parentId && { parentId }) });
    if (number === "00") chapters.set(chapter, pageId);
    size += markdown.length;
    if (size > 400_000) {
      parts.push([]);
      size = markdown.length;
    }
    parts.at(-1)?.push(edit);
  }
  return parts;
}

describe.skipIf(!bookHistory)("the sample book as content", () => {
  let app: TestApp;
  let as: Client;
  let spaceId: string;
  let revisionId: string;
  const whole = readBook();
  const book = isFullSize ? whole : Object.entries(partOfBook(Object.fromEntries(whole)));

  beforeAll(async () => {
    app = await testApp();
    const { editor, space } = await createWorld(app.database).space();
    as = app.as(editor.token);
    spaceId = space.id;
    for (const part of editsOf(book)) revisionId = await editAs(as, { spaceId }, ...part);
  });
  afterAll(() => app.close());

  async function storage(): Promise<{ texts: number; pages: number; rows: number }> {
    const { rows } = await app.database.pool.query<{ texts: number; pages: number; rows: number }>(
      `select (select sum(pg_column_size(d.*)) from "ContentDocument" d)::int as texts,
        ((select sum(pg_column_size(p.*)) from "ContentPage" p) + (select sum(pg_column_size(t.*)) from "ContentTree" t))::int as pages,
        ((select count(*) from "ContentPage") + (select count(*) from "ContentTree") + (select count(*) from "ContentDocument"))::int as rows`,
    );
    return rows[0] ?? { texts: 0, pages: 0, rows: 0 };
  }

  test("is read back unchanged to the last character", async () => {
    const pages = await readPages(as, revisionId);
    const texts = pages.flatMap((page) => [page, ...page.pages]).map(({ slug, markdown }) => [slug, markdown]);
    expect(texts).toHaveLength(sized(24, 105));
    expect(Object.fromEntries(texts)).toEqual(Object.fromEntries(book));
  });

  test("has its whole tree cached after an edit, and all texts are read in one statement", async () => {
    const tree = (fields: string) =>
      `{ space(id: "${spaceId}") { content { pages { ${fields} pages { ${fields} } } } } }`;
    revisionId = await editAs(as, { spaceId }, newPage("Colophon").edit);
    expect(await as.statements(tree("pageId title path markdown"))).toBe(3); // the edit cached its tree
    expect(await as.statements(tree("pageId title path"))).toBe(2);
  });

  test("stores one text, and the pages and levels on the way to it, for each of many one-line edits", async () => {
    const before = await storage();
    const pages = (await readPages(as, revisionId)).flatMap((page) => [page, ...page.pages]);
    const edited = someOf(pages, ({ markdown }) => (markdown ?? "").length > 9_500); // short texts are not compressed
    for (const { pageId, markdown } of edited)
      await editAs(as, { spaceId }, { updatePage: { pageId, markdown: `${markdown}Another line\n` } });
    const after = await storage();
    const edits = edited.length;
    const deep = edited.filter(({ path }) => path.includes("/")).length;
    expect(after.rows - before.rows).toBe(edits * 3 + deep * 2); // below a chapter also its page and its level
    const lengthOf = (some: readonly { markdown: string | null }[]) =>
      some.reduce((sum, { markdown }) => sum + (markdown ?? "").length, 0);
    const share = lengthOf(edited) / lengthOf(pages);
    expect(after.texts - before.texts).toBeLessThan(1.05 * share * before.texts); // each edited text once more
    console.info(
      `The book: ${before.texts} bytes of texts, ${before.pages} of pages. After ${edits} edits of ${deep} pages below and ${edits - deep} at the top: ` +
        `${after.texts - before.texts} and ${after.pages - before.pages} more.`,
    );
  });
});
