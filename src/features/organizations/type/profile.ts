// What an organization shows to everybody who may find it, and the object types inside it.
import { organizationPermissions } from "#src/features/organizations/access.ts";
import { DefaultContentType } from "#src/features/organizations/type/enums.ts";
import { builder } from "#src/graph/schema/builder.ts";
import { defineFlags, defineLinks } from "#src/graph/schema/flag-types.ts";
import type { RestResourceExtensions } from "#src/graph/schema/rest-forms.ts";

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

interface DefaultContentShape {
  type: "site" | "space";
  siteId: string | null;
  spaceId: string | null;
}

export const DefaultContent = builder.objectRef<DefaultContentShape>("DefaultContent").implement({
  description: "What the public content of an organization opens on.",
  fields: (t) => ({
    type: t.expose("type", { type: DefaultContentType, description: "What it is." }),
    siteId: t.exposeID("siteId", { nullable: true, description: "Id of the site (`site`)." }),
    spaceId: t.exposeID("spaceId", { nullable: true, description: "Id of the space (`space`)." }),
  }),
});

export const OpensOnInput = builder.inputType("OpensOnInput", {
  description: "What the public content of an organization is to open on: exactly one of the fields.",
  isOneOf: true,
  fields: (t) => ({
    siteId: t.id({ description: "Id of a site of the organization." }),
    spaceId: t.id({ description: "Id of a space of the organization." }),
  }),
});

const OrganizationUrls = defineLinks(
  "OrganizationUrls",
  "Links of an organization.",
  {
    location:
      "The organization in the REST interface; for those who are not in it the page of docgraph that shows the preview of it.",
    app: "The organization in the application.",
  },
  { logo: "Its logo." },
);

const OrganizationPermissions = defineFlags("OrganizationPermissions", "What the viewer may do with an organization.", {
  view: "See it.",
  admin: "Change its settings, members and teams.",
  ownTeam: "Manage at least one team of it.",
  createContent: "Create collections, spaces and sites at its top.",
  createOpenAPISpec: "Add OpenAPI specifications, and change them.",
  ingestConversations: "The role to bring conversations in, which is `edit`. docgraph has no operation that does.",
  viewBilling: "See billing, where there is any.",
  listMembers: "List its members.",
  listTeams: "List its teams.",
  listIntegrations: "List its integrations, for all but guests.",
});
