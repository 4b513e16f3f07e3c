// The GraphQL type User, the query `viewer`, and the actor of an event.
import { noticeKinds } from "#src/features/users/commands/notices.ts";
import { defineEnum } from "#src/graph/schema/scalars.ts";
import { defineLinks } from "#src/graph/schema/flag-types.ts";
import { defineNode } from "#src/graph/schema/nodes.ts";
import { namedUsers, users } from "#src/features/users/reads.ts";
import { builder } from "#src/graph/schema/builder.ts";
import { Event } from "#src/graph/schema/events.ts";
import { projectionOf } from "#src/graph/run/selection.ts";

export const EmailNotice = defineEnum(
  "EmailNotice",
  "The kinds of e-mails that a user can end. E-mails to sign in are always sent.",
  noticeKinds,
);

const UserUrls = defineLinks("UserUrls", "Links of a user.", {
  location: "The user in the application: /v1 has no operation on single users.",
});

export const User = defineNode("User", users, {
  description: "A person known to the service.",
  resource: "user",
  fields: (t) => ({
    displayName: t.exposeString("displayName", { description: "Display name." }),
    email: t.exposeString("email", { description: "E-mail address, in lower case." }),
    photoURL: t.exposeString("photoURL", { nullable: true, description: "Address of a picture." }),
    urls: t.value(UserUrls, "Links.", ({ id }, { links }) => ({ location: links.app(`users/${id}`, id) })),
  }),
});

builder.queryField("viewer", (t) =>
  t.field({
    type: User,
    description: "The user whose token came with the request.",
    resolve: (_root, _args, { reader, viewer }, info) => reader.found(namedUsers, viewer.userId, projectionOf(info)),
  }),
);

builder.interfaceField(Event, "actor", (t) =>
  t.rowOrNull(namedUsers, ({ event }) => event.actorId, "The user who caused the event; null if it was not a user."),
);
