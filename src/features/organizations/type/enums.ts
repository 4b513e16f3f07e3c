// Enumerations of organizations, and what all content uses: Role, and arguments of lists.
import { defineEnum } from "#src/graph/schema/scalars.ts";

export const Role = defineEnum(
  "Role",
  "A content role, from low to high.",
  {
    read: "Access content, no updates.",
    comment: "Access content and discussions.",
    edit: "Edit content live or through change requests.",
    review: "Review content.",
    create: "Create content.",
    admin: "Administrate content: create and delete spaces and more.",
  },
  { restNull: true }, // a guest, or no default level
);

export const OrganizationType = defineEnum("OrganizationType", "The kind of an organization.", {
  business: "A company.",
  community: "A community; see its communityType.",
});

export const OrganizationUseCase = defineEnum("OrganizationUseCase", "What an organization writes.", {
  internalDocs: "Documentation for its own people.",
  docsSite: "A docs site.",
  audienceControlledSite: "A site for a chosen audience.",
  productDocs: "Documentation of a product.",
  teamKnowledgeBase: "The knowledge base of a team.",
  designSystem: "A design system.",
  openSourceDocs: "Documentation of open source software.",
  notes: "Notes.",
  other: "Something else.",
});

export const CommunityType = defineEnum("CommunityType", "The kind of a community.", {
  nonProfit: "A non-profit organization.",
  openSource: "An open source project.",
  education: "A school or university.",
});

export const DefaultContentType = defineEnum("DefaultContentType", "What an organization opens on.", {
  site: "A site.",
  space: "A space.",
});

/** Arguments of many lists. */
export const titleFilter = {
  description:
    "Only those whose title contains this text, in any letter case; the list is looked through in its order.",
};

export const userFilter = {
  description:
    "Only those whose display name or e-mail address contains this text, in any letter case; the list is looked through in its order.",
};
