// The registry of kinds of indexes over texts, for example the search index: features add them. Texts are stored by
// hash and immutable, so each text is indexed once for all pages that contain it.
//
// A new kind is:
//
// 1. a table in the models of its feature. Its rows have the `hash` of the text, with a foreign key to ContentDocument
//    that cascades, and the `variant` if the kind has variants; the key adds the columns that distinguish rows of one
//    text;
// 2. one constant in a `commands` file of the feature:
//
//        export const headingKind = defineIndex<Heading>({
//          name: "headings",
//          version: 1,
//          table: "TextHeading",
//          derive: (markdown) => headingsIn(markdown), // pure: the rows depend only on the text
//          columns: sql`place int, title text`, // of a row in JSON
//          write: (parts) => sql`headings as (insert into "TextHeading" (hash, place, title)
//            select p.hash, p.place, p.title from ${parts} p)`,
//        });
//
// 3. `derived: [headingKind]` in the record of the feature in the registry.
//
// A text is indexed in the transaction that stores it (index-texts.ts); older texts at the next start; all texts again
// when `version` is raised. Statements join the table with pages: `"PresentPage" p join "TextHeading" h using (hash)`.
import { joinSql, type Sql, sql } from "#src/db/connection/database.ts";

/** A kind of index. `Part` is a row of its table, without the hash, as JSON. */
export interface IndexKind<Part extends object = object> {
  readonly name: string;
  /** Must be raised whenever the result of `derive` or `write` changes. */
  readonly version: number;
  readonly table: string;
  /** Returns the rows of a text. Must not throw: an error stops all indexing. */
  readonly derive: (markdown: string) => readonly Part[] | Promise<readonly Part[]>;
  /** Names and types of the properties of a part, as a column definition list of `jsonb_to_recordset`. */
  readonly columns: Sql;
  /**
   * The parts of a WITH that write the rows, with names unique to the kind. `parts` has `hash` and `variant` of texts;
   * `writer` is a row `("spaceId")` if the transaction writes in a space, which it has locked.
   */
  readonly write: (parts: Sql) => Sql;
  /**
   * For a kind that also maintains columns of current pages: selects the spaces `(id)` whose pages are outdated
   * although their texts are indexed, and updates a batch of these pages. Changes no row when all are up to date.
   */
  readonly behind?: { readonly spaces: Sql; readonly catchUp: (spaceId: string) => Sql };
  /** SQL on a space `s`: a value that rows depend on besides the text, such as its language. Each has its own rows. */
  readonly variant?: Sql;
}

const kinds = new Map<string, IndexKind>();

/** All kinds by their names, in the order of the registry. */
export const indexKinds: ReadonlyMap<string, IndexKind> = kinds;

export function defineIndex<Part extends object>(kind: IndexKind<Part>): IndexKind<Part> {
  if (kinds.has(kind.name)) throw new Error(`The kind ${kind.name} is already defined`);
  kinds.set(kind.name, kind);
  return kind;
}

/** All kinds as rows `k(kind, version, variant)` for a space `s`. */
export const kindsAsRows = (): Sql =>
  sql`(values ${joinSql(Array.from(kinds.values(), ({ name, version, variant = sql`''` }) => sql`(${name}, ${version}::int, ${variant}::text)`))}) k(kind, version, variant)`;
