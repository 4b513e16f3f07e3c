// The kinds of indexes over texts, such as that of the search: features add them. Texts are stored by their hashes and
// never change, so an index reads each text once, for all pages that have it.
//
// A new kind is:
//
// 1. a table in the models of its feature. Its rows have the `hash` of the text, with a foreign key to ContentDocument
//    that cascades, and the `variant` where the kind has variants; their key has what else tells rows of one text
//    apart;
// 2. one constant in a `commands` file of the feature:
//
//        export const headingKind = defineIndex<Heading>({
//          name: "headings",
//          version: 1,
//          table: "TextHeading",
//          derive: (markdown) => headingsIn(markdown), // pure: the rows of a text, by nothing but the text
//          columns: sql`place int, title text`, // of a row, as JSON has them
//          write: (parts) => sql`headings as (insert into "TextHeading" (hash, place, title)
//            select p.hash, p.place, p.title from ${parts} p)`,
//        });
//
// 3. `derived: [headingKind]` in the record of the feature in the registry.
//
// A text is indexed in the transaction that stores it (index-texts.ts); what was there before, at the next start; all
// again when `version` is raised. Statements join the table with pages: `"PresentPage" p join "TextHeading" h using
// (hash)`.
import { joinSql, type Sql, sql } from "#src/db/connection/database.ts";

/** A kind of index. `Part` is a row of its table, without the hash, as JSON. */
export interface IndexKind<Part extends object = object> {
  readonly name: string;
  /** To be raised whenever `derive` or `write` makes something else. */
  readonly version: number;
  readonly table: string;
  /** The rows of a text. What throws is a bug, and stops all indexing. */
  readonly derive: (markdown: string) => readonly Part[] | Promise<readonly Part[]>;
  /** The names and types of the properties of a part, as `jsonb_to_recordset` wants them. */
  readonly columns: Sql;
  /**
   * The parts of a WITH that write the rows, with names unique to the kind. `parts` has `hash` and `variant` of texts;
   * `writer` is a row `("spaceId")` where the transaction writes in a space, and holds its lock.
   */
  readonly write: (parts: Sql) => Sql;
  /**
   * For a kind that keeps something in present pages, too: the spaces `(id)` whose pages lack it though their texts are
   * indexed, and the statement that mends some of these pages. It changes no row when all are mended.
   */
  readonly behind?: { readonly spaces: Sql; readonly catchUp: (spaceId: string) => Sql };
  /** What rows depend on besides the text, in SQL on a space `s`, such as its language: one set of rows for each. */
  readonly variant?: Sql;
}

const kinds = new Map<string, IndexKind>();

/** All kinds by their names, in the order of the registry. */
export const indexKinds: ReadonlyMap<string, IndexKind> = kinds;

export function defineIndex<Part extends object>(kind: IndexKind<Part>): IndexKind<Part> {
  if (kinds.has(kind.name)) throw new Error(`There is a kind ${kind.name} already`);
  kinds.set(kind.name, kind);
  return kind;
}

/** All kinds as rows `k(kind, version, variant)` for a space `s`. */
export const kindsAsRows = (): Sql =>
  sql`(values ${joinSql(Array.from(kinds.values(), ({ name, version, variant = sql`''` }) => sql`(${name}, ${version}::int, ${variant}::text)`))}) k(kind, version, variant)`;
