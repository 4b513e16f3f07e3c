// What an organization shows to everybody who may find it: the interface, and the type for those who are not in it.
import type { RestResourceExtensions } from "#src/graph/schema/rest-forms.ts";
import { organizationPermissions } from "#src/features/organizations/access.ts";
import { OrganizationPermissions, OrganizationUrls } from "#src/features/organizations/type/parts.ts";
import { builder } from "#src/graph/schema/builder.ts";

export const OrganizationProfile = builder.prismaInterface("Organization", {
  variant: "OrganizationProfile",
  extensions: { restResource: "organization" } satisfies RestResourceExtensions,
  select: { id: true },
  description:
    "What an organization shows to everybody who may find it: an `Organization` to those who are in it, else an `OrganizationPreview`.",
  resolveType: ({ id }, { viewer }) => (viewer.memberships.has(id) ? "Organization" : "OrganizationPreview"),
  fields: (t) => ({
    object: t.value("String", "Always `organization`.", () => "organization"),
    id: t.exposeID("id", { description: "Id of the organization." }),
    title: t.exposeString("title", { description: "Name of the organization." }),
    hostname: t.exposeString("hostname", { description: "Default hostname of its public content." }),
    urls: t.value(OrganizationUrls, "Links.", ["logoURL"], (row, { publicUrl, links, viewer }) => ({
      location: `${publicUrl}/${viewer.memberships.has(row.id) ? "v1" : "app"}/orgs/${row.id}`,
      app: links.app(`orgs/${row.id}`, row.id),
      logo: row.logoURL,
    })),
    permissions: t.value(OrganizationPermissions, "What the viewer may do.", ["ownsTeam"], (row, { viewer }) =>
      organizationPermissions(viewer, row.id, row.ownsTeam),
    ),
  }),
});

builder.prismaObject("Organization", {
  variant: "OrganizationPreview",
  select: { id: true },
  description:
    "An organization as shown to those who are not in it: one of the domain of the viewer's e-mail address, or the publisher of a space or site that they may see.",
  interfaces: [OrganizationProfile],
});
