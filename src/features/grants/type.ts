// The GraphQL type Grant.
import { itemRole } from "#src/access/content.ts";
import { grantPermissions } from "#src/features/grants/access.ts";
import { findGrantItem, grants } from "#src/features/grants/reads.ts";
import { Role } from "#src/features/organizations/type/enums.ts";
import { defineNode } from "#src/graph/schema/nodes.ts";
import { defineFlags } from "#src/graph/schema/flag-types.ts";
import { defineEnum } from "#src/graph/schema/scalars.ts";

const GrantPermissions = defineFlags("GrantPermissions", "The permissions of the viewer on a grant.", {
  view: "See it.",
  update: "Change the role, at most to the viewer's own.",
  remove: "Revoke it.",
});

export const GrantHolderKind = defineEnum("GrantHolderKind", "Who has the role of a grant.", {
  user: "A user.",
  team: "A team.",
});

export const Grant = defineNode("Grant", grants, {
  description:
    "A role of one user or one team on a collection or space and all its content. Visible only to its admins.",
  fields: (t) => ({
    role: t.expose("role", {
      type: Role,
      description: "Granted role. It never lowers a role that the user has otherwise.",
    }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "Time of the grant." }),
    organizationId: t.exposeID("organizationId", { description: "Id of the organization." }),
    permissions: t.field({
      type: GrantPermissions,
      description: "Permissions of the viewer.",
      select: { collectionId: true, spaceId: true, role: true },
      resolve: async (grant, _args, context) => {
        const item = await findGrantItem(context, grant);
        return grantPermissions({ own: item && itemRole(context.viewer, item), role: grant.role });
      },
    }),
  }),
});
