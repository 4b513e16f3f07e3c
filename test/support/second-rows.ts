// Second rows for every list of the edge-case world, so that each has a second page.
import { idInRevision, newId } from "#src/base/ids.ts";
import { addChangeRequest } from "#test/features/change-requests/factory.ts";
import { addCollection } from "#test/features/collections/factory.ts";
import { addReaction } from "#test/features/comments/factory.ts";
import { editAs, newPage } from "#test/features/content/edits.ts";
import { giveFiles } from "#test/features/content/factory.ts";
import {
  addInstallation,
  addInstalled,
  addIntegration,
  addIntegrationEvent,
} from "#test/features/integrations/factory.ts";
import { addInvitation } from "#test/features/invitations/factory.ts";
import { addGrant, addMember, type Person } from "#test/features/members/factory.ts";
import { addOidcProvider } from "#test/features/oidc/factory.ts";
import { addOrganization } from "#test/features/organizations/factory.ts";
import { addReview } from "#test/features/reviews/factory.ts";
import { addSession } from "#test/features/sessions/factory.ts";
import { addSection, addSectionGroup, addSite } from "#test/features/sites/factory.ts";
import { addSpace } from "#test/features/spaces/factory.ts";
import { addTeam, addTeamMember } from "#test/features/teams/factory.ts";
import { addUser } from "#test/features/users/factory.ts";
import { addToken } from "#test/features/tokens/factory.ts";
import type { TestApp } from "#test/support/app.ts";
import { nextInstant, type Rows } from "#test/support/rows.ts";
import { times, type World } from "#test/support/world.ts";

interface Place {
  readonly organizationId: string;
  /** Another organization with the same admin. */
  readonly elsewhere: string;
  readonly admin: Person;
  readonly siteId: string;
}

/** Adds the rows; returns the ids of parents whose lists have two rows, to be queried first. */
export async function addSecondRows(
  app: TestApp,
  world: World,
  { admin, first }: { admin: Person; first: readonly string[] },
): Promise<string[]> {
  const { prisma } = app.database;
  const idOf = (prefix: string) => first.find((id) => id.startsWith(prefix)) ?? "";
  const organizationId = idOf("org_");
  const reaction = await prisma.reaction.findFirstOrThrow({ where: { commentId: { not: null } } });
  const users = await prisma.user.findMany({
    where: { reactions: { none: { commentId: reaction.commentId } } },
    take: 2,
  });
  const made = await world.insert((rows) => {
    const { emoji, commentId } = reaction;
    for (const { id: userId } of users) addReaction(rows, { emoji, commentId, userId });
    const place = { organizationId, elsewhere: addOrganization(rows).id, admin, siteId: idOf("sit_") };
    addForPerson(rows, place);
    const content = addContent(rows, place);
    return { ...content, ids: [...content.ids, ...addOnSite(rows, place, content.space.id)] };
  });
  const linked = await addLinks(app, made);
  await addEditor(app, made.changeRequest.id);
  return [...linked, ...made.ids, made.space.id, made.changeRequest.id];
}

function addForPerson(rows: Rows, { organizationId, elsewhere, admin }: Place): void {
  addSession(rows, { userId: admin.id });
  addMember(rows, { organizationId: elsewhere, userId: admin.id, role: "admin" });
  addInvitation(rows, { organizationId: addOrganization(rows).id, email: admin.email });
  for (const team of times(2, () => addTeam(rows, { organizationId }))) addTeamMember(rows, team, admin);
  for (const role of ["read", "edit"] as const) {
    const { id: userId } = addUser(rows, { isService: true });
    addToken(rows, { userId, organizationId, isService: true, role });
  }
}

/** A collection with nested collections, deleted spaces, and a space with a change request. */
function addContent(rows: Rows, { organizationId, admin }: Place) {
  const collection = addCollection(rows, { organizationId });
  for (const _ of times(2, () => null)) {
    addCollection(rows, { organizationId, parent: collection });
    addSpace(rows, { organizationId, deletedAt: new Date() });
  }
  const space = addSpace(rows, { organizationId });
  const requests = times(2, () => addChangeRequest(rows, { space, createdById: admin.id }));
  for (const changeRequest of requests) addReview(rows, { changeRequest, reviewerId: admin.id });
  const changeRequest = requests[0] as (typeof requests)[0]; // there are two
  for (const status of ["requested", "approved", "approved"] as const)
    addReview(rows, { changeRequest, reviewerId: addUser(rows).id, status });
  addRoles(rows, { organizationId, spaceId: space.id, collectionId: collection.id });
  return { admin, space, changeRequest, ids: [collection.id] };
}

