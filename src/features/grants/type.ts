// The GraphQL type Grant.
import { findGrant } from "#src/features/grants/reads.ts";
import { Role } from "#src/features/organizations/type/enums.ts";
import { defineNode } from "#src/graph/nodes.ts";

export const Grant = defineNode("Grant", findGrant, {
  description:
    "A role for one user or one team on a collection or space, and on everything inside. Seen by admins of it.",
  fields: (t) => ({
    role: t.expose("role", { type: Role, description: "The role. It only raises what the holder has already." }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When it was granted." }),
  }),
});
