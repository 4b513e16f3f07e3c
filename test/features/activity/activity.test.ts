// Activity lists: each viewer reads the events that they would have received live, newest first, whatever their age.
import { assertInterfaceType } from "graphql";
import { expect, test } from "vitest";
import { newId } from "#src/base/ids.ts";
import { allEventTypes } from "#src/graph/schema/events.ts";
import { schema } from "#src/schema.ts";
import { addCollection } from "#test/features/collections/factory.ts";
import { addGrant, addMember } from "#test/features/members/factory.ts";
import { addSpace } from "#test/features/spaces/factory.ts";
import { done, factsOf, kindsOf } from "#test/live/kinds.ts";
import { openKnown } from "#test/live/raw-socket.ts";
import { statementsOf, workOf } from "#test/support/plans.ts";
import { useApp } from "#test/support/app.ts";
import type { Person } from "#test/support/world.ts";

// Has its own database: the plan of the query depends on the size of the table.
const { app, world } = await useApp({ own: true });

interface Activity {
  readonly activity: {
    readonly totalCount: number;
    readonly pageInfo: { readonly endCursor: string | null; readonly hasNextPage: boolean };
    readonly nodes: readonly { readonly __typename: string; readonly id: string; readonly cursor: string }[];
  };
}

const page = `{ totalCount pageInfo { endCursor hasNextPage } nodes { __typename id cursor kind occurredAt organizationId spaceId actor { id } } }`;

/** The activity of an object that a user may read, oldest first. */
async function read(who: Person, type: "organization" | "space", id: string, args = "") {
  const query = `query ($id: ID!) { of: ${type}(id: $id) { activity${args} ${page} } }`;
  return (await app.as(who.token).query<{ of: Activity }>(query, { id })).of.activity;
}

/** The events that a user received live since a cursor, until the deletion of a team with that title. */
async function receive(who: Person, organizationId: string, after: string) {
  const raw = await openKnown(app.url, who.token);
  const events = `organizationEvents(of: { organizationId: "${organizationId}" }, after: "${after}")`;
  raw.send({
    id: "1",
    type: "subscribe",
    payload: { query: `subscription { event: ${events} { __typename ... on Event { id } } }` },
  });
  const received: string[] = [];
  for (;;) {
    const { payload } = await raw.receive();
    const { event } = (payload as { data: { event: { __typename: string; id?: string } } }).data;
    if (event.id !== undefined) received.push(`${event.__typename} ${event.id}`);
    if (event.__typename === "OrganizationSettingsChanged") break;
  }
  raw.socket.terminate();
  return received;
}

