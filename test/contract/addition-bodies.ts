// Valid bodies of the operations beyond the contract that take one.
import type { ContractFixture } from "#test/contract/requests.ts";

export const additionBodies = (
  replyChanges: () => object,
): Readonly<Record<string, (fixture: ContractFixture) => object>> => ({
  createOrganization: () => ({ title: "New", emailDomains: ["new.example.com"] }),
  createSpace: ({ collection }) => ({ title: "New", emoji: "📗", parent: collection.id }),
  updateChangeRequestContent: ({ proposedPageId }) => ({
    changes: [{ operation: "update_page", page: proposedPageId, title: "Renamed" }],
  }),
  requestReviewersForChangeRequest: ({ reader }) => ({ users: [reader.id] }),
  submitChangeRequestReview: () => ({ status: "approved", comment: { markdown: "Good." } }),
  updateCommentReplyInChangeRequest: replyChanges,
  createOrganizationInvite: () => ({ role: "read" }),
  updateOrganizationInviteById: () => ({ role: "comment" }),
  inviteUsersToOrganization: () => ({
    emails: ["first@example.com", { email: "second@example.com", role: "edit" }],
    role: "read",
  }),
  updateSiteCustomizationById: () => ({
    title: "Manual",
    styling: { primaryColor: { light: "#2563eb", dark: "#93c5fd" }, font: "serif" },
    header: {
      logo: { light: "https://example.com/logo.png" },
      links: [{ title: "Shop", url: "https://example.com/" }],
    },
    footer: { text: "Made by hand" },
  }),
  inviteToSpace: ({ reader }) => ({ role: "edit", users: [reader.id] }),
  inviteToCollection: ({ reader }) => ({ role: "edit", users: [reader.id] }),
  resolvePublishedContentByUrl: ({ site }) => ({ url: `https://docs.example.com/published/${site.id}`, visitor: {} }),
  renderIntegrationUIWithPost: ({ space }) => ({
    componentId: "tide",
    props: { port: "Brest" },
    state: {},
    context: { spaceId: space.id },
    action: { action: "next" },
  }),
  updateUserPermissionInSpace: () => ({ role: "edit" }),
  updateTeamPermissionInSpace: () => ({ role: "edit" }),
  updateUserPermissionInCollection: () => ({ role: "edit" }),
  updateTeamPermissionInCollection: () => ({ role: "edit" }),
  installIntegrationOnSpace: ({ space }) => ({ space: space.id }),
  installIntegrationOnSite: ({ site }) => ({ siteId: site.id }),
  updateIntegrationSpaceInstallation: () => ({ externalIds: ["one"] }),
  updateIntegrationSiteInstallation: () => ({ externalIds: ["one"] }),
});
