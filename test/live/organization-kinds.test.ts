// Every kind of event of organizations, each caused by its mutation: it is delivered once, with its actor and facts, to
// an admin; and a replay is equal.
import { expect, test } from "vitest";
import { addMember } from "#src/features/members/commands.ts";
import { purgeDeletedSpaces } from "#src/features/spaces/jobs.ts";
import { smallDocument } from "#test/features/openapi/factory.ts";
import { addMember as addMemberRow, addPerson } from "#test/features/members/factory.ts";
import { hearInstallations } from "#test/live/installation-kinds.ts";
import { hearIntegrations } from "#test/live/integration-kinds.ts";
import { hearInvitations } from "#test/live/invitation-kinds.ts";
import { hearGlossary } from "#test/live/glossary-kinds.ts";
import { done, kindsOf, listen } from "#test/live/kinds.ts";
import { hearOpenId, hearSingleSignOn, idp } from "#test/live/sign-on-kinds.ts";
import { behindProxy } from "#test/features/saml/sign-in.ts";
import { useApp } from "#test/support/app.ts";
import { contextsOf } from "#test/support/query-executions.ts";

let now = () => new Date();
const records: string[] = [];
// On its own database: it sets the clock, and publishes an integration with a globally unique name.
const clock = { now: () => now() };
const readTxtRecords = async () => records;
const { app, world } = await useApp({ own: true, fetch: idp.fetch, clock, readTxtRecords, ...behindProxy });
const anId = (prefix: string) => expect.stringMatching(new RegExp(`^${prefix}_`)) as string;
const change = (field: string, before: unknown, after: unknown) => ({ field, before, after });

async function open() {
  const scene = await world.space();
  const { admin, organization } = scene;
  const organizationId = organization.id;
  const stream = await listen(app, admin, `organizationEvents(of: { organizationId: "${organizationId}" })`);
  const does = <Answer = unknown>(name: string, input: Record<string, unknown>) =>
    done<Answer>(app, admin.token, name, input);
  return { ...scene, organizationId, stream, does };
}

const received = new Set<string>();
const note = (kinds: readonly string[]) => kinds.forEach((kind) => received.add(kind));

test("organization events: settings and membership", async () => {
  const { admin, organizationId, organization, space, stream, does, reader } = await open();
  await stream.delivers(
    does("updateOrganization", {
      organizationId,
      title: "Tides",
      emailDomains: ["example.com"],
      defaultRole: null,
      sso: true,
      opensOn: { spaceId: space.id },
    }),
    {
      __typename: "OrganizationSettingsChanged",
      facts: {
        organizationId,
        spaceId: null,
        kind: "ORGANIZATION_SETTINGS_CHANGED",
        changes: [
          change("title", organization.title, "Tides"),
          change("emailDomains", [], ["example.com"]),
          change("sso", false, true),
          change("defaultSpaceId", null, space.id),
        ],
      },
    },
  );
  await stream.delivers(does("updateOrganization", { organizationId, title: "Tides" })); // changes nothing
  await stream.delivers(does("rotateVisitorKey", { organizationId }), { __typename: "OrganizationVisitorKeyRotated" });
  await stream.delivers(done(app, reader.token, "pingOrganization", { organizationId }), {
    __typename: "MemberSeen",
    actor: { id: reader.id },
    facts: { userId: reader.id },
  });
  const { eventCursor: after } = await app.as(admin.token).query<{ eventCursor: string }>("{ eventCursor }");
  const created = await does<{ organization: { id: string } }>("createOrganization", {
    title: "Springs",
    answer: "organization { id }",
  });
  const own = await listen(
    app,
    admin,
    `organizationEvents(of: { organizationIds: ["${created.organization.id}", "${organizationId}"] })`,
    { after },
  );
  await own.delivers(Promise.resolve(), { __typename: "OrganizationCreated", facts: { title: "Springs" } });
  note(await own.end(1));
  note(await stream.end(3));
});

test("organization events: API tokens", async () => {
  const { organizationId, stream, does } = await open();
  const made = await stream.delivers(
    does<{ apiToken: { id: string } }>("createServiceToken", {
      organizationId,
      name: "CI",
      role: "READ",
      answer: "apiToken { id }",
    }),
    { __typename: "ServiceTokenCreated", facts: { organizationId } },
  );
  const facts = { apiTokenId: made.apiToken.id };
  await stream.delivers(does("rotateApiToken", { apiTokenId: made.apiToken.id }), {
    __typename: "ServiceTokenRotated",
    facts,
  });
  const revoked = does("revokeApiToken", { apiTokenId: made.apiToken.id });
  await stream.delivers(revoked, { __typename: "ServiceTokenRevoked", facts });
  note(await stream.end(3));
});

