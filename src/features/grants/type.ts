// The GraphQL type Grant.
import { itemRole } from "#src/access/content.ts";
import { grantPermissions } from "#src/features/grants/access.ts";
import { findGrantItem, grants } from "#src/features/grants/reads.ts";
import { Role } from "#src/features/organizations/type/enums.ts";
import { defineNode } from "#src/graph/schema/nodes.ts";
import { defineFlags } from "#src/graph/schema/flag-types.ts";

const GrantPermissions = defineFlags("GrantPermissions", "What the viewer may do with a grant.", {
  view: "See it.",
  update: "Give its holder another role instead, at most the viewer's own.",
  remove: "Take it back.",
});

export const Grant = defineNode("Grant", grants, {
  description:
    "A role for one user or one team on a collection or space, and on everything inside. Seen by admins of it.",
  fields: (t) => ({
    role: t.expose("role", { type: Role, description: "The role. It only raises what the holder has already." }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When it was granted." }),
    organizationId: t.exposeID("organizationId", { description: "Id of the organization." }),
    permissions: t.field({
      type: GrantPermissions,
      description: "What the viewer may do.",
      select: { collectionId: true, spaceId: true, role: true },
      resolve: async (grant, _args, context) => {
        const item = await findGrantItem(context, grant);
        return grantPermissions({ own: item && itemRole(context.viewer, item), role: grant.role });
      },
    }),
  }),
});
