// What an organization shows to whoever may find it: the interface, and the type for those who are not in it.
import { organizationPermissions } from "#src/features/organizations/access.ts";
import type { OrganizationRow } from "#src/features/organizations/reads.ts";
import { OrganizationPermissions, OrganizationUrls } from "#src/features/organizations/type/parts.ts";
import { builder } from "#src/graph/builder.ts";

export const OrganizationProfile = builder.interfaceRef<OrganizationRow>("OrganizationProfile").implement({
  description:
    "What an organization shows to whoever may find it: an `Organization` to those who are in it, else an `OrganizationPreview`.",
  resolveType: ({ id }, { viewer }) => (viewer.memberships.has(id) ? "Organization" : "OrganizationPreview"),
  fields: (t) => ({
    object: t.string({ description: "Always `organization`.", columns: [], resolve: () => "organization" }),
    id: t.exposeID("id", { description: "Id of the organization." }),
    title: t.exposeString("title", { description: "Name of the organization." }),
    hostname: t.exposeString("hostname", { description: "Default hostname of its public content." }),
    urls: t.field({
      type: OrganizationUrls,
      description: "Links.",
      columns: ["id", "logoURL"],
      resolve: (row, _args, { publicUrl }) => ({
        location: `${publicUrl}/v1/orgs/${row.id}`,
        app: `${publicUrl}/app/orgs/${row.id}`,
        logo: row.logoURL,
      }),
    }),
    permissions: t.field({
      type: OrganizationPermissions,
      description: "What the viewer may do.",
      columns: ["id", "ownsTeam"],
      resolve: (row, _args, { viewer }) => organizationPermissions(viewer, row),
    }),
  }),
});

builder.objectRef<OrganizationRow>("OrganizationPreview").implement({
  description:
    "An organization of the domain of the viewer's e-mail address, as shown to them while they are not in it.",
  interfaces: [OrganizationProfile],
});