/** Roles of two people and two teams on a space and on a collection. */
function addRoles(
  rows: Rows,
  { organizationId, ...on }: Record<"organizationId" | "spaceId" | "collectionId", string>,
) {
  const holders = times(2, () => {
    const userId = addUser(rows).id;
    addMember(rows, { organizationId, userId, role: "read" });
    return [{ userId }, { teamId: addTeam(rows, { organizationId }).id }];
  });
  for (const holder of holders.flat())
    for (const place of [{ spaceId: on.spaceId }, { collectionId: on.collectionId }])
      addGrant(rows, { organizationId, role: "edit", ...holder, ...place });
}

/**
 * An integration with two versions that is installed in two organizations, in one of them on two spaces and sites; a
 * second one beside it; and a site with two groups, one of which has two sections.
 */
function addOnSite(rows: Rows, { organizationId, elsewhere, siteId }: Place, spaceId: string): string[] {
  const [{ id: integrationId }, { id: other }] = [
    addIntegration(rows, { organizationId }),
    addIntegration(rows, { organizationId }),
  ];
  const version = { number: 2, runtime: "v1", script: "0".repeat(64), manifest: {}, createdAt: nextInstant() } as const;
  rows.add("IntegrationVersion", { id: newId("IntegrationVersion"), integrationId, ...version });
  for (const _ of times(2, () => null)) addOidcProvider(rows, { organizationId });
  const { installation } = addInstalled(rows, { organizationId, spaceId, siteId, integrationId });
  addInstalled(rows, { organizationId, spaceId, siteId, integrationId: other });
  addInstallation(rows, { organizationId: elsewhere, integrationId });
  const given = { installationId: installation.id, status: "active", createdAt: nextInstant() } as const;
  const [{ id: otherSpace }, { id: otherSite }] = [
    addSpace(rows, { organizationId }),
    addSite(rows, { organizationId }),
  ];
  rows.add("IntegrationSpace", { id: newId("IntegrationSpace"), spaceId: otherSpace, ...given });
  rows.add("IntegrationSite", { id: newId("IntegrationSite"), siteId: otherSite, ...given });
  addIntegrationEvent(rows, { installationId: installation.id, payload: { spaceId } });
  const group = addSectionGroup(rows, { siteId });
  for (const _ of times(2, () => null)) addSection(rows, { siteId, sectionGroupId: group.id });
  return [integrationId, group.id, installation.id];
}

type Content = ReturnType<typeof addContent>;

/**
 * Pages that link to a page, a file and missing targets, in a space and in a change request. Returns
 * their ids.
 */
async function addLinks(app: TestApp, { admin, space }: Content): Promise<string[]> {
  const as = app.as(admin.token);
  const target = newPage("Target");
  const withTarget = await editAs(as, { spaceId: space.id }, target.edit);
  const [fileId = ""] = await giveFiles(app.database, withTarget, ["target.txt", "other.txt"]);
  const pageOf = (title: string) => {
    const broken = times(2, () => `[no](page:${newId("Page")})`).join(" ");
    return newPage(title, { markdown: `[page](page:${target.pageId}) [file](file:${fileId}) ${broken}` });
  };
  const linking = [pageOf("Guide one"), pageOf("Guide two")];
  const revisionId = await editAs(as, { spaceId: space.id }, ...linking.map(({ edit }) => edit));
  const { createChangeRequest } = await as.query<{ createChangeRequest: { changeRequest: { id: string } } }>(
    `mutation { createChangeRequest(input: { spaceId: "${space.id}" }) { changeRequest { id } } }`,
  );
  const changeRequestId = createChangeRequest.changeRequest.id;
  const draftId = await editAs(as, { changeRequestId }, pageOf("Draft").edit);
  const inRevision = [fileId, ...[target, ...linking].map(({ pageId }) => pageId)];
  return [changeRequestId, fileId, revisionId, draftId, ...inRevision.map((id) => idInRevision(revisionId, id))];
}

/** Adds a revision by another user to a change request. */
async function addEditor({ database: { prisma } }: TestApp, changeRequestId: string): Promise<void> {
  const { spaceId, createdById } = await prisma.changeRequest.findUniqueOrThrow({ where: { id: changeRequestId } });
  const { id: authorId } = await prisma.user.findFirstOrThrow({ where: { id: { not: createdById } } });
  const id = newId("Revision");
  await prisma.revision.create({
    data: { id, spaceId, changeRequestId, authorId, type: "edits", createdAt: nextInstant() },
  });
}
