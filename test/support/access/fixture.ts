// The fixture of permission tests: all people, all objects that mutations change, and the flags of each person.
import { getNamedType, type GraphQLObjectType, isObjectType } from "graphql";
import { newId } from "#src/base/ids.ts";
import type { Database } from "#src/db/connection/database.ts";
import { schema } from "#src/schema.ts";
import { addInstalled, addIntegration } from "#test/features/integrations/factory.ts";
import { addImport } from "#test/features/imports/factory.ts";
import { addCollection } from "#test/features/collections/factory.ts";
import { addGrant, addMember, addPersonIn } from "#test/features/members/factory.ts";
import { addOrganization } from "#test/features/organizations/factory.ts";
import { addProcessedSpec } from "#test/features/openapi/factory.ts";
import { addInvitation } from "#test/features/invitations/factory.ts";
import { addOidcProvider } from "#test/features/oidc/factory.ts";
import { addSamlProvider } from "#test/features/saml/factory.ts";
import { addReview } from "#test/features/reviews/factory.ts";
import { addSection, addSectionGroup, addSite, addSiteSpace, schemaOf } from "#test/features/sites/factory.ts";
import { addSpace } from "#test/features/spaces/factory.ts";
import { addSession } from "#test/features/sessions/factory.ts";
import { addToken } from "#test/features/tokens/factory.ts";
import { addTerm, addTranslation } from "#test/features/translations/factory.ts";
import type { GraphqlClient } from "#test/support/client.ts";
import { nextNumber, type Rows } from "#test/support/rows.ts";
import { createWorld, type People, times, withReviewed } from "#test/support/world.ts";

/** All people of the fixture. */
export const names =
  "admin creator reviewer editor commenter reader guest invitedGuest teamOwner teamGuest disabled outsider localAdmin localCreator guestAdmin".split(
    " ",
  ) as readonly (keyof People | "localAdmin" | "localCreator" | "guestAdmin")[]; // the words of the line before
export type Name = (typeof names)[number];

/** Makes several fixtures in one statement. */
export const makeFixtures = (database: Pick<Database, "pool">, count: number): Promise<Fixture[]> =>
  createWorld(database).insert((rows) => times(count, () => fixtureIn(rows)));

/**
 * A world with all objects that mutations change, where roles come from membership, from grants and from default
 * levels.
 */
