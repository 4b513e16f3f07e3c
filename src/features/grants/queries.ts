// Where grants are asked for: from collections and spaces; and who holds one.
import { collectionRoleColumns } from "#src/features/collections/access.ts";
import { Collection } from "#src/features/collections/type/collection.ts";
import { pageGrantsOfCollection, pageGrantsOfSpace } from "#src/features/grants/reads.ts";
import { Grant, GrantConnection } from "#src/features/grants/type.ts";
import { spaceRoleColumns } from "#src/features/spaces/access.ts";
import { Space } from "#src/features/spaces/type.ts";
import { findTeam } from "#src/features/teams/reads.ts";
import { Team } from "#src/features/teams/type.ts";
import { namedUser } from "#src/features/users/reads.ts";
import { User } from "#src/features/users/type.ts";
import { builder } from "#src/graph/builder.ts";
import { pageArguments } from "#src/graph/connections.ts";
import { wantedRows } from "#src/graph/selection.ts";

builder.objectField(Collection, "grants", (t) =>
  t.field({
    type: GrantConnection,
    nullable: true,
    description:
      "The roles granted on it, oldest first; not those on collections around it. FORBIDDEN for all but its admins.",
    args: pageArguments,
    columns: ["id", ...collectionRoleColumns],
    resolve: (collection, args, context, info) =>
      pageGrantsOfCollection(context, collection, args, wantedRows(info, "Grant")),
  }),
);

builder.objectField(Space, "grants", (t) =>
  t.field({
    type: GrantConnection,
    nullable: true,
    description:
      "The roles granted on it, oldest first; not those on collections around it. FORBIDDEN for all but its admins.",
    args: pageArguments,
    columns: ["id", ...spaceRoleColumns],
    resolve: (space, args, context, info) => pageGrantsOfSpace(context, space, args, wantedRows(info, "Grant")),
  }),
);

builder.objectFields(Grant, (t) => ({
  user: t.field({
    type: User,
    nullable: true,
    description: "Who holds it; null when a team does.",
    columns: ["userId"],
    resolve: ({ userId }, _args, context, info) =>
      userId === null ? null : namedUser(context, userId, wantedRows(info, "User")),
  }),
  team: t.field({
    type: Team,
    nullable: true,
    description: "The team that holds it; null when a user does, and for guests, who see no team.",
    columns: ["teamId"],
    resolve: ({ teamId }, _args, context, info) =>
      teamId === null ? null : findTeam(context, teamId, wantedRows(info, "Team")),
  }),
}));
