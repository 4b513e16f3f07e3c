// The object types inside Organization: default content, links and permissions.
import { defineFlags, defineLinks } from "#src/graph/schema/flag-types.ts";
import { builder } from "#src/graph/schema/builder.ts";
import { DefaultContentType } from "#src/features/organizations/type/enums.ts";

/** The site or space that an organization opens on. */
export interface DefaultContentShape {
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

export const OrganizationUrls = defineLinks(
  "OrganizationUrls",
  "Links of an organization.",
  {
    location:
      "The organization in the REST interface; for those who are not in it the page of docgraph that shows the preview of it.",
    app: "The organization in the application.",
  },
  { logo: "Its logo." },
);

export const OrganizationPermissions = defineFlags(
  "OrganizationPermissions",
  "What the viewer may do with an organization.",
  {
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
  },
);
