// The profile of an organization for everybody who may find it, and its object types.
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
    "The profile of an organization for everybody who may find it: an `Organization` for its members and guests, an `OrganizationPreview` for others.",
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
    permissions: t.value(OrganizationPermissions, "Permissions of the viewer.", ["ownsTeam"], (row, { viewer }) =>
      organizationPermissions(viewer, row.id, row.ownsTeam),
    ),
  }),
});

builder.prismaObject("Organization", {
  variant: "OrganizationPreview",
  select: { id: true },
  description:
    "An organization that the viewer is not in: one of the domain of their e-mail address, or the publisher of a space or site that is visible to them.",
  interfaces: [OrganizationProfile],
});

interface DefaultContentShape {
  type: "site" | "space";
  siteId: string | null;
  spaceId: string | null;
}

export const DefaultContent = builder.objectRef<DefaultContentShape>("DefaultContent").implement({
  description: "The default content of the public pages of an organization.",
  fields: (t) => ({
    type: t.expose("type", { type: DefaultContentType, description: "Kind of the content." }),
    siteId: t.exposeID("siteId", { nullable: true, description: "Id of the site (`site`)." }),
    spaceId: t.exposeID("spaceId", { nullable: true, description: "Id of the space (`space`)." }),
  }),
});

export const OpensOnInput = builder.inputType("OpensOnInput", {
  description: "The default content of the public pages of an organization: set exactly one of the fields.",
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
      "The organization in the REST interface; for others than members and guests the docgraph page with its preview.",
    app: "The organization in the application.",
  },
  { logo: "Its logo." },
);

const OrganizationPermissions = defineFlags(
  "OrganizationPermissions",
  "Permissions of the viewer in an organization.",
  {
    view: "See it.",
    admin: "Change its settings, members and teams.",
    ownTeam: "Manage at least one team of it.",
    createContent: "Create collections, spaces and sites at its top level.",
    createOpenAPISpec: "Add OpenAPI specifications, and change them.",
    ingestConversations: "Add conversations, which needs the role `edit`. docgraph has no operation for that.",
    viewBilling: "See billing, if there is any.",
    listMembers: "List its members.",
    listTeams: "List its teams.",
    listIntegrations: "List its integrations, for members except guests.",
  },
);
