// What fields declare that they read, as data: resolvers and plans are both made of it.
import type { GraphQLField } from "graphql";
import type { Viewer } from "#src/access/viewer.ts";
import type { Entity } from "#src/db/reading/entity.ts";
import type { PageList, RowKey } from "#src/db/reading/page-list.ts";
import type { Context } from "#src/domain/context.ts";

export type Row = Readonly<Record<string, unknown>>;
export type Arguments = Readonly<Record<string, unknown>>;
// The compiler checks where a field is declared that parent, arguments and list fit; behind that they are one type.
export type AnyEntity = Entity<{ id: string }, Viewer>;
export type AnyList = PageList<{ id: string }, Viewer, object, object>;

/** What a value may be made of beside columns. */
export type ValueContext = Pick<Context, "viewer" | "publicUrl" | "links" | "clock">;
export type Value = (row: Row, context: ValueContext) => unknown;

/** The viewer as the arguments make them, such as somebody with the key of a link; null leaves them as they are. */
export type Scope = ((viewer: Viewer, args: Arguments) => Viewer) | null;

/** What a field reads. */
export type FieldRead =
  /** A value made of columns of the row by a pure function. */
  | { readonly kind: "value"; readonly columns: readonly string[]; readonly value: Value }
  /** The row itself, as another type shows it. */
  | { readonly kind: "part" }
  /** A page of a list below the row; `filter` makes the list's arguments from the field's. */
  | { readonly kind: "list"; readonly list: AnyList; readonly filter: (args: Arguments) => object }
  /** The first rows of a list, at most a page of the largest size, without a connection around them. */
  | { readonly kind: "rows"; readonly list: AnyList }
  /** The one row of a list with the values that `key` makes from the arguments. */
  | { readonly kind: "pick"; readonly list: AnyList; readonly key: (args: Arguments) => RowKey; readonly scope: Scope }
  /** The row whose id `id` finds in the parent; null has none. */
  | {
      readonly kind: "row";
      readonly entity: AnyEntity;
      readonly id: (parent: Row) => string | null;
      readonly isNullable: boolean;
    }
  /** The row whose id is an argument, as the scope that the arguments make of the viewer sees it. */
  | { readonly kind: "find"; readonly entity: AnyEntity; readonly scope: Scope };

/** What a field declares that it reads; undefined for a field with a resolver of its own, and for a plain column. */
export function readOf(field: GraphQLField<unknown, unknown>): FieldRead | undefined {
  return field.extensions["reads"] as FieldRead | undefined; // set by graph/fields, and nowhere else
}
