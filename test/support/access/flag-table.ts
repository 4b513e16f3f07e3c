// The people who see each object of the fixture and have each of its flags, written down: permission tests take flags
// as correct, so flags need an independent check.
import { names } from "#test/support/access/fixture.ts";

const everyone = names.join(" ");
const inside =
  "admin creator reviewer editor commenter reader guest invitedGuest teamOwner teamGuest localAdmin localCreator guestAdmin";
/** Members of the organization other than guests. */
const members = "admin creator reviewer editor commenter reader teamOwner localAdmin localCreator";
/** People with a role on the collection and so on its space; those who may comment; those who may edit. */
const withRole =
  "admin creator reviewer editor commenter reader invitedGuest teamOwner teamGuest localAdmin localCreator guestAdmin";
const commenters =
  "admin creator reviewer editor commenter invitedGuest teamOwner teamGuest localAdmin localCreator guestAdmin";
const editors = "admin creator reviewer editor teamOwner teamGuest localAdmin localCreator guestAdmin";

/** The people with a flag, by object and flag; `seenBy` lists those who see the object. */
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
  site: { seenBy: members, access: members, admin: "admin creator", view: members },
};
