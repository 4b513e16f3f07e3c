// Where users are asked for: `viewer`, and the actor of an event.
import { namedUsers } from "#src/features/users/reads.ts";
import { User } from "#src/features/users/type.ts";
import { builder } from "#src/graph/schema/builder.ts";
import { Event } from "#src/graph/schema/events.ts";
import { projectionOf } from "#src/graph/run/selection.ts";

builder.queryField("viewer", (t) =>
  t.field({
    type: User,
    description: "The user whose token came with the request.",
    resolve: (_root, _args, { reader, viewer }, info) => reader.found(namedUsers, viewer.userId, projectionOf(info)),
  }),
);

builder.interfaceField(Event, "actor", (t) =>
  t.rowOrNull(namedUsers, ({ event }) => event.actorId, "Who did it; null when it was not a user."),
);
