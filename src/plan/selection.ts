// Selections of compiled operations, as data: what is written of each row, and what is read for all rows together.
import {
  type GraphQLAbstractType,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  isObjectType,
} from "graphql";
import type { Projection } from "#src/db/reading/entity.ts";
import type { Column, Rows } from "#src/db/connection/wire/rows.ts";
import type { Arguments, FieldRead } from "#src/plan/read-declaration.ts";
import type { IsHidden, ResponseShape } from "#src/plan/response-shape.ts";
import { type Literal, Unsupported } from "#src/plan/byte-writer.ts";
import { Code, type ScalarWriter } from "#src/plan/scalar-writer.ts";
import type { Budget } from "#src/db/connection/budget.ts";
import type { Batch } from "#src/plan/batch.ts";

export const PartKind = { literal: 0, column: 1, scalar: 2, same: 3, one: 4, many: 5, cursor: 6 } as const;
export type PartKind = (typeof PartKind)[keyof typeof PartKind];

export interface Part {
  readonly kind: PartKind;
  readonly name: string;
  /** The comma, name and colon, after properties that are the same for all rows. */
  readonly before: Literal;
  readonly isNullable: boolean;
  readonly omitsNull: boolean;
  readonly scalar: ScalarWriter | null;
  readonly column: string;
  readonly child: Child | null;
  /** Of a part that shows the same row: its selection, and the condition under which it is omitted. */
  readonly selection: Selection | null;
  readonly isHidden: IsHidden | null;
}

/** The index of a part's column in the rows of a statement, and how it is read. */
export interface Bound {
  readonly place: number;
  readonly code: Code;
}

export class Selection {
  readonly type: GraphQLObjectType;
  readonly parts: Part[] = [];
  /** The children, read in parallel. */
  readonly children: Child[] = [];
  /** The columns that functions use; rows always have an id. */
  readonly columns = new Set(["id"]);
  /** The part that replaces the object, if any. */
  reference: Part | undefined;
  #hasLists: boolean | undefined;
  #last: { readonly columns: readonly Column[]; readonly bound: readonly Bound[] } | undefined;

  constructor(type: GraphQLObjectType) {
    this.type = type;
  }

  /** Whether it contains lists: one row may take long to write. */
  get hasLists(): boolean {
    return (this.#hasLists ??= this.parts.some(({ kind, child, selection }) => {
      const below = child && isObjectType(child.of) ? child.selectionOf?.(child.of) : selection;
      return kind === PartKind.many || (child?.of && !below) || below?.hasLists === true;
    }));
  }

  part(name: string): Part | undefined {
    return this.parts.find((part) => part.name === name);
  }

  /** The column of each part in these rows; parts without one get index -1. */
  bind(rows: Rows): readonly Bound[] {
    if (this.#last?.columns === rows.columns) return this.#last.bound;
    const bound = this.parts.map(({ column: name, scalar }) => {
      const place = name === "" ? -1 : rows.place(name);
      const column = rows.columns[place];
      return { place, code: scalar && column ? scalar.codeFor(column) : Code.decoded };
    });
    this.#last = { columns: rows.columns, bound };
    return bound;
  }
}

export interface Child {
  readonly index: number;
  readonly field: GraphQLField<unknown, unknown>;
  /** `resolver` calls the field's; `nodes` and `edges` take rows of the surrounding page, `node` that of an edge. */
  readonly read: FieldRead | { readonly kind: "resolver" | "nodes" | "edges" | "node" };
  readonly isList: boolean;
  readonly isNullable: boolean;
  readonly hasNullItems: boolean;
  /** The selection for an object type; undefined for a scalar. */
  readonly selectionOf: ((type: GraphQLObjectType) => Selection) | undefined;
  /** The object type; an abstract one is resolved for each object. */
  readonly of: GraphQLObjectType | GraphQLAbstractType | null;
  readonly argsOf: (variables: Arguments) => Arguments;
  readonly info: GraphQLResolveInfo;
  readonly projection: Projection | null;
  /** Of a list: the values of each item that the budget counts. */
  readonly values: number;
  readonly connectionFields: ReadonlySet<string>;
  readonly tree: ReturnType<ResponseShape["treeOf"]>;
  readonly entry: ReturnType<ResponseShape["entryOf"]>;
}

/** The columns that a field or type declares (plugin-prisma). */
export function columnsFor(extensions: Readonly<Record<string, unknown>>): string[] {
  const select = extensions["pothosPrismaSelect"];
  return typeof select === "object" && select !== null ? Object.keys(select) : [];
}

export interface Target {
  readonly selection: Selection;
  readonly batch: Batch;
}

export interface ChildRows {
  /** Of a scalar: one value for each row of the parent. */
  readonly values?: readonly unknown[];
  /** Of a list: where each parent's items start (-1 for null) and end. */
  readonly first?: ArrayLike<number>;
  readonly last?: ArrayLike<number>;
  /** The list comes from a resolver, which has counted its items. */
  readonly isCounted?: true;
  /** The row of a target for each row of the parent, or item of a list; -1 for null. If absent, they are in order. */
  readonly at?: ArrayLike<number> | null;
  /** The index of the target, for an abstract type. */
  readonly which?: ArrayLike<number>;
  readonly targets: readonly Target[];
}

/** The row of a parent's object or of an item; -1 for null. */
export const rowAt = ({ at }: ChildRows, index: number): number => (at ? (at[index] ?? -1) : index);

/** Counts the items of a response, each as often as it is written. */
export class ItemCounts {
  readonly #budget: Budget;
  /** The parent rows whose resolver lists were already written. */
  #written: Map<ChildRows, Set<number>> | undefined;

  constructor(budget: Budget) {
    this.#budget = budget;
  }

  /** Counts the list of a parent row. Items that the resolver has counted only count their values, once. */
  take({ values }: Child, rows: ChildRows, row: number): void {
    const { first, last, isCounted = false } = rows;
    const count = (last?.[row] ?? 0) - (first?.[row] ?? 0);
    if (isCounted && this.#isFirst(rows, row)) this.#budget.takeValues(count * values);
    else this.#budget.takeRows(count, values);
  }

  /** Forgets what was written: the response starts again. */
  restart(): void {
    this.#written = undefined;
  }

  #isFirst(rows: ChildRows, row: number): boolean {
    const written = (this.#written ??= new Map());
    const counted = written.get(rows);
    if (counted?.has(row)) return false;
    if (counted) counted.add(row);
    else written.set(rows, new Set([row]));
    return true;
  }
}

export function selectionOf(child: Child, type = child.of): Selection {
  if (!child.selectionOf || !isObjectType(type)) throw new Unsupported("no type of objects");
  return child.selectionOf(type);
}
