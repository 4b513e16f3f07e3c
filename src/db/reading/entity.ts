// Entities: what reads need to know of a kind of row: its table, its stored and derived columns, and its visibility.
import type { IdKind } from "#src/base/ids.ts";
import { inWords } from "#src/base/text/forms.ts";
import type { Instant } from "#src/base/time.ts";
import { identifier, joinSql, type Sql, sql } from "#src/db/connection/database.ts";
import { Prisma } from "#src/generated/prisma/client.ts";

/** A row as hot reads return it: the stored columns of a Prisma model, with timestamps as ISO text. */
export type Stored<Model> = {
  [Column in keyof Model]: Model[Column] extends Date
    ? Instant
    : Model[Column] extends Date | null
      ? Instant | null
      : Model[Column];
};

/** The row type of each kind, as reads return it: features add theirs, by declaration merging. */
// oxlint-disable-next-line typescript/no-empty-interface -- filled by the features
export interface Rows {}

/** A kind of row, `t` in its SQL. Reads return only rows that `Scope` (the viewer) may see. */
export interface Entity<Row extends { id: string }, Scope> {
  readonly kind: IdKind;
  /** The name of a row in messages, such as `change request`. */
  readonly noun: string;
  /** The table of the rows: by default that of the kind's name. */
  readonly table: Sql;
  /** Names of the stored columns; all of them load if a selection does not name the ones it needs. */
  readonly stored: readonly string[];
  /** Columns computed by the statement itself; they only load when requested by name. */
  readonly derived: Derived<Scope>;
  /** Columns that may have thousands of characters. */
  readonly texts: readonly string[];
  visible(scope: Scope): Sql;
  /** Where rows are looked up that this rule does not find: rarely, so it is not a condition of every read. */
  readonly orElse?: Entity<Row, Scope>;
  /** Only for the compiler: ties the row type to the entity. */
  readonly row?: Row;
}

type Derived<Scope> = Record<string, (scope: Scope) => Sql>;

/** Defines an entity; its columns are those of the Prisma model of its kind by default. */
export function entity<Row extends { id: string }, Scope>(definition: {
  kind: IdKind;
  noun?: string;
  table?: Sql;
  stored?: Readonly<Record<string, string>>;
  derived?: Derived<Scope>;
  texts?: readonly (keyof Row & string)[];
  visible: (scope: Scope) => Sql;
}): Entity<Row, Scope> {
  const { kind, noun = inWords(kind), table = identifier(kind), texts = [], visible } = definition;
  const stored = Object.values(definition.stored ?? columnsOf(kind));
  return { kind, noun, table, stored, derived: { ...definition.derived }, texts, visible };
}

function columnsOf(model: string): Readonly<Record<string, string>> {
  const columns = Object.entries(Prisma).find(([name]) => name === `${model}ScalarFieldEnum`)?.[1];
  if (!columns) throw new Error(`The model ${model} does not exist`);
  return columns as Readonly<Record<string, string>>; // Prisma's enumerations are objects of names
}

/** Adds derived columns to an entity, as a child feature adds fields to its parent's type. Variants share them. */
export function derive<Row extends { id: string }, Scope>(
  to: Entity<Row, Scope>,
  columns: Readonly<Partial<Record<keyof Row & string, (scope: Scope) => Sql>>>,
): void {
  Object.assign(to.derived, columns);
}

/** What a caller needs of the rows: column names (null: every stored one), and whether cursors are selected. */
export interface Projection {
  readonly columns: readonly string[] | null;
  readonly cursors: boolean;
  /** A text that is equal for equal needs, by which loaders are shared. */
  readonly key: string;
  /** How many values are selected of each row, and how often a long text of it. */
  readonly selected: { readonly values: number; readonly texts: number };
}

const byDefault = { values: 1, texts: 0 };

/** Builds a {@link Projection}; `id` is always in it. */
export function project(
  columns: Iterable<string> | null,
  cursors = false,
  selected: Projection["selected"] = byDefault,
): Projection {
  const sorted = columns && [...new Set(columns).add("id")].toSorted();
  return { columns: sorted, cursors, key: `${sorted ? sorted.join(",") : "*"}${cursors ? "#" : ""}`, selected };
}

/** The union of several projections. */
export function joinProjections(all: readonly Projection[]): Projection {
  const columns = all.some((one) => one.columns === null) ? null : all.flatMap((one) => one.columns ?? []);
  const sum = (of: keyof Projection["selected"]) => all.reduce((total, one) => total + one.selected[of], 0);
  return project(columns, false, { values: sum("values"), texts: sum("texts") });
}

export const derives = <Scope>(
  { derived }: Pick<Entity<{ id: string }, Scope>, "derived">,
  { columns }: Projection,
): boolean => columns?.some((name) => Object.hasOwn(derived, name)) ?? false;

/** The SQL of a derived column, for conditions of lists. Throws for an unknown name, which is a bug. */
export function derivedColumn<Scope>(
  of: Pick<Entity<{ id: string }, Scope>, "kind" | "derived">,
  name: string,
  scope: Scope,
): Sql {
  const derive = of.derived[name];
  if (!derive) throw new Error(`${of.kind} does not have the derived column ${name}`);
  return derive(scope);
}

/** The select list of `projection`. Throws for an unknown name, which is a bug. */
export function selectList<Scope>(of: Entity<{ id: string }, Scope>, projection: Projection, scope: Scope): Sql {
  const parts = (projection.columns ?? of.stored).map((name) => {
    const derive = of.derived[name];
    if (derive) return sql`${derive(scope)} as ${identifier(name)}`;
    if (!of.stored.includes(name)) throw new Error(`${of.kind} does not have the column ${name}`);
    return identifier("t", name);
  });
  return joinSql(parts, ", ");
}

/** The rows with these ids that the scope may see, in any order. */
export function rowsStatement<Scope>(
  of: Entity<{ id: string }, Scope>,
  ids: readonly string[],
  projection: Projection,
  scope: Scope,
): Sql {
  // For any() PostgreSQL may choose an index in which the id comes second.
  const isOne = ids.length === 1 ? sql`t.id = (${ids}::text[])[1]` : sql`t.id = any(${ids}::text[])`;
  return sql`select ${selectList(of, projection, scope)} from ${of.table} t where ${isOne} and ${of.visible(scope)}`;
}
