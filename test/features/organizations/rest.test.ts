// PATCH /v1/orgs/{organizationId}: mapping of its body and errors; its effects are tested in GraphQL.
import { expect, test } from "vitest";
import { useApp } from "#test/support/app.ts";

const { app, world } = await useApp();

test("PATCH of an organization changes the given fields and returns the organization", async () => {
  const { organization, admin, space } = await world.space();
  const body = {
    title: "By REST",
    emailDomains: ["rest.example.com"],
    hostname: "rest.example.com",
    defaultRole: null,
    defaultContent: { type: "space", space: space.id },
    logo: "https://rest.example.com/logo.png",
    sso: true,
    ai: false,
    inviteLinks: false,
  };
  const { logo, ...fields } = body;
  const client = app.as(admin.token);
  const changed = await client.rest("PATCH", `/v1/orgs/${organization.id}`, { body });
  expect(changed).toMatchObject({ status: 200, body: { ...fields, id: organization.id, urls: { logo } } });
  const unchanged = await client.rest("PATCH", `/v1/orgs/${organization.id}`, { body: {} });
  expect(unchanged).toMatchObject({ status: 200, body: changed.body });
});

test.each([
  [{ title: "" }, "/title"],
  [{ title: null }, "/title"],
  [{ inviteLinks: null }, "/inviteLinks"],
  [{ emailDomains: ["ok.example.com", "bad"] }, "/emailDomains/1"],
  [{ defaultRole: "owner" }, "/defaultRole"],
  [{ defaultContent: { type: "page", page: "1" } }, "/defaultContent/type"],
  [{ defaultContent: { type: "site", site: "sit_none" } }, "/defaultContent/site"],
  [{ defaultContent: { type: "site" } }, "/defaultContent/site"],
  [{ defaultContent: { type: "space", site: "sit_1" } }, "/defaultContent/space"],
  [{ defaultContent: { type: "space", site: "sit_1", space: "spc_1" } }, "/defaultContent/site"],
  [{ logo: "ftp://example.com/logo.png" }, "/logo"],
  [{ visitorKey: "mine" }, "/visitorKey"],
])("PATCH of an organization returns 400 for %j", async (body, path) => {
  const { organization, admin } = await world.organization();
  const answer = await app.as(admin.token).rest("PATCH", `/v1/orgs/${organization.id}`, { body });
  expect(answer).toMatchObject({ status: 400 });
  expect(JSON.stringify(answer.body)).toContain(`"path":"${path}"`);
});

test("PATCH of an organization returns 401, 403, 404 and 409 as in the contract", async () => {
  const { organization, elsewhere, admin, creator, outsider } = await world.organization();
  const status = async (token: string | null, body: object) =>
    (await app.as(token).rest("PATCH", `/v1/orgs/${organization.id}`, { body })).status;
  expect(await status(null, {})).toBe(401);
  expect(await status(creator.token, { title: "Mine" })).toBe(403);
  expect(await status(outsider.token, { title: "Mine" })).toBe(404);
  expect(await status(admin.token, { hostname: elsewhere.hostname })).toBe(409);
});

test("a guest who owns a team manages none in /v1, because they see no team", async () => {
  const { organization, team, guest, teamOwner } = await world.organization();
  await app.database.prisma.teamMember.create({
    data: {
      id: `tmm_${guest.id.slice(4)}`,
      teamId: team.id,
      organizationId: organization.id,
      userId: guest.id,
      role: "owner",
    },
  });
  const ownTeam = async (token: string) =>
    (await app.as(token).rest<{ permissions: { ownTeam: boolean } }>("GET", `/v1/orgs/${organization.id}`)).body
      .permissions.ownTeam;
  expect(await ownTeam(teamOwner.token)).toBe(true);
  expect(await ownTeam(guest.token)).toBe(false);
});
