// Enumerations of organizations, and shared definitions of all content: Role, and arguments of lists.
import { defineEnum } from "#src/graph/schema/scalars.ts";

export const Role = defineEnum(
  "Role",
  "A content role, from low to high.",
  {
    read: "Read content.",
    comment: "Read content and take part in discussions.",
    edit: "Edit content live or through change requests.",
    review: "Review content.",
    create: "Create content.",
    admin: "Administrate content: create and delete spaces and more.",
  },
  { restNull: true }, // null is a guest, or no default level
);

export const OrganizationType = defineEnum("OrganizationType", "The kind of an organization.", {
  business: "A company.",
  community: "A community; see its communityType.",
});

export const OrganizationUseCase = defineEnum("OrganizationUseCase", "The use case of an organization.", {
  internalDocs: "Documentation for its own people.",
  docsSite: "A docs site.",
  audienceControlledSite: "A site for a chosen audience.",
  productDocs: "Documentation of a product.",
  teamKnowledgeBase: "The knowledge base of a team.",
  designSystem: "A design system.",
  openSourceDocs: "Documentation of open source software.",
  notes: "Notes.",
  other: "Another use case.",
});

export const CommunityType = defineEnum("CommunityType", "The kind of a community.", {
  nonProfit: "A non-profit organization.",
  openSource: "An open source project.",
  education: "A school or university.",
});

export const DefaultContentType = defineEnum("DefaultContentType", "The kind of default content of an organization.", {
  site: "A site.",
  space: "A space.",
});

/** Arguments of many lists. */
export const titleFilter = {
  description:
    "Only entries whose title contains this text, case-insensitive. Matches are searched in the order of the list.",
};

export const userFilter = {
  description:
    "Only entries whose display name or e-mail address contains this text, case-insensitive. Matches are searched in the order of the list.",
};
