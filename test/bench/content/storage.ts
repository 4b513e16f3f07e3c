// The storage of revisions: the sample book, and a number of one-line edits of it, each a revision.
import { withContentFixture, reworded } from "#test/bench/content/fixture.ts";
import { query } from "#test/bench/server.ts";
import { editAs, newPage } from "#test/features/content/edits.ts";
import { readBook } from "#test/support/samples.ts";

const tables = ["ContentDocument", "ContentPage", "ContentTree"] as const;

/** Bytes by table. */
interface Sizes {
  /** Bytes of the rows. */
  readonly rows: Readonly<Record<(typeof tables)[number], number>>;
  /** Bytes of the tables with indexes, TOAST and free space. */
  readonly disk: Readonly<Record<(typeof tables)[number], number>>;
}

export interface Storage {
  readonly pages: number;
  readonly characters: number;
  readonly edits: number;
  readonly book: Sizes;
  readonly after: Sizes;
  /** Of an average edit. */
  readonly milliseconds: number;
}

/** Writes the book, and then replaces one line per revision, page by page. */
export async function measureStorage(serverUrl: string, edits: number): Promise<Storage> {
  return withContentFixture(serverUrl, async ({ as, made, url }) => {
    const target = { spaceId: made.space.id };
    const book = readBook().map(([path, text]) => ({ text, page: newPage(path, { markdown: text, slug: path }) }));
    for (let start = 0; start < book.length; start += 20)
      await editAs(as, target, ...book.slice(start, start + 20).map(({ page }) => page.edit));
    const sizes = await sizesOn(url);
    const begin = performance.now();
    for (let index = 0; index < edits; index++) {
      const one = book[index % book.length];
      if (!one) break;
      const line = (index * 7) % one.text.split("\n").length;
      one.text = reworded(one.text, line, `This is another line since the edit with the number ${index}.`);
      await editAs(as, target, { updatePage: { pageId: one.page.pageId, markdown: one.text } });
    }
    const milliseconds = (performance.now() - begin) / edits;
    const characters = readBook().reduce((sum, [, text]) => sum + text.length, 0);
    return { pages: book.length, characters, edits, book: sizes, after: await sizesOn(url), milliseconds };
  });
}

async function sizesOn(url: string): Promise<Sizes> {
  const of = async (measure: (table: string) => string) => {
    const columns = tables.map((table) => `(${measure(table)})::float8 as "${table}"`);
    const [sizes] = await query<Record<(typeof tables)[number], number>>(url, `select ${columns.join()}`);
    if (!sizes) throw new Error("PostgreSQL answered no sizes");
    return sizes;
  };
  return {
    rows: await of((table) => `select sum(pg_column_size(t.*)) from "${table}" t`),
    disk: await of((table) => `select pg_total_relation_size('"${table}"')`),
  };
}

/** Bytes of all tables together. */
export const totalOf = (sizes: Sizes["rows"]): number => tables.reduce((sum, table) => sum + sizes[table], 0);