test("everyone reads the activity that they would have received live, by the same rights", async () => {
  const scene = await world.space({ collection: { defaultLevel: null }, space: { visibility: "in_collection" } });
  const { admin, reader, guest, invitedGuest, organization, elsewhere, collection, space, team } = scene;
  const organizationId = organization.id;
  const { other, closed, goes } = await world.insert((rows) => {
    addMember(rows, { organizationId: elsewhere.id, userId: admin.id, role: "admin" });
    const goes = addCollection(rows, { organizationId });
    const other = addSpace(rows, { organizationId });
    return { goes, other, closed: addSpace(rows, { organizationId, visibility: "private", openToMembers: false }) };
  });
  const does = (name: string, input: Record<string, unknown>) => done(app, admin.token, name, input);
  const { eventCursor } = await app.as(admin.token).query<{ eventCursor: string }>("{ eventCursor }");
  await does("updateSpace", { spaceId: space.id, title: "Tides" });
  await does("updateSpace", { spaceId: other.id, title: "Springs" });
  await does("updateCollection", { collectionId: collection.id, title: "Sea" });
  await does("setGrant", { target: { spaceId: space.id }, holder: { userId: guest.id }, role: "READ" });
  await does("removeGrant", { target: { spaceId: space.id }, holder: { userId: guest.id } });
  await does("updateTeam", { organizationId, teamId: team.id, title: "Crew" });
  await does("createInviteLink", { organizationId });
  await does("pingOrganization", { organizationId });
  await does("deleteSpace", { spaceId: other.id });
  await does("updateSpace", { spaceId: closed.id, title: "Secret" });
  await does("transferSpace", { spaceId: closed.id, organizationId: elsewhere.id });
  await does("transferCollection", { collectionId: goes.id, organizationId: elsewhere.id });
  await does("createCollection", { organizationId, title: "Brief" });
  await does("updateOrganization", { organizationId, title: "Tides" });
  const ofSpaces = ["SpaceSettingsChanged", "CollectionSettingsChanged"];
  const expected: [Person, string[]][] = [
    [guest, ["OrganizationSettingsChanged"]],
    [invitedGuest, [...ofSpaces, "OrganizationSettingsChanged"]],
    [
      reader,
      [
        "SpaceSettingsChanged",
        ...ofSpaces,
        "TeamRenamed",
        "SpaceDeleted",
        "CollectionLeft",
        "CollectionCreated",
        "OrganizationSettingsChanged",
      ],
    ],
    [
      admin,
      [
        "SpaceSettingsChanged",
        ...ofSpaces,
        "GrantSet",
        "GrantRemoved",
        "TeamRenamed",
        "InviteLinkCreated",
        "SpaceDeleted",
        "SpaceSettingsChanged",
        "SpaceLeft",
        "CollectionLeft",
        "CollectionCreated",
        "OrganizationSettingsChanged",
      ],
    ],
  ];
  for (const [who, kinds] of expected) {
    const { nodes, totalCount } = await read(who, "organization", organizationId, "(first: 100)");
    expect([who.displayName, nodes.map(({ __typename }) => __typename).toReversed()]).toEqual([who.displayName, kinds]);
    expect(totalCount).toBe(kinds.length);
    const live = (await receive(who, organizationId, eventCursor)).filter((event) => !event.startsWith("MemberSeen "));
    expect(live).toEqual(nodes.map(({ __typename, id }) => `${__typename} ${id}`).toReversed());
  }
  const outside = await app
    .as(scene.outsider.token)
    .graphql(`{ organization(id: "${organizationId}") { activity ${page} } }`);
  expect(outside.errors?.[0]?.extensions?.["code"]).toBe("NOT_FOUND");
  expect((await read(scene.outsider, "organization", elsewhere.id)).nodes).toMatchObject([
    { __typename: "CollectionMoved" },
    { __typename: "SpaceMoved" },
  ]);
});

test("activity of a space and a change request is readable with a role on the space", async () => {
  const scene = await world.changeRequest({ space: { visibility: "public" } });
  const { admin, editor, outsider, space, changeRequest } = scene;
  const spaceId = space.id;
  const changeRequestId = changeRequest.id;
  const does = (name: string, input: Record<string, unknown>) => done(app, admin.token, name, input);
  await does("createComment", { contentOf: { spaceId }, text: { markdown: "On the main content" } });
  await does("createComment", { contentOf: { changeRequestId }, text: { markdown: "On the change request" } });
  await does("updateChangeRequest", { changeRequestId, subject: "Neaps" });
  await does("submitReview", { changeRequestId, verdict: "APPROVED" });
  await does("mergeChangeRequest", { changeRequestId });
  const query = `query ($id: ID!, $cr: ID!) { space(id: $id) { activity ${page} } node(id: $cr) { ... on ChangeRequest { activity(first: 2) ${page} } } }`;
  const { space: seen, node } = await app
    .as(editor.token)
    .query<{ space: Activity; node: Activity }>(query, { id: spaceId, cr: changeRequestId });
  const namesIn = ({ activity }: Activity) => activity.nodes.map(({ __typename }) => __typename);
  const ofChangeRequest = ["ChangeRequestMerged", "ReviewSubmitted", "ChangeRequestSubjectChanged", "CommentPosted"];
  expect(namesIn(seen)).toEqual(["SpaceContentEdited", ...ofChangeRequest, "CommentPosted"]);
  expect(node.activity).toMatchObject({ totalCount: 4, pageInfo: { hasNextPage: true } });
  expect(namesIn(node)).toEqual(ofChangeRequest.slice(0, 2));
  const ofMerging = await read(admin, "space", spaceId, "(kinds: [CHANGE_REQUEST_MERGED, GRANT_SET])");
  expect(ofMerging.nodes).toMatchObject([{ kind: "CHANGE_REQUEST_MERGED", spaceId, actor: { id: admin.id } }]);
  expect((await read(outsider, "space", spaceId)).nodes).toEqual([]);
});

