// Plans as data: what is written of each row of a selection, and what is read for all its rows together.
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
import type { ResponseShape, IsHidden } from "#src/plan/response-shape.ts";
import type { Literal } from "#src/plan/byte-writer.ts";
import { Code, type ScalarWriter } from "#src/plan/scalar-writer.ts";

export const PartKind = { literal: 0, column: 1, scalar: 2, same: 3, one: 4, many: 5, cursor: 6 } as const;
export type PartKind = (typeof PartKind)[keyof typeof PartKind];

/** One property of a written object. */
export interface Part {
  readonly kind: PartKind;
  /** The response name. */
  readonly name: string;
  /** The comma, name and colon, after properties that are the same for all rows. */
  readonly before: Literal;
  readonly isNullable: boolean;
  /** Whether a null is omitted. */
  readonly omitsNull: boolean;
  /** The writer of a column or scalar. */
  readonly scalar: ScalarWriter | null;
  /** The column or row property with the value. */
  readonly column: string;
  /** The child that is read for it. */
  readonly child: Child | null;
  /** Of a part that shows the same row: what it shows, and when it does not. */
  readonly selection: Selection | null;
  readonly isHidden: IsHidden | null;
}

/** The index of a part's column in the rows of a statement, and how it is read. */
export interface Bound {
  readonly place: number;
  readonly code: Code;
}

/** The selection of rows of one type. */
export class Selection {
  readonly type: GraphQLObjectType;
  readonly parts: Part[] = [];
  /** What is read below, in parallel. */
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

  /** Whether there are lists below: one row may take long to write. */
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

/** A read for all rows of a selection together. */
export interface Child {
  /** The index of its rows in a run. */
  readonly index: number;
  readonly field: GraphQLField<unknown, unknown>;
  /**
   * How it is read: `resolver` calls the field's, `nodes` and `edges` take the rows of the enclosing page, `node` that
   * of its edge if rows are of an abstract type.
   */
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
  /** The columns of rows. */
  readonly projection: Projection | null;
  /** Of a list: the values of each item that the budget counts. */
  readonly values: number;
  /** Of a list: the selected fields of the connection and its pageInfo. */
  readonly connectionFields: ReadonlySet<string>;
  readonly tree: ReturnType<ResponseShape["treeOf"]>;
  readonly entry: ReturnType<ResponseShape["entryOf"]>;
}

/** The columns that a field or type declares (plugin-prisma). */
export function columnsFor(extensions: Readonly<Record<string, unknown>>): string[] {
  const select = extensions["pothosPrismaSelect"];
  return typeof select === "object" && select !== null ? Object.keys(select) : [];
}