function fixtureIn(rows: Rows) {
  const made = withReviewed(rows, { organization: { emailDomains: ["stage.example.com"] } });
  const { organization, collection, space } = made;
  const organizationId = organization.id;
  const reader = (name: string) => addPersonIn(rows, { organizationId, role: "read" }, { displayName: name });
  const otherAdmin = addPersonIn(rows, { organizationId, role: "admin" }); // so that one admin may go
  const given = { changeRequest: made.changeRequest, reviewerId: otherAdmin.id, status: "approved" } as const;
  const people = {
    ...made.people,
    localAdmin: reader("Local admin"),
    localCreator: reader("Local creator"),
    guestAdmin: addPersonIn(rows, { organizationId, role: null }, { displayName: "Guest admin" }),
  };
  const inner = addCollection(rows, { organizationId, parent: collection });
  const other = addCollection(rows, { organizationId });
  const shut = addCollection(rows, { organizationId, defaultLevel: "read" });
  for (const { id } of [collection, other]) {
    addGrant(rows, { organizationId, collectionId: id, userId: people.localAdmin.id, role: "admin" });
    addGrant(rows, { organizationId, collectionId: id, userId: people.localCreator.id, role: "create" });
  }
  addGrant(rows, { organizationId, collectionId: collection.id, userId: people.guestAdmin.id, role: "admin" });
  addGrant(rows, { organizationId, spaceId: space.id, userId: people.editor.id, role: "review" });
  const [open, closed] = [addOrganization(rows), addOrganization(rows)];
  for (const { id: userId } of Object.values(people)) {
    addMember(rows, { organizationId: open.id, userId, role: "create" });
    addMember(rows, { organizationId: closed.id, userId, role: userId === people.admin.id ? "create" : "review" });
  }
  const tokens = Object.entries(people).map(([name, { id }]) => [name, addToken(rows, { userId: id }).id] as const);
  const sessions = Object.entries(people).map(([name, { id }]) => [name, addSession(rows, { userId: id }).id] as const);
  const topSpace = addSpace(rows, { organizationId, visibility: "public" });
  const givenReview = addReview(rows, given);
  const shutSpace = addSpace(rows, { organizationId, parent: shut });
  const site = addSite(rows, {
    organizationId,
    createdById: people.creator.id,
    published: false,
    adaptiveSchema: schemaOf("customer", "unsigned.trial"),
  });
  const siteId = site.id;
  const sectionGroup = addSectionGroup(rows, { siteId });
  const section = addSection(rows, { siteId, sectionGroupId: sectionGroup.id });
  const siteSpace = addSiteSpace(rows, { siteId, sectionId: section.id, spaceId: space.id });
  const siblingSiteSpace = addSiteSpace(rows, { siteId, sectionId: section.id, spaceId: topSpace.id });
  const onSite = {
    site,
    sectionGroup,
    section,
    siteSpace,
    siblingSiteSpace,
    siblingSection: addSection(rows, { siteId }),
  };
  const invitations = Object.entries(people).map(
    ([name, { email }]) => [name, addInvitation(rows, { organizationId, email }).id] as const,
  );
  const link = rows.add("InviteLink", { id: newId("InviteLink"), organizationId, key: `key-${nextNumber()}` });
  return {
    ...made,
    people,
    inner,
    other,
    shut,
    shutSpace,
    ...onSite,
    open,
    closed,
    topSpace,
    givenReview,
    tokens: Object.fromEntries(tokens),
    sessions: Object.fromEntries(sessions),
    link,
    invitation: addInvitation(rows, { organizationId }),
    invitations: Object.fromEntries(invitations),
    provider: addSamlProvider(rows, { organizationId }),
    openIdProvider: addOidcProvider(rows, { organizationId }),
    spec: addProcessedSpec(rows, { organizationId }).spec,
    translation: addTranslation(rows, {
      organizationId,
      sourceSpaceId: topSpace.id,
      createdById: people.creator.id,
      resultSpaceId: addSpace(rows, { organizationId }).id,
    }),
    term: addTerm(rows, { organizationId }),
    integration: addIntegration(rows, { organizationId }),
    ...addInstalled(rows, {
      integrationId: addIntegration(rows, { organizationId }).id,
      organizationId,
      spaceId: space.id,
      siteId,
    }),
    anImport: addImport(rows, { spaceId: space.id, createdById: people.creator.id }),
  };
}

export type Fixture = ReturnType<typeof fixtureIn>;

/** A mutation that every person tries. */
export interface PermissionCase {
  readonly mutation: string;
  /** Distinguishes cases of one mutation. */
  readonly how?: string;
  readonly input: (fixture: Fixture, name: Name) => object;
  /** The flags that allow it (`<object>.<flag>`), all of which must be true, or a rule. */
  readonly allowedBy: readonly `${string}.${string}`[] | ((name: Name, flags: Flags) => boolean);
  /** Objects that must be visible; otherwise the mutation is NOT_FOUND. */
  readonly seen: readonly string[];
  /** The deleted object among these: if it is hidden, `deletedId` is null. */
  readonly deletes?: string;
  /** The target or recipient: checked only if the rest is allowed. */
  readonly into?: string;
  /** Changes the fixture after the flags were read. */
  readonly prepare?: (fixture: Fixture, database: Database) => Promise<unknown>;
  /** NOT_FOUND for everybody who may not do it. */
  readonly isHidden?: true;
}