test("activity is paginated, also months back, in one statement for any number of spaces", async () => {
  const { admin, organization } = await world.organization();
  const organizationId = organization.id;
  const spaces = await world.insert((rows) => [1, 2, 3].map(() => addSpace(rows, { organizationId })));
  await world.insert((rows) =>
    addGrant(rows, { organizationId, spaceId: spaces[0]?.id ?? "", userId: admin.id, role: "read" }),
  );
  await app.database.pool.query(
    `insert into "OutboxEvent" (type, "subjectId", "organizationId", "spaceId", "createdAt")
      select 'space.updated', s, $1, s, now() - interval '89 days' + n * interval '1 minute' from unnest($2::text[]) s, generate_series(1, 10) n`,
    [organizationId, spaces.map(({ id }) => id)],
  );
  const seen: string[] = [];
  let after: string | null = null;
  do {
    const { nodes, pageInfo } = await read(
      admin,
      "organization",
      organizationId,
      `(first: 7${after === null ? "" : `, after: "${after}"`})`,
    );
    seen.push(...nodes.map(({ id }) => id));
    after = pageInfo.hasNextPage ? pageInfo.endCursor : null;
  } while (after !== null);
  expect(new Set(seen).size).toBe(30);
  expect(seen).toHaveLength(30);
  const query = (count: number) =>
    `{ organization(id: "${organizationId}") { spaces(first: ${count}) { nodes { activity(first: 5) { nodes { __typename ... on SpaceSettingsChanged { changes { field } space { title } } } } } } } }`;
  const as = app.as(admin.token);
  expect(await as.statements(query(3))).toBe(await as.statements(query(1)));
  const { organization: all } = await as.query<{ organization: { spaces: { nodes: Activity[] } } }>(query(3));
  expect(all.spaces.nodes.flatMap(({ activity }) => activity.nodes)).toHaveLength(15);
});

