// The schema builder: its types, the `columns` option of fields, and the two interfaces that rows implement.
import SchemaBuilder, {
  type FieldNullability,
  type InputFieldMap,
  type SchemaTypes,
  type TypeParam,
} from "@pothos/core";
import { kindOfId } from "#src/base/ids.ts";
import type { GivenDocument, RichDocument } from "#src/base/rich-document/document.ts";
import type { Instant } from "#src/base/time.ts";
import type { Context } from "#src/domain/context.ts";
import type { Upload } from "#src/files/upload.ts";

declare global {
  export namespace PothosSchemaTypes {
    // The parameters must be those of the interface that this extends.
    export interface FieldOptions<
      Types extends SchemaTypes = SchemaTypes,
      ParentShape = unknown,
      Type extends TypeParam<Types> = TypeParam<Types>,
      Nullable extends FieldNullability<Type> = FieldNullability<Type>,
      Args extends InputFieldMap = InputFieldMap,
      ResolveShape = unknown,
      ResolveReturnShape = unknown,
    > {
      /** The columns of the row that the resolver reads. Without it every stored column loads; exposed fields say it themselves. */
      columns?: readonly (keyof ParentShape & string)[];
    }
  }
}

export interface GraphTypes {
  Context: Context;
  DefaultFieldNullability: false;
  Scalars: {
    ID: { Input: string; Output: string };
    DateTime: { Input: Date; Output: Instant };
    JSON: { Input: unknown; Output: unknown };
    RichDocument: { Input: GivenDocument; Output: RichDocument };
    Upload: { Input: Upload; Output: never };
  };
}

export const builder = new SchemaBuilder<GraphTypes>({ defaultFieldNullability: false });

/** The Relay interface of everything that has an id (Relay: global object identification). */
export const Node = builder.interfaceRef<{ id: string }>("Node").implement({
  description: "Anything that has an id. `node(id:)` finds it again.",
  resolveType: (row) => kindOfId(row.id) ?? undefined,
  fields: (t) => ({
    id: t.exposeID("id", { description: "Opaque id, the same as in REST; starts with a prefix that tells the type." }),
  }),
});

/** What REST answers as a resource of its own. */
export const Resource = builder.interfaceRef<{ id: string }>("Resource").implement({
  description: "A resource of the /v1 REST interface.",
  resolveType: (row) => kindOfId(row.id) ?? undefined,
  fields: (t) => ({
    object: t.string({
      description: "The fixed name of the resource type, such as `space`.",
      columns: [],
      resolve: () => {
        throw new Error("Every type that is a Resource names itself.");
      },
    }),
  }),
});
