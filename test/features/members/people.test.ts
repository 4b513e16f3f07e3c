// Data about users for themselves and others: organizations, roles, teams and profile.
import { describe, expect, test } from "vitest";
import { addMember } from "#test/features/members/factory.ts";
import { addSpace } from "#test/features/spaces/factory.ts";
import { addTeam, addTeamMember } from "#test/features/teams/factory.ts";
import { useApp } from "#test/support/app.ts";

const { app, world } = await useApp();

describe("User.memberships", () => {
  test("lists a guest's own organizations and roles", async () => {
    const { organization, elsewhere, guest, space, invitedGuest } = await world.space();
    await world.insert((rows) => addMember(rows, { organizationId: elsewhere.id, userId: guest.id, role: "review" }));
    const document = `{ viewer { memberships { totalCount nodes { role disabled organization { id viewerRole } } } } }`;
    expect(await app.as(guest.token).query(document)).toEqual({
      viewer: {
        memberships: {
          totalCount: 2,
          nodes: [
            { role: null, disabled: false, organization: { id: organization.id, viewerRole: null } },
            { role: "REVIEW", disabled: false, organization: { id: elsewhere.id, viewerRole: "REVIEW" } },
          ],
        },
      },
    });
    const own = await app
      .as(invitedGuest.token)
      .query(`{ space(id: "${space.id}") { viewerRole parent { viewerRole } } }`);
    expect(own).toEqual({ space: { viewerRole: "COMMENT", parent: { viewerRole: "COMMENT" } } });
  });

  test("of others lists organizations that the viewer shares as a member, not as a guest", async () => {
    const { organization, elsewhere, editor, reader, guest, disabled } = await world.organization();
    await world.insert((rows) => addMember(rows, { organizationId: elsewhere.id, userId: editor.id, role: "read" }));
    const document = `{ node(id: "${editor.id}") { ... on User { memberships { totalCount nodes { role organization { id } } } } } }`;
    const here = { role: "EDIT", organization: { id: organization.id } };
    expect(await app.as(reader.token).query(document)).toEqual({
      node: { memberships: { totalCount: 1, nodes: [here] } },
    });
    expect(await app.as(guest.token).query(document)).toEqual({ node: { memberships: { totalCount: 0, nodes: [] } } });
    const own = `{ viewer { memberships { nodes { role } } } }`;
    expect(await app.as(disabled.token).query(own)).toEqual({ viewer: { memberships: { nodes: [] } } });
  });

  test("has no role on a space that is only visible by its visibility", async () => {
    const { space, outsider, reader, admin, organization } = await world.space({ space: { visibility: "public" } });
    const document = `{ space(id: "${space.id}") { viewerRole organization { id } publisher { __typename id title permissions { view } } } }`;
    const { id, title } = organization;
    expect(await app.as(outsider.token).query(document)).toEqual({
      space: {
        viewerRole: null,
        organization: null,
        publisher: { __typename: "OrganizationPreview", id, title, permissions: { view: false } },
      },
    });
    const publisher = { __typename: "Organization", id, title, permissions: { view: true } };
    expect(await app.as(reader.token).query(document)).toEqual({
      space: { viewerRole: "READ", organization: { id }, publisher },
    });
    expect(await app.as(admin.token).query(document)).toMatchObject({ space: { viewerRole: "ADMIN" } });
  });
});

describe("User.teams", () => {
  test("lists teams that the viewer sees, by title, with the viewer's own role", async () => {
    const { organization, elsewhere, editor, reader } = await world.organization();
    const organizationId = organization.id;
    await world.insert((rows) => {
      const [b, a] = ["B", "A"].map((title) => addTeam(rows, { organizationId, title: `${title} ${editor.id}` }));
      if (!a || !b) return;
      for (const team of [a, b]) addTeamMember(rows, team, editor);
      addTeamMember(rows, a, reader, "owner");
      addMember(rows, { organizationId: elsewhere.id, userId: editor.id, role: "read" });
      addTeamMember(rows, addTeam(rows, { organizationId: elsewhere.id }), editor);
    });
    const document = `query ($title: String) { node(id: "${editor.id}") { ... on User { teams(title: $title) { totalCount nodes { title viewerRole } } } } }`;
    const [a, b] = [`A ${editor.id}`, `B ${editor.id}`];
    expect(await app.as(reader.token).query(document)).toEqual({
      node: {
        teams: {
          totalCount: 2,
          nodes: [
            { title: a, viewerRole: "OWNER" },
            { title: b, viewerRole: null },
          ],
        },
      },
    });
    expect(await app.as(reader.token).query(document, { title: "b " })).toMatchObject({
      node: { teams: { nodes: [{ title: b }] } },
    });
    expect(await app.as(editor.token).query(`{ viewer { teams { totalCount } } }`)).toEqual({
      viewer: { teams: { totalCount: 3 } },
    });
  });

  test("a team has spaces and collections by its grants, and its memberships have ids", async () => {
    const { organization, team, teamMember, teamOwner, collection, space, reader, admin } = await world.space();
    await world.insert((rows) => addSpace(rows, { organizationId: organization.id }));
    const document = `{ node(id: "${team.id}") { ... on Team { spaceCount spaces { totalCount nodes { id } } collections { nodes { id } }
      members(first: 1) { nodes { id user { id } } } grants { totalCount nodes { role collection { id } space { id } } } } } }`;
    const grant = { role: "EDIT", collection: { id: collection.id }, space: null };
    const seen = {
      spaceCount: 1,
      spaces: { totalCount: 1, nodes: [{ id: space.id }] },
      collections: { nodes: [{ id: collection.id }] },
      members: { nodes: [{ id: teamMember.id, user: { id: teamOwner.id } }] },
    };
    expect(await app.as(admin.token).query(document)).toEqual({
      node: { ...seen, grants: { totalCount: 1, nodes: [grant] } },
    });
    expect(await app.as(reader.token).query(document)).toEqual({
      node: { ...seen, grants: { totalCount: 0, nodes: [] } },
    });
  });
});