/** Selects the id and all flags of a type. */
function flagsOf(type: string): string {
  const { permissions } = (schema.getType(type) as GraphQLObjectType).getFields(); // an object type that has them
  const flags = permissions && getNamedType(permissions.type);
  if (!isObjectType(flags)) throw new Error(`${type} has no flags.`);
  return `id permissions { ${Object.keys(flags.getFields()).join(" ")} }`;
}

const ofOrganization = flagsOf("Organization");
const ofCollection = flagsOf("Collection");
const ofSpace = flagsOf("Space");
const ofComment = flagsOf("Comment");

/** Selects all objects with flags, aliased by their names in the cases. */
const questions = (fixture: Fixture) => `{
  organization(id: "${fixture.organization.id}") {
    ${ofOrganization} translation(id: "${fixture.translation.id}") { ${flagsOf("Translation")} } team(id: "${fixture.team.id}") { ${flagsOf("Team")} } member(userId: "${fixture.editor.id}") { id }
  }
  spec: openApiSpec(organizationId: "${fixture.organization.id}", slug: "${fixture.spec.slug}") { ${flagsOf("OpenApiSpec")} }
  integration(name: "${fixture.integration.name}") { ${flagsOf("Integration")} }
  installation: node(id: "${fixture.installation.id}") { id }
  term: node(id: "${fixture.term.id}") { ... on GlossaryTerm { ${flagsOf("GlossaryTerm")} } }
  integrationSpace: node(id: "${fixture.integrationSpace.id}") { id }
  integrationSite: node(id: "${fixture.integrationSite.id}") { id }
  integrationEvent: node(id: "${fixture.integrationEvent.id}") { id }
  open: organization(id: "${fixture.open.id}") { ${ofOrganization} }
  closed: organization(id: "${fixture.closed.id}") { ${ofOrganization} }
  collection(id: "${fixture.collection.id}") { ${ofCollection} }
  inner: collection(id: "${fixture.inner.id}") { ${ofCollection} }
  other: collection(id: "${fixture.other.id}") { ${ofCollection} }
  shut: collection(id: "${fixture.shut.id}") { ${ofCollection} }
  space(id: "${fixture.space.id}") { ${ofSpace} }
  topSpace: space(id: "${fixture.topSpace.id}") { ${ofSpace} }
  shutSpace: space(id: "${fixture.shutSpace.id}") { ${ofSpace} }
  site(id: "${fixture.site.id}") { ${flagsOf("Site")} }
  changeRequest(id: "${fixture.changeRequest.id}") { ${flagsOf("ChangeRequest")} }
  review: node(id: "${fixture.givenReview.id}") { ... on Review { ${flagsOf("Review")} } }
  comment(id: "${fixture.comment.id}") { ${ofComment} reply(id: "${fixture.reply.id}") { ${flagsOf("CommentReply")} } }
  spaceComment: comment(id: "${fixture.spaceComment.id}") { ${ofComment} }
}`;

export type Flags = Readonly<
  Record<string, { readonly permissions?: Readonly<Record<string, boolean>> } | null | undefined>
>;

/** The flags of a person; hidden objects are null. */
export async function ask(as: (token: string) => GraphqlClient, fixture: Fixture, name: Name): Promise<Flags> {
  const { data } = await as(fixture.people[name].token).graphql<Flags>(questions(fixture));
  const organization = data?.["organization"] as (Flags & Flags[string]) | undefined; // as selected above
  const comment = data?.["comment"] as (Flags & Flags[string]) | undefined;
  return {
    ...data,
    team: organization?.["team"],
    translation: organization?.["translation"],
    member: organization?.["member"],
    reply: comment?.["reply"],
  };
}

/** The flag `<object>.<flag>`; false for a hidden object. */
export function flag(flags: Flags, path: string): boolean {
  const [thing = "", name = ""] = path.split(".");
  const permissions = flags[thing]?.permissions;
  if (permissions && !(name in permissions)) throw new Error(`${path} is not selected.`);
  return permissions?.[name] ?? false;
}
