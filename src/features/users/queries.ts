// Where users are asked for, `viewer` and whoever did something, and where the viewer's reading stands among the events.
import { encodePosition } from "#src/events/position.ts";
import { namedUser } from "#src/features/users/reads.ts";
import { User } from "#src/features/users/type.ts";
import { builder } from "#src/graph/builder.ts";
import { Event } from "#src/graph/events.ts";
import { wantedRows } from "#src/graph/selection.ts";

builder.queryField("viewer", (t) =>
  t.field({
    type: User,
    description: "The user whose token came with the request.",
    resolve: (_root, _args, context, info) => namedUser(context, context.viewer.userId, wantedRows(info, "User")),
  }),
);

builder.interfaceField(Event, "actor", (t) =>
  t.field({
    type: User,
    nullable: true,
    description: "Who did it; null for nobody in particular.",
    resolve: ({ event: { actorId } }, _args, context, info) =>
      actorId === null ? null : namedUser(context, actorId, wantedRows(info, "User")),
  }),
);

builder.queryField("eventCursor", (t) =>
  t.string({
    description:
      "Where the stream of events stands: everything before it is in what this operation reads. Give it as `after` of a subscription, and nothing is " +
      "missed between the two.",
    resolve: (_root, _args, context) => encodePosition(context.began),
  }),
);