test("organization events: members and teams", async () => {
  const { admin, organizationId, stream, does, reader, editor } = await open();
  const userId = anId("usr");
  const makeContext = await contextsOf(app, admin.token);
  await stream.delivers(addMember(makeContext(), { organizationId, email: "new@example.com", role: "edit" }), {
    __typename: "MemberInvited",
    facts: { organizationId, userId, role: "EDIT" },
  });
  const member = { organizationId, userId: reader.id };
  await stream.delivers(does("updateMember", { ...member, role: "REVIEW" }), {
    __typename: "MemberChanged",
    facts: { ...member, roleBefore: "READ", role: "REVIEW", changes: [change("role", "READ", "REVIEW")] },
  });
  await stream.delivers(does("updateMember", { ...member, role: "REVIEW" })); // changes nothing
  await stream.delivers(does("setMemberSso", member), { __typename: "MemberSsoSet", facts: member });
  const { team } = await stream.delivers(
    does<{ team: { id: string } }>("createTeam", {
      organizationId,
      title: "Crew",
      userIds: [reader.id],
      answer: "team { id }",
    }),
    { __typename: "TeamCreated", facts: { title: "Crew", userIds: [reader.id] } },
  );
  const place = { organizationId, teamId: team.id };
  await stream.delivers(does("updateTeam", { ...place, title: "Deck" }), {
    __typename: "TeamRenamed",
    facts: { ...place, changes: [change("title", "Crew", "Deck")] },
  });
  await stream.delivers(does("updateTeamMembers", { ...place, add: [editor.id], remove: [reader.id] }), {
    __typename: "TeamMembersChanged",
    facts: { ...place, userIds: [editor.id], removedUserIds: [reader.id] },
  });
  await stream.delivers(does("setTeamMember", { ...place, userId: editor.id, role: "OWNER" }), {
    __typename: "TeamMemberSet",
    facts: { ...place, userId: editor.id, teamRoleBefore: "MEMBER", teamRole: "OWNER" },
  });
  await stream.delivers(does("removeTeamMember", { ...place, userId: editor.id }), {
    __typename: "TeamMemberRemoved",
    facts: { ...place, userId: editor.id, teamRole: "OWNER" },
  });
  await stream.delivers(does("deleteTeam", place), {
    __typename: "TeamDeleted",
    facts: { ...place, title: "Deck" },
  });
  await stream.delivers(does("removeMember", member), {
    __typename: "MemberRemoved",
    facts: { ...member, role: "REVIEW" },
  });
  note(await stream.end(10));
});

test("organization events: grants and invite links", async () => {
  const { organizationId, stream, does, collection, space, team, guest } = await open();
  const key = { spaceId: space.id, userId: guest.id };
  const set = (role: string) => does("setGrant", { target: { spaceId: space.id }, holder: { userId: guest.id }, role });
  await stream.delivers(set("READ"), {
    __typename: "GrantSet",
    facts: { ...key, grantId: anId("gra"), teamId: null, collectionId: null, roleBefore: null, role: "READ" },
  });
  await stream.delivers(set("EDIT"), {
    __typename: "GrantSet",
    facts: { roleBefore: "READ", role: "EDIT" },
  });
  const ofTeam = { collectionId: collection.id, teamId: team.id };
  await stream.delivers(does("removeGrant", { target: { collectionId: collection.id }, holder: { teamId: team.id } }), {
    __typename: "GrantRemoved",
    facts: { ...ofTeam, userId: null, spaceId: null, role: "EDIT" },
  });
  const made = await stream.delivers(
    does<{ inviteLink: { id: string; key: string } }>("createInviteLink", {
      organizationId,
      role: "READ",
      answer: "inviteLink { id key }",
    }),
    { __typename: "InviteLinkCreated", facts: { role: "READ", expiresAt: null } },
  );
  const inviteLinkId = made.inviteLink.id;
  const expiresAt = "2100-01-01T00:00:00.000Z";
  await stream.delivers(does("updateInviteLink", { inviteLinkId, expiresAt }), {
    __typename: "InviteLinkChanged",
    facts: { inviteLinkId, changes: [change("expiresAt", null, expiresAt)] },
  });
  const newcomer = await world.insert((rows) => addPerson(rows));
  const actor = { id: newcomer.id };
  await stream.delivers(
    done(app, newcomer.token, "useInviteLink", { key: made.inviteLink.key }),
    { __typename: "InviteLinkUsed", actor, facts: { inviteLinkId, userId: newcomer.id } },
    { __typename: "MemberJoined", actor, facts: { userId: newcomer.id, role: "READ", inviteLinkId } },
  );
  await stream.delivers(does("deleteInviteLink", { organizationId, inviteLinkId }), {
    __typename: "InviteLinkDeleted",
    facts: { inviteLinkId, role: "READ" },
  });
  note(await stream.end(8));
});

