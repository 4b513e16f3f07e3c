// Nodes and connections (Relay): what makes rows findable by their ids, and lists of them pageable.
import type { ObjectRef } from "@pothos/core";
import type { Viewer } from "#src/access/viewer.ts";
import type { Entity, Wanted } from "#src/db/entity.ts";
import type { Page } from "#src/db/page.ts";
import type { Context } from "#src/domain/context.ts";
import { builder, type Types } from "#src/graph/builder.ts";
import { wanted } from "#src/graph/selection.ts";

type Row = { id: string };

/** Finds a row by id under the viewer's rights: null when it is missing or not visible. */
export type NodeFinder = (context: Context, id: string, wanted: Wanted) => Promise<Row | null>;

/**
 * The types of rows and of their connections, by the name of the row's type: fields name an entity and are of its
 * type.
 */
const types = new Map<string, ObjectRef<Types, Row>>();
const connections = new Map<string, ObjectRef<Types, Page<Row>>>();

/**
 * Makes a type a `Node`, whose rows `node` and `nodes` find: by an entity, or where that says too little by a
 * function.
 */
export function nodesOf(type: ObjectRef<Types, Row>, of: Entity<Row, Viewer> | NodeFinder): void {
  types.set(type.name, type);
  const find: NodeFinder = typeof of === "function" ? of : (context, id, wanted) => context.reader.row(of, id, wanted);
  builder.nodeRef<Row, string, typeof type>(type, {
    id: { resolve: ({ id }) => id },
    loadWithoutCache: (id, context, info) => find(context, id, wanted(info, type.name)),
  });
}

/** Makes `<Type>Connection` and `<Type>Edge`. Call it once a type, where the type is defined. */
export function connectionOf<Of extends object>(type: ObjectRef<Types, Of>): ObjectRef<Types, Page<Of>> {
  const rows = [[{ name: "nodes" }], [{ name: "edges" }, { name: "node" }]];
  const connection = builder.connectionObject(
    {
      type,
      name: `${type.name}Connection`,
      description: `A page of a list of ${type.name}.`,
      // Tells plugin-prisma where the selection of the rows stands.
      extensions: { pothosIndirectInclude: { getType: () => type.name, paths: rows } },
      fields: (t) => ({
        totalCount: t.int({
          description: "Number of rows on all pages.",
          resolve: (page) => (page as unknown as Page<Of>).totalCount,
        }),
      }),
    },
    { description: `One ${type.name} in a list, with its cursor.` },
  );
  // A page has the form of a connection, but for promises in place of some values.
  const made = connection as unknown as ObjectRef<Types, Page<Of>>;
  types.set(type.name, type as unknown as ObjectRef<Types, Row>);
  connections.set(type.name, made as unknown as ObjectRef<Types, Page<Row>>); // used for rows of this type only
  return made;
}

/** The type of the rows of an entity. */
export function typeOf({ kind }: Entity<Row, Viewer>): ObjectRef<Types, Row> {
  const type = types.get(kind);
  if (!type)
    throw new Error(
      `There is no type ${kind}: call nodesOf or connectionOf beside it, in a file that the feature loads`,
    );
  return type;
}

/** The connection type of the rows of an entity. */
export function connectionTypeOf({ kind }: Entity<Row, Viewer>): ObjectRef<Types, Page<Row>> {
  const type = connections.get(kind);
  if (!type)
    throw new Error(
      `There is no connection of ${kind}: call connectionOf beside its type, in a file that the feature loads`,
    );
  return type;
}

/** The arguments of every connection field. */
export const pageArguments = builder.args((t) => t.connectionArgs());
