// The GraphQL type User.
import { defineLinks } from "#src/graph/schema/flag-types.ts";
import { defineNode } from "#src/graph/schema/nodes.ts";
import { users } from "#src/features/users/reads.ts";

const UserUrls = defineLinks("UserUrls", "Links of a user.", {
  location: "The user in the application: no operation of /v1 is about a user alone.",
});

export const User = defineNode("User", users, {
  description: "A person known to the service.",
  resource: "user",
  fields: (t) => ({
    displayName: t.exposeString("displayName", { description: "Name to show." }),
    email: t.exposeString("email", { description: "E-mail address, in lower case." }),
    photoURL: t.exposeString("photoURL", { nullable: true, description: "Address of a picture." }),
    urls: t.value(UserUrls, "Links.", ({ id }, { links }) => ({ location: links.app(`users/${id}`, id) })),
  }),
});