test("organization events: collections and spaces", async () => {
  const { admin, organizationId, elsewhere, collection, stream, does } = await open();
  await world.insert((rows) => addMemberRow(rows, { organizationId: elsewhere.id, userId: admin.id, role: "admin" }));
  const { collection: inner } = await stream.delivers(
    does<{ collection: { id: string } }>("createCollection", {
      organizationId,
      title: "Inner",
      parentId: collection.id,
      answer: "collection { id }",
    }),
    { __typename: "CollectionCreated", facts: { organizationId, title: "Inner", parentId: collection.id } },
  );
  const collectionId = inner.id;
  await stream.delivers(does("updateCollection", { collectionId, title: "In", defaultLevel: "EDIT" }), {
    __typename: "CollectionSettingsChanged",
    facts: { collectionId, changes: [change("title", "Inner", "In"), change("defaultLevel", null, "EDIT")] },
  });
  await stream.delivers(does("updateCollection", { collectionId, title: "In" })); // changes nothing
  await stream.delivers(does("moveCollection", { collectionId, parentId: null }), {
    __typename: "CollectionMoved",
    facts: { collectionId, fromParentId: collection.id, toParentId: null, fromOrganizationId: null },
  });
  const { space } = await stream.delivers(
    does<{ space: { id: string } }>("createSpace", {
      organizationId,
      title: "Tides",
      parentId: collectionId,
      answer: "space { id }",
    }),
    { __typename: "SpaceCreated", facts: { title: "Tides", parentId: collectionId } },
  );
  const spaceId = space.id;
  await stream.delivers(does("updateSpace", { spaceId, title: "Springs" }), {
    __typename: "SpaceSettingsChanged",
    facts: { spaceId, changes: [change("title", "Tides", "Springs")] },
  });
  await does("updateSpace", { spaceId, visibility: "SHARE_LINK" });
  await stream.delivers(
    does("rotateShareKey", { spaceId }),
    { __typename: "SpaceSettingsChanged" },
    { __typename: "SpaceShareKeyRotated", facts: { spaceId } },
  );
  await stream.delivers(does("moveSpace", { spaceId, parentId: collection.id }), {
    __typename: "SpaceMoved",
    facts: { spaceId, fromParentId: collectionId, toParentId: collection.id },
  });
  const { space: copy } = await stream.delivers(
    does<{ space: { id: string } }>("duplicateSpace", { spaceId, answer: "space { id }" }),
    { __typename: "SpaceDuplicated", facts: { spaceId } },
  );
  await stream.delivers(does("deleteSpace", { spaceId }), {
    __typename: "SpaceDeleted",
    facts: { spaceId, title: "Springs" },
  });
  await stream.delivers(does("restoreSpace", { spaceId }), { __typename: "SpaceRestored", facts: { spaceId } });
  await stream.delivers(does("deleteSpace", { spaceId: copy.id }), { __typename: "SpaceDeleted" });
  now = () => new Date(Date.now() + 8 * 24 * 3_600_000);
  await stream.delivers(purgeDeletedSpaces(app.database, { now }), {
    __typename: "SpacePurged",
    actor: null,
    facts: { spaceId: copy.id, title: "Springs" },
  });
  now = () => new Date();
  await stream.delivers(does("transferSpace", { spaceId, organizationId: elsewhere.id }), {
    __typename: "SpaceLeft",
    facts: { spaceId, title: "Springs" },
  });
  await stream.delivers(does("deleteCollection", { collectionId }), {
    __typename: "CollectionDeleted",
    facts: { collectionId, title: "In", parentId: null },
  });
  await stream.delivers(does("transferCollection", { collectionId: collection.id, organizationId: elsewhere.id }), {
    __typename: "CollectionLeft",
    facts: { collectionId: collection.id },
  });
  note(await stream.end(16));
});

