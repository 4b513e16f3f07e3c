// Plans as data: what is written of each row of a selection, and what is read for all rows of it together.
import {
  type GraphQLAbstractType,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  isObjectType,
} from "graphql";
import type { Wanted } from "#src/db/reading/entity.ts";
import type { Column, Rows } from "#src/db/connection/wire/rows.ts";
import type { Arguments, FieldRead } from "#src/plan/read-declaration.ts";
import type { Form, IsHidden } from "#src/plan/response-shape.ts";
import type { Literal } from "#src/plan/byte-writer.ts";
import { Code, type Leaf } from "#src/plan/scalar-writer.ts";

export const PartKind = { literal: 0, column: 1, leaf: 2, same: 3, one: 4, many: 5, cursor: 6 } as const;
export type PartKind = (typeof PartKind)[keyof typeof PartKind];

/** One property of an object as it is written: what comes before its value, and where the value is. */
export interface Part {
  readonly kind: PartKind;
  /** Its response name. */
  readonly name: string;
  /** The comma, the name and the colon, and properties before it that are the same for all rows. */
  readonly before: Literal;
  readonly isNullable: boolean;
  /** Whether it is left out when it is null. */
  readonly omitsNull: boolean;
  /** How the value is written, of a column or leaf. */
  readonly leaf: Leaf | null;
  /** The column (or property of the row) with the value. */
  readonly column: string;
  /** What has to be read for it. */
  readonly child: Child | null;
  /** Of a part that shows the same row: what it shows, and when it does not. */
  readonly selection: Selection | null;
  readonly isHidden: IsHidden | null;
}

/** Where the column of a part is in the rows of a statement, and how it is read. */
export interface Bound {
  readonly place: number;
  readonly code: Code;
}

/** What is selected of rows of one type. */
export class Selection {
  readonly type: GraphQLObjectType;
  readonly parts: Part[] = [];
  /** What is read below, all at once. */
  readonly children: Child[] = [];
  /** The columns that functions look at; rows have an id always. */
  readonly columns = new Set(["id"]);
  /** The part that is written instead of the object, if any. */
  reference: Part | undefined;
  #hasLists: boolean | undefined;
  #last: { readonly columns: readonly Column[]; readonly bound: readonly Bound[] } | undefined;

  constructor(type: GraphQLObjectType) {
    this.type = type;
  }

  /** Whether there are lists below, so that one row may take long to write. */
  get hasLists(): boolean {
    return (this.#hasLists ??= this.parts.some(({ kind, child, selection }) => {
      const below = child && isObjectType(child.of) ? child.selectionOf?.(child.of) : selection;
      return kind === PartKind.many || (child?.of && !below) || below?.hasLists === true;
    }));
  }

  part(name: string): Part | undefined {
    return this.parts.find((part) => part.name === name);
  }

  /** Of each part, where its column is; of one without a column, nothing that counts. */
  bind(rows: Rows): readonly Bound[] {
    if (this.#last?.columns === rows.columns) return this.#last.bound;
    const bound = this.parts.map(({ column: name, leaf }) => {
      const place = name === "" ? -1 : rows.place(name);
      const column = rows.columns[place];
      return { place, code: leaf && column ? leaf.codeFor(column) : Code.decoded };
    });
    this.#last = { columns: rows.columns, bound };
    return bound;
  }
}

/** Something that is read for all rows of a selection together. */
export interface Child {
  /** Where a run keeps what it has read. */
  readonly index: number;
  readonly field: GraphQLField<unknown, unknown>;
  /**
   * By what; `resolver` calls that of the field, `nodes` and `edges` take the rows of the page that they are in, `node`
   * that of its edge, where the rows are of an abstract type.
   */
  readonly read: FieldRead | { readonly kind: "resolver" | "nodes" | "edges" | "node" };
  readonly isList: boolean;
  readonly isNullable: boolean;
  readonly hasNullItems: boolean;
  /** Its selection for a type of objects; undefined of a leaf. */
  readonly selectionOf: ((type: GraphQLObjectType) => Selection) | undefined;
  /** What the objects are: of an abstract type each one says its own. */
  readonly of: GraphQLObjectType | GraphQLAbstractType | null;
  readonly argsOf: (variables: Arguments) => Arguments;
  readonly info: GraphQLResolveInfo;
  /** Of rows: their columns. */
  readonly wanted: Wanted | null;
  /** Of a list: how many values of each item the budget counts. */
  readonly values: number;
  /** Of a list: the fields of the connection, and of its pageInfo, that are selected. */
  readonly asked: ReadonlySet<string>;
  readonly tree: ReturnType<Form["treeOf"]>;
  readonly entry: ReturnType<Form["entryOf"]>;
}

/** The columns that a field or a type says it needs (plugin-prisma). */
export function columnsFor(extensions: Readonly<Record<string, unknown>>): string[] {
  const select = extensions["pothosPrismaSelect"];
  return typeof select === "object" && select !== null ? Object.keys(select) : [];
}
