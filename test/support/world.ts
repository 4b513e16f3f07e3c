// The world of a test: an organization with people of every role and some content, written by one insert statement a
// call.
//
//   const world = createWorld(database);
//   const { admin, reader, space } = await world.space();
//   await graphql(reader.token, `{ space(id: "${space.id}") { title } }`);
//
// Each method makes a new organization and returns its objects: `organization()` people and teams, `collection()`
// a collection besides, `space()` a space in it, `changeRequest()`, `comment()`, `site()`, and `everything()`. Each
// takes fields for the rows that it makes:
//   await world.space({ space: { visibility: "public" }, collection: { defaultLevel: "read" } });
// More rows: collect them with the factories of test/features/<noun>/factory.ts, and they are written together:
//   const spaces = await world.insert((rows) => times(20, () => addSpace(rows, { organizationId: organization.id })));
// A test that needs one world after another makes several at a time (`batchedFactory`): the cost is in the statement,
// not in its rows.
import type { Database } from "#src/db/connection/database.ts";
import { Rows } from "#src/demo/rows.ts";
import type { Prisma } from "#src/generated/prisma/client.ts";
import { addChangeRequest } from "#test/features/change-requests/factory.ts";
import { addCollection } from "#test/features/collections/factory.ts";
import { addComment, addReaction, addReply } from "#test/features/comments/factory.ts";
import { addGrant, addPersonIn, type Person } from "#test/features/members/factory.ts";
import { addOrganization } from "#test/features/organizations/factory.ts";
import { addSection, addSectionGroup, addSite, addSiteSpace } from "#test/features/sites/factory.ts";
import { addSpace } from "#test/features/spaces/factory.ts";
import { nameOthers } from "#test/support/sort-names.ts";
import { addTeam, addTeamMember } from "#test/features/teams/factory.ts";

export type { Person } from "#test/features/members/factory.ts";

/** Fields of the created rows that override the defaults. */
export interface Given {
  readonly organization?: Partial<Prisma.OrganizationCreateManyInput>;
  readonly collection?: Partial<Prisma.CollectionCreateManyInput>;
  readonly space?: Partial<Prisma.SpaceCreateManyInput>;
  readonly changeRequest?: Partial<Prisma.ChangeRequestCreateManyInput>;
  readonly comment?: Partial<Prisma.CommentCreateManyInput>;
  readonly site?: Partial<Prisma.SiteCreateManyInput>;
}

/** All people of the world, by role. */
export interface People {
  /** Members, by their role in the organization. */
  readonly admin: Person;
  readonly creator: Person;
  readonly reviewer: Person;
  readonly editor: Person;
  readonly commenter: Person;
  readonly reader: Person;
  /** A guest without grants. */
  readonly guest: Person;
  /** A guest with the role `comment` on the collection, and so on the space in it. */
  readonly invitedGuest: Person;
  /** A member with the role `read` who owns the team. */
  readonly teamOwner: Person;
  /** A guest in the team, which has the role `edit` on the collection, and so on the space in it. */
  readonly teamGuest: Person;
  /** An admin whose membership is disabled. */
  readonly disabled: Person;
  /** An admin of another organization. */
  readonly outsider: Person;
}

export type World = ReturnType<typeof createWorld>;

/** The world in a database of a test. */
export function createWorld(database: Pick<Database, "pool">) {
  /** Writes what `build` collects, in one statement, and returns what `build` returns. */
  async function insert<Result>(build: (rows: Rows) => Result): Promise<Result> {
    const rows = new Rows();
    const result = build(rows);
    await rows.insert((statement, values) => database.pool.query(statement, values));
    await nameOthers(rows, (statement, values) => database.pool.query(statement, values));
    return result;
  }
  return {
    insert,
    organization: (given: Given = {}) => insert((rows) => withPeople(rows, given)),
    collection: (given: Given = {}) => insert((rows) => withCollection(rows, given)),
    space: (given: Given = {}) => insert((rows) => withSpace(rows, given)),
    changeRequest: (given: Given = {}) => insert((rows) => withChangeRequest(rows, withSpace(rows, given), given)),
    comment: (given: Given = {}) => insert((rows) => withReviewed(rows, given)),
    site: (given: Given = {}) => insert((rows) => withSite(rows, withSpace(rows, given), given)),
    everything: (given: Given = {}) => insert((rows) => withEverything(rows, given)),
  };
}

