// The GraphQL fields for a user, and for the e-mails that the viewer does not want.
import { isNoticeKind } from "#src/features/users/commands/notices.ts";
import { namedUsers, users } from "#src/features/users/reads.ts";
import { EmailNotice } from "#src/features/users/type.ts";
import { project } from "#src/db/reading/entity.ts";
import { builder } from "#src/graph/schema/builder.ts";

builder.queryField("user", (t) =>
  t.find(users, "A user. NOT_FOUND if you share no organization with a user with this id."),
);

builder.queryField("mutedEmails", (t) =>
  t.field({
    type: [EmailNotice],
    description: "The kinds of e-mails that the viewer does not want.",
    async resolve(_root, _args, { reader, viewer }) {
      const { mutedEmails } = await reader.found(namedUsers, viewer.userId, project(["mutedEmails"]));
      return mutedEmails.filter(isNoticeKind);
    },
  }),
);