describe("updateViewer", () => {
  const update = `mutation ($input: UpdateViewerInput!) { updateViewer(input: $input) { viewer { id displayName photoURL } } }`;
  const photoURL = "https://example.com/me.png";

  test("changes the viewer's profile, emits an event, and removes the picture by null", async () => {
    const { guest } = await world.organization();
    const as = app.as(guest.token);
    const change = async (input: object) => (await as.query<{ updateViewer: object }>(update, { input })).updateViewer;
    expect(await change({ displayName: " Ann ", photoURL })).toEqual({
      viewer: { id: guest.id, displayName: "Ann", photoURL },
    });
    expect(await change({ photoURL: null })).toEqual({ viewer: { id: guest.id, displayName: "Ann", photoURL: null } });
    expect(await change({})).toEqual({ viewer: { id: guest.id, displayName: "Ann", photoURL: null } });
    expect((await app.eventsOf(guest.id)).map(({ type, actorId }) => [type, actorId])).toEqual(
      [1, 2].map(() => ["user.updated", guest.id]),
    );
  });

  test.each([
    [{ displayName: null }, "displayName"],
    [{ displayName: " " }, "displayName"],
    [{ displayName: "x".repeat(256) }, "displayName"],
    [{ photoURL: "me.png" }, "photoURL"],
    [{ photoURL: "javascript:alert(1)" }, "photoURL"],
  ])("refuses %j, and changes no other field", async (given, path) => {
    const { guest } = await world.organization();
    const input = { photoURL, displayName: "Changed", ...given };
    const { errors } = await app.as(guest.token).graphql(update, { input });
    expect(errors?.[0]?.extensions).toMatchObject({ code: "INVALID_INPUT", details: [{ path }] });
    expect(await app.as(guest.token).query("{ viewer { displayName photoURL } }")).toEqual({
      viewer: { displayName: guest.displayName, photoURL: null },
    });
  });
});

describe("updateMember for disabling and SSO", () => {
  const update = `mutation ($input: UpdateMemberInput!) { updateMember(input: $input) { member { role disabled sso } } }`;

  test("disables and enables a membership, and turns single sign-on off", async () => {
    const { organization, admin, editor } = await world.organization();
    const input = { organizationId: organization.id, userId: editor.id };
    const change = (given: object) => app.as(admin.token).query(update, { input: { ...input, ...given } });
    const see = async () =>
      (await app.as(editor.token).graphql(`{ organization(id: "${organization.id}") { id } }`)).data;
    expect(await change({ disabled: true, sso: true })).toEqual({
      updateMember: { member: { role: "EDIT", disabled: true, sso: true } },
    });
    expect(await see()).toEqual({ organization: null });
    expect(await change({ disabled: false, sso: false })).toEqual({
      updateMember: { member: { role: "EDIT", disabled: false, sso: false } },
    });
    expect(await see()).toEqual({ organization: { id: organization.id } });
    expect((await app.eventsOf(editor.memberId)).map(({ type }) => type)).toEqual(["member.updated", "member.updated"]);
  });

  test("does not disable the last active admin, and refuses null", async () => {
    const { organization, admin } = await world.organization();
    const input = { organizationId: organization.id, userId: admin.id };
    expect(await app.as(admin.token).refusal(update, { input: { ...input, disabled: true } })).toBe("CONFLICT");
    for (const given of [{ disabled: null }, { sso: null }])
      expect(await app.as(admin.token).refusal(update, { input: { ...input, ...given } })).toBe("INVALID_INPUT");
  });
});
