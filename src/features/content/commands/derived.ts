// What is derived from texts, such as the parts of them that are searched: the kinds of it, which features add. Texts
// are stored by their hashes and never change, so what is derived from one is made once, for all pages that have it.
//
// A new kind is:
//
// 1. a table in the models of its feature. Its rows have the `hash` of the text, with a foreign key to ContentDocument
//    that cascades, and where the kind has variants the `variant`; what else tells rows of one text apart, such as
//    their place, is in its key;
// 2. one row in a `commands` file of the feature:
//
//        export const headingKind = defineDerived<Heading>({
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
// That is all: what is stored from then on is derived in the transaction that stores it (derive.ts), what was there
// before at the next start, and all anew when `version` is raised. A statement
// joins its table with the present pages of spaces by the hash: `"PresentPage" p join "TextHeading" h using (hash)`.
import { emptySql, type Sql, sql } from "#src/db/connection/database.ts";

/** A kind of what is derived from texts. `Part` is a row of its table, without the hash, as JSON. */
export interface DerivedKind<Part extends object = object> {
  readonly name: string;
  /** To be raised whenever `derive` or `write` makes something else. */
  readonly version: number;
  readonly table: string;
  /** The rows of a text. What throws is a bug, and stops all that is derived. */
  readonly derive: (markdown: string) => readonly Part[] | Promise<readonly Part[]>;
  /** The names and types of the properties of a part, as `jsonb_to_recordset` wants them. */
  readonly columns: Sql;
  /**
   * The parts of a WITH that write the rows, with names of no other kind; `parts` is one of them: the parts, each with
   * the `hash` of its text and the `variant`. So is `writer`, which has a row `("spaceId")` where that happens in the
   * transaction of somebody who writes in a space, and holds its lock.
   */
  readonly write: (parts: Sql) => Sql;
  /**
   * For a kind that keeps something in present pages, too: which spaces have pages that lack it though their texts have
   * been derived from, rows `(id)`, and the statement that mends some of these. It changes no row when all is mended.
   */
  readonly behind?: { readonly spaces: Sql; readonly catchUp: (spaceId: string) => Sql };
  /**
   * What the rows depend on besides the text, in SQL on a space `s`, such as its language: there is one set of rows for
   * each variant that a space with the text has.
   */
  readonly variant?: Sql;
}

const kinds = new Map<string, DerivedKind>();

/** All kinds by their names, in the order of the registry. */
export const derivedKinds: ReadonlyMap<string, DerivedKind> = kinds;

/** Adds a kind. Its name is that of no other. */
export function defineDerived<Part extends object>(kind: DerivedKind<Part>): DerivedKind<Part> {
  if (kinds.has(kind.name)) throw new Error(`There is a kind ${kind.name} already`);
  kinds.set(kind.name, kind);
  return kind;
}

/** Kinds as rows `(kind, version, variant)` for a space `s`. */
export function kindsAsRows(of: readonly DerivedKind[]): Sql {
  const rows = of.map(({ name, version, variant }) => sql`(${name}, ${version}::int, ${variant ?? sql`''`}::text)`);
  return sql`(values ${rows.reduce((all, row, index) => (index === 0 ? row : sql`${all}, ${row}`), emptySql)}) k(kind, version, variant)`;
}
