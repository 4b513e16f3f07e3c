// Where users are asked for: `viewer`.
import { namedUser } from "#src/features/users/reads.ts";
import { User } from "#src/features/users/type.ts";
import { builder } from "#src/graph/builder.ts";
import { wantedRows } from "#src/graph/selection.ts";

builder.queryField("viewer", (t) =>
  t.field({
    type: User,
    description: "The user whose token came with the request.",
    resolve: (_root, _args, context, info) => namedUser(context, context.viewer.userId, wantedRows(info, "User")),
  }),
);
