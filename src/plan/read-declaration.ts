// What fields declare that they read, as data; both resolvers and compiled operations are made from it.
import type { GraphQLField } from "graphql";
import type { Viewer } from "#src/access/viewer.ts";
import type { Entity } from "#src/db/reading/entity.ts";
import type { PageList, RowKey } from "#src/db/reading/page-list.ts";
import type { Context } from "#src/domain/context.ts";

export type Row = Readonly<Record<string, unknown>>;
export type Arguments = Readonly<Record<string, unknown>>;
// TypeScript checks parent, arguments and list where a field is declared; after that they are one type.
export type AnyEntity = Entity<{ id: string }, Viewer>;
export type AnyList = PageList<{ id: string }, Viewer, object, object>;

/** Inputs of a value besides columns. */
export type ValueContext = Pick<Context, "viewer" | "publicUrl" | "links" | "clock">;
export type Value = (row: Row, context: ValueContext) => unknown;

/** Changes the viewer by the arguments, such as to the owner of a link's key. */
export type Scope = ((viewer: Viewer, args: Arguments) => Viewer) | null;

export type FieldRead =
  /** A value that a pure function makes from columns. */
  | { readonly kind: "value"; readonly columns: readonly string[]; readonly value: Value }
  /** The row itself, as another type shows it. */
  | { readonly kind: "part" }
  /** A page of a list below the row; `filter` makes the list's arguments from the field's. */
  | { readonly kind: "list"; readonly list: AnyList; readonly filter: (args: Arguments) => object }
  /** The first rows of a list, at most the largest page size, without a connection. */
  | { readonly kind: "rows"; readonly list: AnyList }
  /** The row of a list with the values that `key` makes of the arguments. */
  | { readonly kind: "pick"; readonly list: AnyList; readonly key: (args: Arguments) => RowKey; readonly scope: Scope }
  /** The row whose id `id` takes from the parent. */
  | {
      readonly kind: "row";
      readonly entity: AnyEntity;
      readonly id: (parent: Row) => string | null;
      readonly isNullable: boolean;
    }
  /** The row whose id is an argument, read with the scope of the arguments. */
  | { readonly kind: "find"; readonly entity: AnyEntity; readonly scope: Scope };

/** The declared read of a field; undefined for a plain column and for a resolver. */
export function readOf(field: GraphQLField<unknown, unknown>): FieldRead | undefined {
  return field.extensions["reads"] as FieldRead | undefined; // only set by graph/schema/fields.ts
}
