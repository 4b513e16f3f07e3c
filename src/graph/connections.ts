// Connections (Relay cursor connections): the type of each, made once a node type from a page, and the arguments that all of them take.
import type { ObjectRef } from "@pothos/core";
import { type Page, pageSize } from "#src/db/reader.ts";
import { builder, type GraphTypes } from "#src/graph/builder.ts";

type Types = PothosSchemaTypes.ExtendDefaultTypes<GraphTypes>;

type Row = object;

interface Edge {
  readonly node: Row;
  readonly page: Page<Row>;
}

const PageInfo = builder.objectRef<Page<unknown>>("PageInfo").implement({
  description: "Where a page stands in its list (Relay).",
  fields: (t) => ({
    hasNextPage: t.boolean({ description: "Whether rows follow this page.", resolve: (page) => page.hasNextPage() }),
    hasPreviousPage: t.boolean({
      description: "Whether rows stand before this page.",
      resolve: (page) => page.hasPreviousPage(),
    }),
    startCursor: t.string({
      description: "Cursor of the first row; null on an empty page.",
      nullable: true,
      resolve: (page) => cursorAt(page, 0),
    }),
    endCursor: t.string({
      description: "Cursor of the last row, to give as `after`; null on an empty page.",
      nullable: true,
      resolve: (page) => cursorAt(page, page.nodes.length - 1),
    }),
  }),
});

function cursorAt(page: Page<unknown>, index: number): string | null {
  return page.nodes.length > 0 ? page.cursorOf(page.nodes[index]) : null;
}

/** Makes `<Type>Connection` and `<Type>Edge` for a node type. Call it once a type, where the type is defined. */
export function connectionOf<Of extends Row>(of: ObjectRef<Types, Of>): ObjectRef<Types, Page<Of>> {
  // Pothos cannot infer a field of a type parameter; the bare row stands in for it until the end.
  const node = of as unknown as ObjectRef<Types, Row>;
  const EdgeRef = builder.objectRef<Edge>(`${node.name}Edge`).implement({
    description: `One ${node.name} in a list, with its cursor.`,
    fields: (t) => ({
      cursor: t.string({
        description: "Opaque place of the row in its list.",
        resolve: (edge) => edge.page.cursorOf(edge.node),
      }),
      node: t.expose("node", { type: node, description: "The row." }),
    }),
  });
  const Connection = builder.objectRef<Page<Row>>(`${node.name}Connection`).implement({
    description: `A page of a list of ${node.name}.`,
    fields: (t) => ({
      nodes: t.expose("nodes", { type: [node], description: "The rows of this page." }),
      edges: t.field({
        type: [EdgeRef],
        description: "The rows of this page with their cursors.",
        resolve: (page) => page.nodes.map((row) => ({ node: row, page })),
      }),
      pageInfo: t.field({
        type: PageInfo,
        description: "Where this page stands in its list.",
        resolve: (page) => page,
      }),
      totalCount: t.int({ description: "Number of rows on all pages.", resolve: (page) => page.totalCount() }),
    }),
  });
  return Connection as unknown as ObjectRef<Types, Page<Of>>;
}

/** The arguments of every connection field. */
export const pageArguments = builder.args((t) => ({
  first: t.int({
    description: `Take this many from the front: 1 to ${pageSize.max}, ${pageSize.default} when nothing is given.`,
  }),
  after: t.string({ description: "Only what stands after this cursor." }),
  last: t.int({ description: `Take this many from the end: 1 to ${pageSize.max}.` }),
  before: t.string({ description: "Only what stands before this cursor." }),
}));
