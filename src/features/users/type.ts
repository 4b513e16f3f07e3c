// The GraphQL type User.
import { builder, Node, Resource } from "#src/graph/builder.ts";
import { findNodesBy } from "#src/graph/nodes.ts";
import { findUser, type UserRow } from "#src/features/users/reads.ts";

const UserUrls = builder.objectRef<{ location: string }>("UserUrls").implement({
  description: "Links of a user.",
  fields: (t) => ({ location: t.exposeString("location", { description: "The user in the REST interface." }) }),
});

export const User = builder.objectRef<UserRow>("User").implement({
  description: "A person known to the service.",
  interfaces: [Node, Resource],
  fields: (t) => ({
    object: t.string({ description: "Always `user`.", columns: [], resolve: () => "user" }),
    displayName: t.exposeString("displayName", { description: "Name to show." }),
    email: t.exposeString("email", { description: "E-mail address, in lower case." }),
    photoURL: t.exposeString("photoURL", { nullable: true, description: "Address of a picture." }),
    urls: t.field({
      type: UserUrls,
      description: "Links.",
      columns: ["id"],
      resolve: (user, _args, { publicUrl }) => ({ location: `${publicUrl}/v1/users/${user.id}` }),
    }),
  }),
});

findNodesBy("User", findUser);