test("guests receive deletions of what was granted to them, and of nothing else", async () => {
  const scene = await open();
  const { admin, organizationId, elsewhere, space, does, stream, guest, invitedGuest, team, teamGuest } = scene;
  await world.insert((rows) => addMemberRow(rows, { organizationId: elsewhere.id, userId: admin.id, role: "admin" }));
  const make = async (title: string) => {
    const input = { organizationId, title, answer: "collection { id }" };
    return (await does<{ collection: { id: string } }>("createCollection", input)).collection.id;
  };
  const [goes, leaves, other] = [await make("Goes"), await make("Leaves"), await make("Other")];
  for (const collectionId of [goes, leaves])
    for (const holder of [{ userId: guest.id }, { teamId: team.id }])
      await does("setGrant", { target: { collectionId }, holder, role: "READ" });
  await does("setGrant", { target: { spaceId: space.id }, holder: { userId: guest.id }, role: "READ" });
  await does("updateOrganization", { organizationId, title: "The beginning" });
  while (!JSON.stringify((await stream.raw.receive()).payload).includes("The beginning")); // earlier events are skipped
  const field = `organizationEvents(of: { organizationId: "${organizationId}" })`;
  const listeners = await Promise.all([guest, teamGuest, invitedGuest].map((who) => listen(app, who, field)));
  const [granted, inTeam, stranger] = listeners;
  for (const collectionId of [goes, other]) await does("deleteCollection", { collectionId });
  await does("transferCollection", { collectionId: leaves, organizationId: elsewhere.id });
  await does("transferSpace", { spaceId: space.id, organizationId: elsewhere.id });
  await does("updateOrganization", { organizationId, title: "The end" });
  const actor = { id: admin.id };
  const ofBoth = [
    { __typename: "CollectionDeleted", actor, facts: { collectionId: goes, title: "Goes" } },
    { __typename: "CollectionLeft", actor, facts: { collectionId: leaves } },
  ];
  const left = { __typename: "SpaceLeft", actor, facts: { spaceId: space.id } };
  const end = { __typename: "OrganizationSettingsChanged", actor };
  await granted?.delivers(Promise.resolve(), ...ofBoth, left, end);
  await inTeam?.delivers(Promise.resolve(), ...ofBoth, left, end);
  await stranger?.delivers(Promise.resolve(), left, end);
  for (const listener of listeners) listener.raw.socket.terminate();
});

test("organization events: OpenAPI specifications", async () => {
  const { organization, creator } = await world.organization();
  const stream = await listen(app, creator, `organizationEvents(of: { organizationId: "${organization.id}" })`);
  const does = (name: string, input: object) =>
    done(app, creator.token, name, { organizationId: organization.id, slug: "harbour", ...input });
  await stream.delivers(
    does("createOpenApiSpec", { source: { text: JSON.stringify(smallDocument) } }),
    { __typename: "OpenApiSpecCreated" },
    { __typename: "OpenApiSpecVersionAdded", actor: null },
  );
  await stream.delivers(
    does("putOpenApiSpec", { source: { url: "https://docs.example.com/openapi.json" } }),
    { __typename: "OpenApiSpecSettingsChanged" },
    { __typename: "OpenApiSpecFailed", actor: null },
  );
  await stream.delivers(does("deleteOpenApiSpec", {}), { __typename: "OpenApiSpecDeleted" });
  note(await stream.end(5));
});

test.each([
  ["invitations", () => hearInvitations(app, world)],
  ["the glossary", () => hearGlossary(app, world)],
  ["installations of integrations", () => hearInstallations(app, world)],
  ["integrations", () => hearIntegrations(app, world)],
  ["single sign-on", () => hearSingleSignOn(app, world, records)],
  ["OpenID providers", () => hearOpenId(app, world)],
])("organization events: %s", async (_what, hear) => note(await hear()));

test("the tests above cover all kinds of organization events", () => {
  expect([...received].toSorted()).toEqual(kindsOf("organizationEvents"));
});