test("activity of a guest is filtered by their access", async () => {
  const { admin, invitedGuest, guest, organization, collection, space } = await world.space({
    space: { visibility: "in_collection" },
  });
  const organizationId = organization.id;
  const { granted, goes, mine, hidden } = await world.insert((rows) => {
    const granted = addSpace(rows, { organizationId, visibility: "private" });
    const [goes, mine] = [addCollection(rows, { organizationId }), addSpace(rows, { organizationId })];
    const hidden = addSpace(rows, { organizationId });
    const userId = invitedGuest.id;
    addGrant(rows, { organizationId, spaceId: granted.id, userId, role: "read" });
    addGrant(rows, { organizationId, collectionId: goes.id, userId, role: "read" });
    // A guest of another organization is still a member here.
    const elsewhere = rows.add("Organization", { id: newId("Organization"), title: "E", hostname: `e.${userId}` });
    addMember(rows, { organizationId: elsewhere.id, userId: admin.id, role: null });
    return { granted, goes, mine, hidden };
  });
  const does = (name: string, input: Record<string, unknown>) => done(app, admin.token, name, input);
  await does("updateSpace", { spaceId: space.id, title: "In the collection" });
  await does("updateSpace", { spaceId: hidden.id, title: "Nothing to see" });
  await does("updateSpace", { spaceId: granted.id, title: "Granted" });
  await does("updateCollection", { collectionId: collection.id, title: "Sea" });
  await does("setGrant", { target: { spaceId: mine.id }, holder: { userId: invitedGuest.id }, role: "READ" });
  await does("duplicateSpace", { spaceId: hidden.id });
  await does("deleteCollection", { collectionId: goes.id });
  await does("deleteSpace", { spaceId: granted.id });
  await does("updateOrganization", { organizationId, title: "Tides" });
  await app.database.pool.query(
    `insert into "OutboxEvent" (type, "subjectId", "organizationId", "spaceId", "createdAt")
      select 'space.updated', $2, $1, $2, now() - n * interval '1 second' from generate_series(1, 5000) n`,
    [organizationId, hidden.id],
  );
  await app.database.pool.query('analyze "OutboxEvent"');
  const kinds = [
    "OrganizationSettingsChanged",
    "SpaceDeleted",
    "CollectionDeleted",
    "CollectionSettingsChanged",
    "SpaceSettingsChanged",
    "SpaceSettingsChanged",
  ];
  const whole = await read(invitedGuest, "organization", organizationId);
  expect(whole.nodes.map(({ __typename }) => __typename)).toEqual(kinds);
  expect(whole).toMatchObject({ totalCount: kinds.length, pageInfo: { hasNextPage: false } });
  const first = await read(invitedGuest, "organization", organizationId, "(first: 4)");
  const after = `(first: 4, after: "${first.pageInfo.endCursor}")`;
  const rest = await read(invitedGuest, "organization", organizationId, after);
  expect([...first.nodes, ...rest.nodes]).toEqual(whole.nodes);
  expect([first.pageInfo.hasNextPage, rest.pageInfo.hasNextPage]).toEqual([true, false]);
  expect((await read(guest, "organization", organizationId)).nodes.map(({ __typename }) => __typename)).toEqual([
    "OrganizationSettingsChanged",
  ]);
  expect((await read(admin, "organization", organizationId)).totalCount).toBeGreaterThan(5000);
  const query = `{ organization(id: "${organizationId}") { activity(first: 20) { nodes { id } } } }`;
  const { rows, indexes } = await workOf(app, invitedGuest, query, statementsOf.lists);
  expect(rows).toBeLessThan(200);
  expect((await workOf(app, admin, query, statementsOf.lists)).rows).toBeLessThan(200);
  expect(indexes).toEqual(
    expect.arrayContaining([
      "OutboxEvent_1_spaceId_createdAt_idx",
      "OutboxEvent_1_changeRequest_createdAt",
      "OutboxEvent_1_gone",
    ]),
  );
});

test("events stored by an earlier version without facts are returned with null facts", async () => {
  const { admin, organization, space } = await world.space();
  const types = allEventTypes();
  await app.database.prisma.outboxEvent.createMany({
    data: types.map((type) => ({ type, subjectId: space.id, organizationId: organization.id, spaceId: space.id })),
  });
  const kinds = schema.getPossibleTypes(assertInterfaceType(schema.getType("Event"))).map(({ name }) => name);
  const query = `{ organization(id: "${organization.id}") { activity(first: 200) { nodes { __typename ${kinds.map(factsOf).join(" ")} } } } }`;
  const { organization: seen } = await app
    .as(admin.token)
    .query<{ organization: { activity: { nodes: Record<string, unknown>[] } } }>(query);
  const listed = seen.activity.nodes;
  const ofMoments = [
    "MemberSeen",
    "ImportProgressed",
    "OpenApiSpecProgressed",
    "OpenApiSpecProcessed",
    "TranslationProgressed",
  ];
  const elsewhere = [...ofMoments, ...kindsOf("viewerEvents")]; // ephemeral events and account events
  expect(new Set(listed.map(({ __typename }) => __typename))).toEqual(
    new Set(kinds.filter((kind) => !elsewhere.includes(kind))),
  );
  const status = listed.find(({ __typename }) => __typename === "ChangeRequestStatusChanged");
  expect(status).toMatchObject({
    ChangeRequestStatusChanged_statusBefore: null,
    ChangeRequestStatusChanged_status: null,
    ChangeRequestStatusChanged_spaceId: space.id,
  });
});
