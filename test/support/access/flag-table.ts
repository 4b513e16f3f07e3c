// Who sees each thing of the stage, and to whom each of its flags is shown as true, written down: the tables of
// permissions take the flags for the rights, so these must not follow a mistake in them.
import { names } from "#test/support/access/stage.ts";

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
    view: inside,
    admin: "admin",
    createContent: "admin creator",
    createOpenAPISpec: "admin creator",
    listMembers: members,
  },
  open: {
    seenBy: everyone,
    view: everyone,
    admin: "",
    createContent: everyone,
    createOpenAPISpec: everyone,
    listMembers: everyone,
  },
  closed: {
    seenBy: everyone,
    view: everyone,
    admin: "",
    createContent: "admin",
    createOpenAPISpec: "admin",
    listMembers: everyone,
  },
  team: { seenBy: members, admin: "admin teamOwner" },
  member: { seenBy: members },
  translation: { seenBy: members, edit: "admin creator" },
  term: { seenBy: members, edit: "admin creator" },
  spec: { seenBy: members, edit: "admin creator" },
  integration: { seenBy: members, admin: "admin", install: "admin" },
  installation: { seenBy: members },
  integrationSpace: { seenBy: members },
  integrationSite: { seenBy: members },
  integrationEvent: { seenBy: "admin" },
  collection: {
    seenBy: withRole,
    admin: "admin localAdmin guestAdmin",
    create: "admin creator localAdmin localCreator guestAdmin",
  },
  inner: {
    seenBy: withRole,
    admin: "admin localAdmin guestAdmin",
    create: "admin creator localAdmin localCreator guestAdmin",
  },
  other: { seenBy: members, admin: "admin localAdmin", create: "admin creator localAdmin localCreator" },
  shut: { seenBy: members, admin: "admin", create: "admin" },
  space: {
    seenBy: withRole,
    view: withRole,
    access: withRole,
    admin: "admin localAdmin guestAdmin",
    edit: editors,
    comment: commenters,
    review: "admin creator reviewer editor localAdmin localCreator guestAdmin",
    merge: "admin creator reviewer editor localAdmin localCreator guestAdmin",
  },
  topSpace: {
    seenBy: everyone,
    view: everyone,
    access: members,
    admin: "admin",
    edit: "admin creator reviewer editor",
    comment: "admin creator reviewer editor commenter",
    review: "admin creator reviewer",
    merge: "admin creator reviewer",
  },
  shutSpace: {
    seenBy: members,
    view: members,
    access: members,
    admin: "admin",
    edit: "admin",
    comment: "admin",
    review: "admin",
    merge: "admin",
  },
  changeRequest: {
    seenBy: withRole,
    view: withRole,
    edit: editors,
    update: "admin creator reviewer editor localAdmin localCreator guestAdmin",
    comment: commenters,
    requestReviews: editors,
    review: "admin creator reviewer localAdmin localCreator guestAdmin",
    merge: "admin creator reviewer editor localAdmin localCreator guestAdmin",
  },
  review: { seenBy: withRole, view: withRole, withdraw: "", dismiss: "admin localAdmin guestAdmin" },
  comment: {
    seenBy: withRole,
    view: withRole,
    edit: "commenter",
    reply: commenters,
    resolve: "admin creator reviewer editor commenter teamOwner teamGuest localAdmin localCreator guestAdmin",
    delete: "admin commenter localAdmin guestAdmin",
  },
  reply: {
    seenBy: withRole,
    view: withRole,
    edit: "editor",
    reply: commenters,
    resolve: "",
    delete: "admin editor localAdmin guestAdmin",
  },
  spaceComment: {
    seenBy: withRole,
    view: withRole,
    edit: "commenter",
    reply: commenters,
    resolve: "admin creator reviewer editor commenter teamOwner teamGuest localAdmin localCreator guestAdmin",
    delete: "admin commenter localAdmin guestAdmin",
  },
  site: { seenBy: members, view: members, admin: "admin creator" },
};
