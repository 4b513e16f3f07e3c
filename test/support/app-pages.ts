// An organization with any number of everything that pages of the application list, and the addresses of all pages.
import type { Database } from "#src/db/connection/database.ts";
import { newId } from "#src/base/ids.ts";
import { features } from "#src/features/index.ts";
import { addChangeRequest } from "#test/features/change-requests/factory.ts";
import { addCollection } from "#test/features/collections/factory.ts";
import { addComment, addMention, addReaction, addReply } from "#test/features/comments/factory.ts";
import { giveContent, giveFiles, giveSameContent } from "#test/features/content/factory.ts";
import { addInstallation, addIntegration, addIntegrationEvent } from "#test/features/integrations/factory.ts";
import { addInvitation } from "#test/features/invitations/factory.ts";
import { addInviteLink } from "#test/features/invite-links/factory.ts";
import { addGrant, addPersonIn, type Person } from "#test/features/members/factory.ts";
import { addOpenApiSpecVersion, addProcessedSpec } from "#test/features/openapi/factory.ts";
import { addOidcProvider } from "#test/features/oidc/factory.ts";
import { addOrganization } from "#test/features/organizations/factory.ts";
import { addReview } from "#test/features/reviews/factory.ts";
import { exampleCertificate } from "#test/features/saml/example-certificate.ts";
import { addSamlProvider } from "#test/features/saml/factory.ts";
import { addSession } from "#test/features/sessions/factory.ts";
import { addSection, addSectionGroup, addSite, addSiteSpace } from "#test/features/sites/factory.ts";
import { addRevision, addSpace } from "#test/features/spaces/factory.ts";
import { addTeam, addTeamMember } from "#test/features/teams/factory.ts";
import { addToken } from "#test/features/tokens/factory.ts";
import { addTerm, addTranslation } from "#test/features/translations/factory.ts";
import { nextInstant, nextNumber, type Rows } from "#test/support/rows.ts";
import { createWorld, times } from "#test/support/world.ts";

interface BusyWorld {
  readonly admin: Person;
  /** The values of `:name` in paths of pages. */
  readonly ids: Readonly<Record<string, string>>;
}

/** Makes an organization with `size` of everything, and `pages` in its space. */
export async function makeBusyWorld(
  database: Pick<Database, "pool" | "prisma">,
  { size, pages = size }: { readonly size: number; readonly pages?: number },
): Promise<BusyWorld> {
  const { admin, ids, revisionId, proposedId } = await createWorld(database).insert((rows) => busyRows(rows, size));
  const titles = times(pages, (index) => `Page ${index} about one of many things`);
  const [pageId = ""] = await giveContent(database, revisionId, titles, pageText);
  await giveFiles(
    database,
    revisionId,
    times(size, (index) => `file-${index}.txt`),
  );
  await giveSameContent(database, revisionId, [proposedId]);
  const searched = { q: "page", in: ids.org, from: revisionId, to: revisionId };
  return { admin, ids: { ...ids, ...searched, pageId, revisionId } };
}

/** The address of each page, with the parameters that it needs, and its row. Of equal rows the first is meant. */
export function addressesOf({ ids }: BusyWorld): { readonly row: string; readonly path: string }[] {
  const rows = features.flatMap(({ appPages = [] }) =>
    appPages.map(
      ({ path, needs = [] }) =>
        path + (needs.length > 0 ? `?${needs.map((name) => `${name}=:${name}`).join("&")}` : ""),
    ),
  );
  return [...new Set(rows)].map((row) => ({
    row,
    path: row.replaceAll(/:(\w+)/g, (_match, name: string) => {
      const id = ids[name];
      if (id === undefined) throw new Error(`Say in test/support/app-pages.ts which ${name} ${row} shows.`);
      return id;
    }),
  }));
}

const pageText =
  "# Start\n\nSome words, [a link that leads nowhere](page:pag_01j00000000000000000000000) and a list:\n\n- one\n- two\n";

function busyRows(rows: Rows, size: number) {
  const { id: organizationId } = addOrganization(rows);
  const admin = addPersonIn(rows, { organizationId, role: "admin" }, {});
  const [team, collection] = [addTeam(rows, { organizationId }), addCollection(rows, { organizationId })];
  const space = addSpace(rows, { organizationId });
  const changeRequest = addChangeRequest(rows, { space, createdById: admin.id, status: "open", subject: "Busy" });
  const of = { organizationId, admin, team, collection, space, changeRequest };
  const lists = [peopleIn, placesIn, discussionIn];
  times(size, () => lists.forEach((add) => add(rows, of)));
  const ids = {
    org: organizationId,
    organizationId,
    user: admin.id,
    team: team.id,
    collection: collection.id,
    space: space.id,
    spaceId: space.id,
    changeRequestId: changeRequest.id,
    ...siteIn(rows, of, size),
    ...extensionsIn(rows, of, size),
    ...specificationsIn(rows, of, size),
    ...translationsIn(rows, of, size),
  };
  return { admin, ids, revisionId: space.revisionId, proposedId: changeRequest.revisionId };
}

interface Busy {
  readonly organizationId: string;
  readonly admin: Person;
  readonly team: ReturnType<typeof addTeam>;
  readonly collection: ReturnType<typeof addCollection>;
  readonly space: ReturnType<typeof addSpace>;
  readonly changeRequest: ReturnType<typeof addChangeRequest>;
}

