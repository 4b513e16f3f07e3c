// Global object identification (Relay): `node` and `nodes`, which find a row of any type by the prefix of its id.
import type { GraphQLResolveInfo } from "graphql";
import { invalidInput } from "#src/base/errors.ts";
import { type IdKind, kindOfId } from "#src/base/ids.ts";
import type { Wanted } from "#src/db/entity.ts";
import { pageSize } from "#src/db/reader.ts";
import type { Context } from "#src/domain/context.ts";
import { builder, Node } from "#src/graph/builder.ts";
import { wantedRows } from "#src/graph/selection.ts";

/** Finds a row by id under the viewer's rights: null when it is missing or not visible. */
export type NodeFinder = (context: Context, id: string, wanted: Wanted) => Promise<{ id: string } | null>;

const finders = new Map<IdKind, NodeFinder>();

/** Makes rows of a type findable by `node`. Each node type calls it beside its definition. */
export function findNodesBy(kind: IdKind, find: NodeFinder): void {
  finders.set(kind, find);
}

async function findNode(context: Context, id: string, info: GraphQLResolveInfo): Promise<{ id: string } | null> {
  const kind = kindOfId(id);
  const find = kind && finders.get(kind);
  return find ? find(context, id, wantedRows(info, kind)) : null;
}

builder.queryFields((t) => ({
  node: t.field({
    type: Node,
    nullable: true,
    description: "Finds anything by its id; null when there is nothing with this id that the viewer may see.",
    args: { id: t.arg.id({ required: true, description: "The id." }) },
    resolve: (_root, args, context, info) => findNode(context, args.id, info),
  }),
  nodes: t.field({
    type: [Node],
    nullable: { list: false, items: true },
    description: `Finds up to ${pageSize.max} things by their ids, in the same order, with null for each that is not there.`,
    args: { ids: t.arg.idList({ required: true, description: "The ids." }) },
    resolve: (_root, args, context, info) => {
      if (args.ids.length > pageSize.max)
        throw invalidInput("ids", `must be at most ${pageSize.max}, and are ${args.ids.length}.`);
      return Promise.all(args.ids.map((id) => findNode(context, id, info)));
    },
  }),
}));
