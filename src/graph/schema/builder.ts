// The schema builder: its types and plugins, and the interface of REST resources.
import SchemaBuilder, { BasePlugin, type PothosOutputFieldConfig, type SchemaTypes } from "@pothos/core";
import PrismaPlugin, { type PrismaModelTypes } from "@pothos/plugin-prisma";
import RelayPlugin, { resolveNodes } from "@pothos/plugin-relay";
import { defaultFieldResolver, type GraphQLFieldResolver, type GraphQLResolveInfo, isObjectType } from "graphql";
import { invalidInput } from "#src/base/errors.ts";
import { idPrefixes, kindOfNode } from "#src/base/ids.ts";
import type { GivenDocument, RichDocument } from "#src/documents/document.ts";
import type { Instant } from "#src/base/time.ts";
import type { Rows } from "#src/db/reading/entity.ts";
import { pageSize } from "#src/db/reading/page.ts";
import type { Context } from "#src/domain/context.ts";
import type { Upload } from "#src/files/upload.ts";
import { pausing } from "#src/runtime/yielding.ts";
import { selectedValues } from "#src/graph/run/selection.ts";

/** A model as plugin-prisma needs it. Our own reads follow relations, the plugin never does. */
interface Model<Name, Row> extends PrismaModelTypes {
  Name: Name & string;
  Shape: Row & object;
  Select: { [Column in keyof Row]?: true };
  RelationName: never;
  ListRelations: never;
  Relations: Record<never, never>;
}

interface GraphTypes {
  Context: Context;
  DefaultFieldNullability: false;
  DefaultEdgesNullability: false;
  PrismaTypes: { [Name in keyof Rows]: Model<Name, Rows[Name]> };
  Scalars: {
    ID: { Input: string; Output: string };
    DateTime: { Input: Date; Output: Instant };
    JSON: { Input: unknown; Output: unknown };
    RichDocument: { Input: GivenDocument; Output: RichDocument };
    Upload: { Input: Upload; Output: never };
  };
}

export type Types = PothosSchemaTypes.ExtendDefaultTypes<GraphTypes>;

/** The field builders of an input type, and of an object type whose parent is `Parent`. */
export type InputFields = PothosSchemaTypes.InputFieldBuilder<Types, "InputObject">;
export type ObjectFields<Parent> = PothosSchemaTypes.ObjectFieldBuilder<Types, Parent>;

/** Marks a field of plugin-relay as a plain property of its parent, which needs no resolver. */
const property = (name: string) => ({ extensions: { pothosExposedField: name } });
/** Marks a field as resolved, where plugin-relay assumes a plain property: its value may be a promise. */
const awaited = { extensions: { pothosExposedField: undefined } };

function isNode({ typename }: { typename: string }, { schema }: GraphQLResolveInfo): boolean {
  const type = schema.getType(typename);
  return isObjectType(type) && type.getInterfaces().some(({ name }) => name === "Node");
}

const nodesLimit = 100;

/** The minimum that plugin-prisma needs of a model whose rows it never loads: an id. */
const id = {
  name: "id",
  type: "String",
  kind: "scalar",
  isRequired: true,
  isId: true,
  isUnique: true,
  isList: false,
  hasDefaultValue: false,
} as const;
const models = Object.fromEntries(
  Object.keys(idPrefixes).map((name) => [name, { fields: [id], primaryKey: null, uniqueIndexes: [] }]),
);

declare global {
  export namespace PothosSchemaTypes {
    export interface Plugins<Types extends SchemaTypes> {
      reader: ReaderPlugin<Types>;
    }
  }
}

type Resolve = GraphQLFieldResolver<unknown, object>;

/** Keeps resolvers plain, since our reads load all that a selection needs; plugin-prisma only plans. Counts lists. */
class ReaderPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  /** Rejects a function as `select`: selections are planned once for each position, and would keep one result. */
  override onOutputFieldConfig(field: PothosOutputFieldConfig<Types>): PothosOutputFieldConfig<Types> {
    const { select } = field.pothosOptions as { select?: unknown }; // an option of plugin-prisma's
    if (typeof select === "function") throw new Error(`${field.parentType}.${field.name}: \`select\` must be data.`);
    return field;
  }

  /** Removes the wrappers that later plugins have put around a resolver. */
  override wrapResolve(_wrapped: Resolve, field: PothosOutputFieldConfig<Types>): Resolve {
    const own = (field.resolve as Resolve | undefined) ?? defaultFieldResolver;
    if (field.type.kind !== "List") return own;
    return field.parentType.endsWith("Connection") ? (...of) => pausing(own(...of)) : counting(own);
  }
}