/** Adds the rows of `everything()` to others, so that many worlds can be written by one statement. */
export function withEverything(rows: Rows, given: Given = {}) {
  return withSite(rows, withReviewed(rows, given), given);
}

/** Adds the rows of `comment()` to others. */
export function withReviewed(rows: Rows, given: Given = {}) {
  return withComment(rows, withChangeRequest(rows, withSpace(rows, given), given), given);
}

/** Calls `make` a number of times, with 0, 1, 2 ..., for lists of rows. */
export function times<Result>(count: number, make: (index: number) => Result): Result[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

function withPeople(rows: Rows, given: Given) {
  const organization = addOrganization(rows, given.organization);
  const elsewhere = addOrganization(rows);
  const organizationId = organization.id;
  const person = (role: Parameters<typeof addPersonIn>[1]["role"], name: string) =>
    addPersonIn(rows, { organizationId, role }, { displayName: name });
  const people: People = {
    admin: person("admin", "Admin"),
    creator: person("create", "Creator"),
    reviewer: person("review", "Reviewer"),
    editor: person("edit", "Editor"),
    commenter: person("comment", "Commenter"),
    reader: person("read", "Reader"),
    guest: person(null, "Guest"),
    invitedGuest: person(null, "Invited guest"),
    teamOwner: person("read", "Team owner"),
    teamGuest: person(null, "Team guest"),
    disabled: addPersonIn(rows, { organizationId, role: "admin", disabled: true }, { displayName: "Disabled" }),
    outsider: addPersonIn(rows, { organizationId: elsewhere.id, role: "admin" }, { displayName: "Outsider" }),
  };
  const team = addTeam(rows, { organizationId });
  const teamMember = addTeamMember(rows, team, people.teamOwner, "owner");
  addTeamMember(rows, team, people.teamGuest);
  return { organization, elsewhere, people, ...people, team, teamMember };
}

function withCollection(rows: Rows, given: Given) {
  const world = withPeople(rows, given);
  const organizationId = world.organization.id;
  const collection = addCollection(rows, { organizationId, ...given.collection });
  const collectionId = collection.id;
  addGrant(rows, { organizationId, collectionId, userId: world.invitedGuest.id, role: "comment" });
  addGrant(rows, { organizationId, collectionId, teamId: world.team.id, role: "edit" });
  return { ...world, collection };
}

function withSpace(rows: Rows, given: Given) {
  const world = withCollection(rows, given);
  const space = addSpace(rows, {
    organizationId: world.organization.id,
    parent: world.collection,
    ...given.space,
  });
  return { ...world, space };
}

type SpaceWorld = ReturnType<typeof withSpace>;

/** One open change request, by the editor. */
function withChangeRequest<Known extends SpaceWorld>(rows: Rows, world: Known, given: Given) {
  const changeRequest = addChangeRequest(rows, {
    space: world.space,
    createdById: world.editor.id,
    ...given.changeRequest,
  });
  return { ...world, changeRequest };
}

/**
 * A comment on the change request and one on the space, by the commenter, the first with a reply and a reaction by the
 * editor.
 */
function withComment<Known extends ReturnType<typeof withChangeRequest<SpaceWorld>>>(
  rows: Rows,
  world: Known,
  given: Given,
) {
  const here = { spaceId: world.space.id, postedById: world.commenter.id };
  const comment = addComment(rows, { ...here, changeRequestId: world.changeRequest.id, ...given.comment });
  const reply = addReply(rows, { commentId: comment.id, postedById: world.editor.id });
  addReaction(rows, { commentId: comment.id, userId: world.editor.id });
  return { ...world, comment, reply, spaceComment: addComment(rows, here) };
}

/** A site by the creator, with one group, the default section in it, and the space as the default one there. */
function withSite<Known extends SpaceWorld>(rows: Rows, world: Known, given: Given) {
  const site = addSite(rows, {
    organizationId: world.organization.id,
    createdById: world.creator.id,
    ...given.site,
  });
  const siteId = site.id;
  const sectionGroup = addSectionGroup(rows, { siteId });
  const section = addSection(rows, { siteId, sectionGroupId: sectionGroup.id, isDefault: true });
  const siteSpace = addSiteSpace(rows, { siteId, sectionId: section.id, spaceId: world.space.id, isDefault: true });
  return { ...world, site, sectionGroup, section, siteSpace };
}
