// Who sees each thing of the fixture, and to whom each of its flags is shown as true, written down: the tables of
// permissions take the flags for the rights, so these must not follow a mistake in them.
import { names } from "#test/support/access/fixture.ts";

const everyone = names.join(" ");
const inside =
  "admin creator reviewer editor commenter reader guest invitedGuest teamOwner teamGuest localAdmin localCreator guestAdmin";
/** Who is in the organization, and no guest. */
const members = "admin creator reviewer editor commenter reader teamOwner localAdmin localCreator";
/** Who has a role on the collection, and so on the space in it; then those who may comment there, and edit. */
const withRole =
  "admin creator reviewer editor commenter reader invitedGuest teamOwner teamGuest localAdmin localCreator guestAdmin";
const commenters =
  "admin creator reviewer editor commenter invitedGuest teamOwner teamGuest localAdmin localCreator guestAdmin";
const editors = "admin creator reviewer editor teamOwner teamGuest localAdmin localCreator guestAdmin";

/** By thing and flag, the people for whom the flag is true; `seenBy` those who see the thing at all. */
export const flagTable: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  organization: {
    seenBy: inside,
    admin: "admin",
    createContent: "admin creator",
    createOpenAPISpec: "admin creator",
    ingestConversations: "admin creator reviewer editor",
    listIntegrations: members,
    listMembers: members,
    listTeams: members,
    ownTeam: "teamOwner",
    view: inside,
    viewBilling: "admin",
  },
  open: {
    seenBy: everyone,
    admin: "",
    createContent: everyone,
    createOpenAPISpec: everyone,
    ingestConversations: everyone,
    listIntegrations: everyone,
    listMembers: everyone,
    listTeams: everyone,
    ownTeam: "",
    view: everyone,
    viewBilling: "",
  },
  closed: {
    seenBy: everyone,
    admin: "",
    createContent: "admin",
    createOpenAPISpec: "admin",
    ingestConversations: everyone,
    listIntegrations: everyone,
    listMembers: everyone,
    listTeams: everyone,
    ownTeam: "",
    view: everyone,
    viewBilling: "",
  },
  team: { seenBy: members, admin: "admin teamOwner", view: members },
  member: { seenBy: members },
  translation: { seenBy: members, edit: "admin creator", view: members },
  term: { seenBy: members, edit: "admin creator", view: members },
  spec: { seenBy: members, edit: "admin creator", view: members },
  integration: { seenBy: members, admin: "admin", install: "admin" },
  installation: { seenBy: members },
  integrationSpace: { seenBy: members },
  integrationSite: { seenBy: members },
  integrationEvent: { seenBy: "admin" },
  collection: {
    seenBy: withRole,
    admin: "admin localAdmin guestAdmin",
    create: "admin creator localAdmin localCreator guestAdmin",
    view: withRole,
    viewInviteLinks: "admin localAdmin guestAdmin",
  },
  inner: {
    seenBy: withRole,
    admin: "admin localAdmin guestAdmin",
    create: "admin creator localAdmin localCreator guestAdmin",
    view: withRole,
    viewInviteLinks: "admin localAdmin guestAdmin",
  },
  other: {
    seenBy: members,
    admin: "admin localAdmin",
    create: "admin creator localAdmin localCreator",
    view: members,
    viewInviteLinks: "admin localAdmin",
  },
  shut: { seenBy: members, admin: "admin", create: "admin", view: members, viewInviteLinks: "admin" },
  space: {
    seenBy: withRole,
    access: withRole,
    admin: "admin localAdmin guestAdmin",
    comment: commenters,
    edit: editors,
    merge: "admin creator reviewer editor localAdmin localCreator guestAdmin",
    review: "admin creator reviewer editor localAdmin localCreator guestAdmin",
    triggerGitSync: "admin localAdmin guestAdmin",
    view: withRole,
    viewInviteLinks: "admin localAdmin guestAdmin",
  },
  topSpace: {
    seenBy: everyone,
    access: members,
    admin: "admin",
    comment: "admin creator reviewer editor commenter",
    edit: "admin creator reviewer editor",
    merge: "admin creator reviewer",
    review: "admin creator reviewer",
    triggerGitSync: "admin",
    view: everyone,
    viewInviteLinks: "admin",
  },
  shutSpace: {
    seenBy: members,
    access: members,
    admin: "admin",
    comment: "admin",
    edit: "admin",
    merge: "admin",
    review: "admin",
    triggerGitSync: "admin",
    view: members,
    viewInviteLinks: "admin",
  },
  changeRequest: {
    seenBy: withRole,
    comment: commenters,
    edit: editors,
    merge: "admin creator reviewer editor localAdmin localCreator guestAdmin",
    requestReviews: editors,
    review: "admin creator reviewer localAdmin localCreator guestAdmin",
    update: "admin creator reviewer editor localAdmin localCreator guestAdmin",
    view: withRole,
  },
  review: { seenBy: withRole, dismiss: "admin localAdmin guestAdmin", view: withRole, withdraw: "" },
  comment: {
    seenBy: withRole,
    delete: "admin commenter localAdmin guestAdmin",
    edit: "commenter",
    reply: commenters,
    resolve: "admin creator reviewer editor commenter teamOwner teamGuest localAdmin localCreator guestAdmin",
    view: withRole,
  },
  reply: {
    seenBy: withRole,
    delete: "admin editor localAdmin guestAdmin",
    edit: "editor",
    reply: commenters,
    resolve: "",
    view: withRole,
  },
  spaceComment: {
    seenBy: withRole,
    delete: "admin commenter localAdmin guestAdmin",
    edit: "commenter",
    reply: commenters,
    resolve: "admin creator reviewer editor commenter teamOwner teamGuest localAdmin localCreator guestAdmin",
    view: withRole,
  },
  site: { seenBy: members, admin: "admin creator", view: members },
};
