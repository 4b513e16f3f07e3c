// Nodes and connections (Relay): finds rows by their ids, and pages lists of them.
import type { FieldMap, InterfaceParam, ObjectRef } from "@pothos/core";
import type { PrismaObjectRef, prismaModelName } from "@pothos/plugin-prisma";
import type { Viewer } from "#src/access/viewer.ts";
import type { Entity, Projection } from "#src/db/reading/entity.ts";
import type { Page } from "#src/db/reading/page.ts";
import type { Context } from "#src/domain/context.ts";
import { builder, Resource, type Types } from "#src/graph/schema/builder.ts";
import type { RestResourceExtensions } from "#src/graph/schema/rest-forms.ts";
import { projectionOf } from "#src/graph/run/selection.ts";

type Row = { id: string };

export interface Edge {
  readonly node: Row;
  readonly cursor: string;
}

/** Finds a row by id under the viewer's rights: null if it is missing or not visible. */
export type NodeFinder = (context: Context, id: string, projection: Projection) => Promise<Row | null>;

/** The types of rows and of their connections, by the type's name: fields name an entity and are of its type. */
const types = new Map<string, ObjectRef<Types, Row>>();
const connections = new Map<string, ObjectRef<Types, Page<Row>>>();
const edges = new Map<string, ObjectRef<Types, Edge>>();

type Models = Types["PrismaTypes"];
type NodeShape<Name> = { id: string; [prismaModelName]?: Name };

interface NodeOptions<Name extends keyof Models> {
  readonly description: string;
  readonly resource?: string;
  readonly idDescription?: string;
  readonly interfaces?: readonly InterfaceParam<Types>[];
  readonly fields: (t: PothosSchemaTypes.PrismaObjectFieldBuilder<Types, Models[Name], NodeShape<Name>>) => FieldMap;
}

/** Defines a `Node` type, found by an entity or a function. Resolvers get the id and the columns that fields name. */
export function defineNode<Name extends keyof Models>(
  name: Name,
  of: Entity<Row, Viewer> | NodeFinder,
  { resource, interfaces = [], idDescription, fields, ...options }: NodeOptions<Name>,
): PrismaObjectRef<Types, Models[Name], { id: string }> {
  const type = builder.prismaObject(name, {
    ...options,
    ...(resource !== undefined && { extensions: { restResource: resource } satisfies RestResourceExtensions }),
    select: { id: true },
    interfaces: resource === undefined ? interfaces : [Resource, ...interfaces],
    fields: (t: Parameters<typeof fields>[0]) => ({
      ...(resource && { object: t.value("String", `Always \`${resource}\`.`, () => resource) }),
      ...fields(t),
    }),
  } as never) as unknown as PrismaObjectRef<Types, Models[Name], Row>; // all models have an id, unknown to the plugin
  types.set(name, type);
  const find: NodeFinder =
    typeof of === "function" ? of : (context, id, projection) => context.reader.row(of, id, projection);
  builder.nodeRef<Row, string, typeof type>(type, {
    id: idOptions(idDescription),
    loadWithoutCache: (id, context, info) => find(context, id, projectionOf(info, name)),
  });
  return type;
}

const idOptions = (description: string | undefined) => ({
  resolve: ({ id }: Row) => id,
  ...(description !== undefined && { description }),
});

/** The description of the `id` of a part of a revision; `lasting` is the field of its stable id. */
export const idInRevision = (lasting: string): string =>
  `Opaque id of it in this one revision, for \`node\` and as the key of client stores. Its stable id across revisions is \`${lasting}\`.`;

/** Makes a type whose values are not rows of a table a `Node`; `find` returns null if not visible to the viewer. */
export function makeNode<Of extends Row>(
  type: ObjectRef<Types, Of>,
  find: (context: Context, id: string) => Promise<Of | null>,
  idDescription: string,
): void {
  types.set(type.name, type as unknown as ObjectRef<Types, Row>);
  builder.nodeRef<Of, string, typeof type>(type, {
    id: idOptions(idDescription),
    loadWithoutCache: (id, context) => find(context, id),
  });
}

/** Makes `<Type>Connection` and `<Type>Edge`: beside a type that is not a node; for nodes by the first list. */
export function connectionOf<Of extends object>(type: ObjectRef<Types, Of>): ObjectRef<Types, Page<Of>> {
  const rows = [[{ name: "nodes" }], [{ name: "edges" }, { name: "node" }]];
  const edge = builder.edgeObject({
    type,
    name: `${type.name}Edge`,
    description: `One ${type.name} in a list, with its cursor.`,
    extensions: { pothosIndirectInclude: { getType: () => type.name, paths: [[{ name: "node" }]] } },
  });
  const connection = builder.connectionObject(
    {
      type,
      name: `${type.name}Connection`,
      description: `A page of a list of ${type.name}.`,
      // Shows plugin-prisma where in the document the rows are selected.
      extensions: { pothosIndirectInclude: { getType: () => type.name, paths: rows } },
      fields: (t) => ({
        totalCount: t.int({
          description: "Number of rows on all pages.",
          resolve: (page) => (page as unknown as Page<Of>).totalCount,
        }),
      }),
    },
    edge,
  );
  // A page has the form of a connection, except that some values are promises.
  const made = connection as unknown as ObjectRef<Types, Page<Of>>;
  types.set(type.name, type as unknown as ObjectRef<Types, Row>);
  connections.set(type.name, made as unknown as ObjectRef<Types, Page<Row>>); // only used for rows of this type
  edges.set(type.name, edge as unknown as ObjectRef<Types, Edge>); // so are these
  return made;
}

/** The type of the rows of an entity. */
export function typeOf({ kind }: Entity<Row, Viewer>): ObjectRef<Types, Row> {
  const type = types.get(kind);
  if (!type)
    throw new Error(`The type ${kind} does not exist: define it by defineNode, in a file that the feature loads`);
  return type;
}

export const connectionTypeOf = (entity: Entity<Row, Viewer>): ObjectRef<Types, Page<Row>> =>
  connections.get(entity.kind) ?? connectionOf(typeOf(entity));

/** The edge type of the rows of an entity. */
export function edgeTypeOf(entity: Entity<Row, Viewer>): ObjectRef<Types, Edge> {
  connectionTypeOf(entity);
  const type = edges.get(entity.kind);
  if (!type) throw new Error(`The connection of ${entity.kind} has no edge type`);
  return type;
}

export const pageArguments = builder.args((t) => t.connectionArgs());