/** Counts the values of a list. Errors become rejections: a throw would leave rejections of other items unhandled. */
export function counting(resolve: Resolve): Resolve {
  return (parent, args, context, info) => {
    const count = (list: unknown): unknown => {
      if (Array.isArray(list)) (context as Context).reader.budget.takeValues(list.length * selectedValues(info).values);
      return pausing(list);
    };
    try {
      const list = resolve(parent, args, context, info);
      return list instanceof Promise ? list.then(count) : count(list);
    } catch (error) {
      return Promise.reject(error as Error);
    }
  };
}

/** The name of the plugin. It must be the first one in the list. */
export const readerPlugin = "reader";

SchemaBuilder.registerPlugin(readerPlugin, ReaderPlugin);

export const builder: PothosSchemaTypes.SchemaBuilder<Types> = new SchemaBuilder<GraphTypes>({
  defaultFieldNullability: false,
  plugins: [readerPlugin, RelayPlugin, PrismaPlugin], // the first one wraps resolvers last
  prisma: {
    dmmf: { datamodel: { models } },
    client: () => {
      throw new Error("Our own reads load rows, plugin-prisma never does.");
    },
  },
  relay: {
    cursorType: "String",
    brandLoadedObjects: false,
    encodeGlobalID: (_typename, id) => String(id),
    decodeGlobalID: (id) => ({ typename: kindOfNode(id) ?? "", id }),
    nodeTypeOptions: {
      description: "An object with an id. `node(id:)` finds it.",
      resolveType: (row) => kindOfNode((row as { id: string }).id) ?? undefined,
    },
    idFieldOptions: {
      description: "Opaque id, the same as in REST; its prefix identifies the type.",
      ...property("id"),
    },
    nodeQueryOptions: {
      description: "The object with this id, of any type; null if no object with this id is visible to you.",
      args: { id: { description: "The id." } },
      resolve: (_root, { id }, _context, info, find) => (isNode(id, info) ? find(id) : null),
    },
    nodesQueryOptions: {
      description: `Up to ${nodesLimit} objects by their ids, in the same order, with null for each that is not visible to you. Objects of one type are read together. INVALID_INPUT if \`ids\` has more entries.`,
      args: { ids: { description: "The ids." } },
      resolve: (_root, { ids }, context, info) => {
        if (ids.length > nodesLimit)
          throw invalidInput("ids", `must have at most ${nodesLimit} entries, and has ${ids.length}.`);
        return findNodes(
          context,
          info,
          ids.map(({ id }) => id),
        );
      },
    },
    pageInfoTypeOptions: { description: "The position of a page in its list (Relay)." },
    hasNextPageFieldOptions: { description: "Whether rows follow this page.", ...awaited },
    hasPreviousPageFieldOptions: { description: "Whether rows precede this page.", ...awaited },
    startCursorFieldOptions: { description: "Cursor of the first row; null on an empty page." },
    endCursorFieldOptions: {
      description: "Cursor of the last row, for `after` of the next page; null on an empty page.",
    },
    nodesOnConnection: { description: "The rows of this page.", ...property("nodes") },
    edgesFieldOptions: { description: "The rows of this page with their cursors." },
    pageInfoFieldOptions: { description: "The position of this page in its list." },
    nodeFieldOptions: { description: "The row.", ...property("node") },
    cursorFieldOptions: { description: "Opaque cursor of the row in its list." },
    firstArgOptions: {
      description: `How many rows to return from the start: 1 to ${pageSize.max}. Default: ${pageSize.default}.`,
    },
    afterArgOptions: { description: "Only rows after this cursor." },
    lastArgOptions: { description: `How many rows to return from the end: 1 to ${pageSize.max}.` },
    beforeArgOptions: { description: "Only rows before this cursor." },
  },
});

/** The nodes with these ids, in the same order; null for those that the viewer does not see. */
export function findNodes(context: Context, info: GraphQLResolveInfo, ids: readonly (string | null)[]) {
  const known = ids.map((id) => id !== null && { typename: kindOfNode(id) ?? "", id });
  return resolveNodes(
    builder,
    context,
    info,
    known.map((id) => (id && isNode(id, info) ? id : null)),
  );
}

/** The interface of types that REST returns as resources. */
export const Resource = builder.interfaceRef<{ id: string }>("Resource").implement({
  description: "A resource of the /v1 REST interface.",
  resolveType: (row) => kindOfNode(row.id) ?? undefined,
  fields: (t) => ({
    object: t.string({
      description: "The fixed name of the resource type, such as `space`.",
      resolve: () => {
        throw new Error("Every type that implements Resource must define `object`.");
      },
    }),
  }),
});
