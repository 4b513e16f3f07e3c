// Where grants are asked for: from collections and spaces; and who holds one.
import { Collection } from "#src/features/collections/type.ts";
import { grantsOfCollection, grantsOfSpace } from "#src/features/grants/reads.ts";
import { Grant } from "#src/features/grants/type.ts";
import { Space } from "#src/features/spaces/type.ts";
import { teams } from "#src/features/teams/reads.ts";
import { namedUsers } from "#src/features/users/reads.ts";
import { builder } from "#src/graph/builder.ts";

builder.prismaObjectField(Collection, "grants", (t) =>
  t.list(
    grantsOfCollection,
    "The roles granted on it, oldest first; not those on collections around it. FORBIDDEN for all but its admins.",
  ),
);

builder.prismaObjectField(Space, "grants", (t) =>
  t.list(
    grantsOfSpace,
    "The roles granted on it, oldest first; not those on collections around it. FORBIDDEN for all but its admins.",
  ),
);

builder.prismaObjectFields(Grant, (t) => ({
  user: t.rowOrNull(namedUsers, "userId", "Who holds it; null when a team does."),
  team: t.rowOrNull(teams, "teamId", "The team that holds it; null when a user does, and for guests, who see no team."),
}));
