// Entities: what a read must know of a kind of row - its table, its stored and derived columns, and who may see it.
import type { IdKind } from "#src/base/ids.ts";
import type { Instant } from "#src/base/time.ts";
import { identifier, type Sql, sql } from "#src/db/database.ts";

/** A row as hot reads hand it out: the stored columns of a Prisma model, with timestamps as ISO text. */
export type Stored<Model> = {
  [Column in keyof Model]: Model[Column] extends Date
    ? Instant
    : Model[Column] extends Date | null
      ? Instant | null
      : Model[Column];
};

/**
 * A kind of row. `Scope` is what decides visibility (the viewer). In every piece of SQL the row's own table is `t`.
 *
 * A finder only ever answers rows that the scope may see, so a row in hand is the proof that it is visible.
 */
export interface Entity<Row extends { id: string }, Scope> {
  readonly kind: IdKind;
  /** Tells entities of the same kind but another visibility apart. */
  readonly name?: string;
  /** Where the rows are: the table of the kind's name, unless told. */
  readonly table: Sql;
  /** Names of the stored columns; all of them load when a selection does not say which it needs. */
  readonly stored: readonly string[];
  /** Columns computed by the statement itself; they load only when they are asked for by name. */
  readonly derived: Readonly<Record<string, (scope: Scope) => Sql>>;
  /** The condition under which the scope may see row `t`. */
  visible(scope: Scope): Sql;
  /** Only for the compiler: ties the row type to the entity. */
  readonly row?: Row;
}

/** Defines an entity; `stored` takes Prisma's enumeration of the model's columns. */
export function entity<Row extends { id: string }, Scope>(definition: {
  kind: IdKind;
  table?: Sql;
  stored: Readonly<Record<string, string>>;
  derived?: Readonly<Record<string, (scope: Scope) => Sql>>;
  visible: (scope: Scope) => Sql;
}): Entity<Row, Scope> {
  const { kind, table = identifier(kind), stored, derived = {}, visible } = definition;
  return { kind, table, stored: Object.values(stored), derived, visible };
}

/** What a caller needs of the rows: column names (null: every stored one), and whether cursors are asked for. */
export interface Wanted {
  readonly columns: readonly string[] | null;
  readonly cursors: boolean;
  /** A text that is equal for equal needs, by which loaders are shared. */
  readonly key: string;
}

/** Builds a {@link Wanted}; `id` is always in it. */
export function want(columns: Iterable<string> | null, cursors = false): Wanted {
  const sorted = columns && [...new Set(columns).add("id")].toSorted();
  return { columns: sorted, cursors, key: `${sorted ? sorted.join(",") : "*"}${cursors ? "#" : ""}` };
}

/** The select list of `wanted`. An unknown name is a bug of ours and throws. */
export function selectList<Scope>(of: Entity<{ id: string }, Scope>, wanted: Wanted, scope: Scope): Sql {
  const parts = (wanted.columns ?? of.stored).map((name) => {
    const derive = of.derived[name];
    if (derive) return sql`${derive(scope)} as ${identifier(name)}`;
    if (!of.stored.includes(name)) throw new Error(`${of.kind} has no column ${name}`);
    return identifier("t", name);
  });
  return parts.reduce((list, part) => sql`${list}, ${part}`);
}