function peopleIn(rows: Rows, { organizationId, admin, team, space }: Busy): void {
  const member = addPersonIn(rows, { organizationId, role: "read" }, {});
  addTeamMember(rows, team, member);
  addTeam(rows, { organizationId });
  addInvitation(rows, { organizationId, createdById: member.id });
  addInvitation(rows, { organizationId: addOrganization(rows).id, email: admin.email, createdById: member.id });
  addInviteLink(rows, { organizationId });
  addGrant(rows, { organizationId, spaceId: space.id, userId: member.id, role: "edit" });
  addToken(rows, { userId: admin.id, organizationId });
  addSession(rows, { userId: admin.id });
}

function placesIn(rows: Rows, { organizationId, admin, collection, space }: Busy): void {
  addSpace(rows, { organizationId });
  addSpace(rows, { organizationId, parent: collection });
  addCollection(rows, { organizationId });
  addSite(rows, { organizationId });
  addRevision(rows, { spaceId: space.id, authorId: admin.id });
}

function discussionIn(rows: Rows, { organizationId, admin, space, changeRequest }: Busy): void {
  const other = addPersonIn(rows, { organizationId, role: "review" }, {});
  const comment = addComment(rows, { spaceId: space.id, changeRequestId: changeRequest.id, postedById: other.id });
  addReply(rows, { commentId: comment.id, postedById: admin.id });
  addReaction(rows, { commentId: comment.id, userId: admin.id });
  addMention(rows, { userId: admin.id, spaceId: space.id, commentId: comment.id });
  addReview(rows, { changeRequest, reviewerId: other.id });
  const theirs = addChangeRequest(rows, { space, createdById: other.id, status: "open", subject: "Theirs" });
  addReview(rows, { changeRequest: theirs, reviewerId: admin.id });
  addChangeRequest(rows, { space, createdById: admin.id, subject: "Mine" });
}

function siteIn(rows: Rows, { organizationId, space }: Busy, size: number) {
  const certificate = exampleCertificate;
  const urls = { entityID: "https://idp.example.com/metadata", ssoURL: "https://idp.example.com/sso" };
  const provider = addSamlProvider(rows, { organizationId, ...urls, certificate });
  const site = addSite(rows, { organizationId, visibility: "public", publishedAt: nextInstant() });
  const siteId = site.id;
  const first = addSection(rows, { siteId, isDefault: true });
  addSiteSpace(rows, { siteId, sectionId: first.id, spaceId: space.id, isDefault: true });
  times(size, () => {
    const { id: sectionGroupId } = addSectionGroup(rows, { siteId });
    const { id: sectionId } = addSection(rows, { siteId, sectionGroupId });
    addSiteSpace(rows, { siteId, sectionId, spaceId: space.id });
  });
  const openIdProvider = addOidcProvider(rows, { organizationId });
  return { site: siteId, siteId, provider: provider.id, openIdProvider: openIdProvider.id };
}

/** What one can set about an installation of an integration. */
export const declaredSettings = {
  account: {
    properties: {
      token: { type: "string", title: "Token" },
      channel: { type: "string", title: "Channel", enum: ["news", "reviews"] },
      limit: { type: "number", title: "Most messages an hour" },
      quiet: { type: "boolean", title: "Without sound" },
    },
    required: ["channel"],
  },
};

function extensionsIn(rows: Rows, { organizationId, space }: Busy, size: number) {
  const declared = { visibility: "public", configurations: declaredSettings } as const;
  const integration = addIntegration(rows, { organizationId, ...declared });
  const selected = { spaceSelection: "selected", siteSelection: "selected" } as const;
  const installation = addInstallation(rows, { integrationId: integration.id, organizationId, ...selected });
  times(size, () => {
    const { id: integrationId } = addIntegration(rows, { organizationId, ...declared });
    addInstallation(rows, { integrationId, organizationId });
    const on = { installationId: installation.id, status: "active", createdAt: nextInstant() } as const;
    const spaceId = addSpace(rows, { organizationId }).id;
    rows.add("IntegrationSpace", { id: newId("IntegrationSpace"), spaceId, ...on });
    rows.add("IntegrationSite", { id: newId("IntegrationSite"), siteId: addSite(rows, { organizationId }).id, ...on });
    const failed = { status: "failure", tries: 3, durationMs: 12, finishedAt: nextInstant() } as const;
    addIntegrationEvent(rows, { installationId: installation.id, payload: { spaceId: space.id }, ...failed });
  });
  return { name: integration.name, installation: installation.id };
}

function specificationsIn(rows: Rows, { organizationId }: Busy, size: number) {
  const { spec } = addProcessedSpec(rows, { organizationId });
  times(size, (index) => {
    addOpenApiSpecVersion(rows, { specId: spec.id, number: index + 2 });
    addProcessedSpec(rows, { organizationId });
  });
  return { spec: spec.id };
}

function translationsIn(rows: Rows, { organizationId, admin, space }: Busy, size: number) {
  const made = { organizationId, createdById: admin.id };
  const translation = addTranslation(rows, {
    ...made,
    sourceSpaceId: space.id,
    status: "failed",
    error: "The engine did not answer.",
    warnings: times(Math.min(size, 100), (index) => ({ page: `Page ${index}`, message: "A formula stays as it is." })),
  });
  times(size, () => {
    addTranslation(rows, { ...made, sourceSpaceId: addSpace(rows, { organizationId }).id });
    addTerm(rows, { organizationId, term: `Term ${nextNumber()}`, translations: { de: "Begriff", fr: "Terme" } });
  });
  return { translation: translation.id };
}
